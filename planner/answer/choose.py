"""A study with a choice of mechanisms: planned with each, answered with the best."""

from dataclasses import replace
from typing import TYPE_CHECKING

from planner.answer.answers import Answer, Infeasible, Plan, Undecided
from planner.answer.proof.plan import Proof
from planner.mechanisms import OneOf
from planner.model import Study

if TYPE_CHECKING:
    from planner.answer.search.convex import Objective


def with_all(answer: Answer) -> Study:
    """The study of an answer, with every mechanism that it was to choose from."""
    others = answer.alternatives if isinstance(answer, Plan) else ()
    mechanisms = tuple(one.study.mechanism for one in (answer, *others))
    return answer.study.by(OneOf(mechanisms)) if others else answer.study


def best_of(study: Study, answers: list[Answer], minimise: "Objective") -> Answer:
    """The best of the plans by each mechanism, or why none exists."""
    plans = [answer for answer in answers if isinstance(answer, Plan)]
    if plans:
        best = min(plans, key=lambda plan: float(getattr(plan, minimise)))
        return replace(best, alternatives=tuple(a for a in answers if a is not best))
    statement = " ".join(f"By {a.study.mechanism.words}: {a.proof.statement}" for a in answers)
    checked = all(answer.proof.checked for answer in answers)
    methods = sorted({answer.proof.method for answer in answers})
    proof = Proof("; ".join(methods), checked, statement)
    notes = tuple(dict.fromkeys(note for answer in answers for note in answer.notes))
    if not all(isinstance(answer, Infeasible) for answer in answers):
        return Undecided(study, proof, notes)
    labels = [label for a in answers if isinstance(a, Infeasible) for label in a.conflict]
    return Infeasible(study, tuple(dict.fromkeys(labels)), proof, notes)
