"""When a planned test rejects, in words."""

from planner.answer.answers import Plan
from planner.mechanisms.threshold import planned_threshold
from planner.wording import plain


def rejection(plan: Plan, exactly: bool = False) -> str:
    """What the test of a plan does with what is published, as a clause after "the test".

    Args:
        plan: the plan of a test.
        exactly: whether probabilities to reject at an edge are written in full.
    """
    power = plan.study.power
    assert power is not None  # it is a test
    asked, up, rate, published = power.tested, power.upwards, plan.epsilon, power.published
    people = asked.counted(plan.participants)
    sides = [(up, asked), (not up, asked.other_side)][: power.sides]
    edges, chances = [], []
    for over, hypotheses in sides:
        level, chance = planned_threshold(hypotheses, rate, people)
        level = (level if over else people - level) - (asked.groups - 1) * (people // 2)
        edges.append(f"{'over' if over else 'under'} {plain(level)}")
        by_chance = repr(chance) if exactly else f"about {chance:.3f}"
        chances.append(f"with probability {by_chance} if it is {plain(level)}")
    return (
        f"rejects {power.rejected} if {published} is {' or '.join(edges)}, {' or '.join(chances)}"
    )
