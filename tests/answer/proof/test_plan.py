import planner
from planner.answer.problem.problem import problem_of
from planner.answer.proof.plan import any_plan, holds
from planner.model import Choice


def test_one_step_below_the_floor_is_refused(mean_study) -> None:
    study = mean_study(12.5)
    plan = planner.solve(study)
    problem = problem_of(study)
    assert holds(problem, Choice(plan.epsilon, 0.0, plan.participants))
    assert not holds(problem, Choice(plan.epsilon * (1 - 1e-5), 0.0, plan.participants))
    assert not holds(problem, Choice(plan.epsilon, 0.0, plan.participants - 5))


def test_an_open_bound_is_refused_at_its_end(mean_study) -> None:
    # ln(p*|X|) = 0 < ε would be needed exactly; EpsilonAtMost closes the same bound
    closed = problem_of(mean_study(1e-9, planner.EpsilonAtMost(0.5)))
    assert holds(closed, Choice(0.5, 0.0, 30_000))
    assert not holds(closed, Choice(0.5000001, 0.0, 30_000))


def test_equality_is_decided_in_fractions(mean_study) -> None:
    # 0.001 is exactly 1/1000 as a decimal, and not as a double
    problem = problem_of(
        mean_study(
            1e-9,
            planner.EpsilonAtLeastOneOverN(),
            target=planner.Accuracy(error=1.0, failure=0.9),
        )
    ).without(problem_of(mean_study(1.0, target=planner.Accuracy(1.0, 0.9))).conditions[0])
    assert holds(problem, Choice(0.001, 0.0, 1000))
    assert not holds(problem, Choice(0.000999, 0.0, 1000))


def test_harm_that_delta_alone_uses_up_leaves_no_epsilon() -> None:
    study = planner.Study(
        planner.Mwem(16, 10),
        planner.Accuracy(error=1.0, failure=0.01),
        planner.Individual(1.0, 100.0),
        [planner.MaxHarm(0.01), planner.Delta(1e-4)],
    )
    answer = planner.solve(study)
    assert (answer.verdict, answer.proof.checked) == ("infeasible", True)


def test_capped_pay_may_use_the_budget_to_the_last_cent() -> None:
    study = planner.Study(
        planner.Mwem(16, 10),
        planner.Accuracy(error=1.0, failure=0.7),
        planner.Individual(0.01, 0.01, capped=True),
        [planner.Budget(10.02), planner.MaxParticipants(2)],
        planner.Costs(per_person=5.0),
    )
    answer = planner.solve(study, minimise="participants")
    assert answer.verdict == "feasible"
    assert answer.participants == 1
    assert planner.limit(study, "budget") == 5.01


def test_corners_found_by_random_search_are_decided(mean_study, section_8_2) -> None:
    spent = mean_study(1.0, budget=10.0, costs=planner.Costs(overhead=10.0))
    assert planner.solve(spent).verdict == "infeasible"
    assert planner.solve(section_8_2(planner.Delta(0.0))).verdict == "infeasible"
    tiny = planner.Accuracy(error=1e-8, failure=0.05)
    capped = mean_study(1.0, planner.MaxParticipants(1000), target=tiny)
    assert planner.solve(capped).verdict == "infeasible"
    assert planner.solve(mean_study(1e308)).verdict == "infeasible"
    edge = planner.Accuracy(0.13012538150287617, 0.7)
    study = mean_study(1.0, planner.MaxParticipants(31), analysis="hoeffding", target=edge)
    assert planner.solve(study).verdict in ("infeasible", "undecided")


def test_a_any_plan_lies_well_over_the_floor_and_under_the_ceiling(mean_study) -> None:
    problem = problem_of(mean_study(12.5))
    [region] = problem.regions(0.0)
    fewest = planner.solve(mean_study(12.5), minimise="participants").participants
    size = 2 * fewest
    plan = any_plan(problem, region, size)
    assert plan is not None
    assert holds(problem, plan)
    assert region.floor(size) * 1.1 < plan.epsilon < region.ceiling(size) / 1.1
    assert any_plan(problem, region, fewest - 1) is None  # its floor is over its ceiling
