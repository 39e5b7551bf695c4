"""All that explains a study: its constraints, the answer, its meaning, how to run the plan."""

from dataclasses import dataclass, replace
from typing import Any

from planner.answer.answers import Answer, Given, Plan, TotalPlan, study_of
from planner.answer.solve import answer_to, chosen, solve
from planner.explanation.constraints import Constraint
from planner.explanation.derivations import Step, for_study, worked_out
from planner.explanation.of_total import constraints_of, meaning_of
from planner.explanation.papers.registry import registry_record
from planner.explanation.participant import attack_on, guesses, meaning
from planner.explanation.questions import legend_rows, question_rows
from planner.explanation.running.practice import opendp_call
from planner.libraries import sympy
from planner.model import Budget
from planner.show import Shown
from planner.wording import money


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """What a study asks, and what its answer means.

    Attributes:
        answer: the study's.
        constraints: every condition in symbols and with the study's numbers, accuracy first.
        condition: the budget with which the plan would exist, as a clause; empty where it does.
        participant: what the plan means for one participant, in sentences.
        steps: what follows from the constraints by hand.
        notes: the answer's, and how much cheaper a mean could be by a closer analysis.
    """

    answer: Answer
    constraints: tuple[Constraint, ...]
    condition: str
    participant: tuple[str, ...]
    steps: tuple[Step, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        answer, study = self.answer, self.answer.study
        return {
            "title": study.title,
            "verdict": answer.verdict,
            "constraints": [
                {"label": c.label, "symbols": latex(c.in_symbols), "numbers": latex(c.in_numbers)}
                for c in self.constraints
            ],
            "statement": answer.proof.statement,
            "participant": {"condition": self.condition, "sentences": list(self.participant)},
            "notes": list(self.notes),
            "derivations": [
                {**s._asdict(), "formula": latex(s.formula), "here": worked_out(s, study)}
                for s in self.steps
            ],
            "attack": attack_on(answer)._asdict() if isinstance(answer, Plan) else None,
            "opendp": opendp_call(answer) if isinstance(answer, Plan) else None,
            "registry": registry_record(answer) if isinstance(answer, Plan) else None,
        }

    def shown_title(self) -> str:
        return self.answer.shown_title()

    def shown_rows(self) -> list[tuple[str, str]]:
        """The constraints as formulas, the questions of a survey, the proof, and the meaning."""
        rows = [(c.label, sympy.sstr(c.in_numbers, order="none")) for c in self.constraints]
        rows += legend_rows(self.answer.study)
        if isinstance(self.answer, Plan):
            rows += question_rows(self.answer)
        rows.append(("proof", self.answer.proof.statement))
        return rows + [("participant", sentence) for sentence in self.participant]


def explain(given: Given) -> Explanation:
    """Explain a study, or its answer: `print` shows it, `to_dict` holds it with formulas in LaTeX.

    Args:
        given: the study, solved first, or its answer.
    """
    study = chosen(study_of(given))
    answer = answer_to(given) if study_of(given) == study else solve(study)
    condition, sentences = _meaning(answer)
    return Explanation(
        answer,
        tuple(constraints_of(answer)),
        condition,
        tuple(sentences),
        () if study.strata else tuple(for_study(study)),
        answer.notes,
    )


def latex(formula: "sympy.Expr") -> str:
    """A formula in LaTeX."""
    return str(sympy.latex(formula, ln_notation=True))


def _meaning(answer: Answer) -> tuple[str, list[str]]:
    """What the plan means for one participant; without a plan, at which budget it would."""
    if isinstance(answer, Plan):
        return "", [*meaning(answer), *guesses(answer)]
    if isinstance(answer, TotalPlan):
        return "", meaning_of(answer)
    study = answer.study
    richer = solve(
        replace(study, conditions=tuple(c for c in study.conditions if not isinstance(c, Budget)))
    )
    if study.find(Budget) is None or not isinstance(richer, Plan):
        return "", []
    return f", if the budget were {money(richer.cost, study.currency)}", meaning(richer)
