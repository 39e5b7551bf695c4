"""How people are paid, in a sentence of one study."""

from dataclasses import replace

import planner
from planner.explanation.results.payment import payment_words

STUDY = planner.Study(
    planner.LaplaceMean(), planner.Accuracy(0.1, 0.1), planner.Individual(12.5, 1274.0)
)


def test_the_payment_of_a_study() -> None:
    for changes, words in [
        ({}, "(e^ε − 1)E, with E = 12.50 and W = 1,274.00"),
        ({"conditions": [planner.Delta(1e-6)]}, "(e^ε − 1)E + δW, with"),
        ({"individual": planner.Individual(12.5, 1274.0, capped=True)}, "E, at most W, with"),
        ({"individual": planner.Individual(12.5, family=3)}, "(e^(gε) − 1)E for families of g = 3"),
        ({"individual": planner.Individual(1.0, 9.0, breach=0.001)}, "(e^ε − 1)E + 0.001W"),
        ({"costs": planner.Costs(incentive=15.0)}, "at least the incentive of 15.00"),
        ({"costs": planner.Costs(smallest_coin=0.5)}, "rounded up to multiples of 0.50"),
        ({"currency": "EUR"}, "W = 1,274.00 EUR"),
    ]:
        assert words in payment_words(replace(STUDY, **changes))
