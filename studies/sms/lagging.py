"""The hardest step of the stressball with an elastic Hessian that is reused for at most 5, 20 or no directions."""

from studies.frame.numbers import short
from studies.frame.paper import Verdict

from . import parts
from .parts import of, tables  # noqa: F401

VARIANTS = {"lag 5, as in the paper": ({}, {}), "lag 0": ({"lag": 0}, {}), "lag 20": ({"lag": 20}, {})}


def measure(engine):
    return parts.compare(engine, VARIANTS)


def verdict(numbers):
    lagged, fresh = of(numbers, "lag 5, as in the paper"), of(numbers, "lag 0")
    each = lagged["seconds"] / lagged["iterations"] / (fresh["seconds"] / fresh["iterations"])
    more = lagged["iterations"] / fresh["iterations"]
    ours = f"lag 5: {short(more)} times as many directions, each takes {short(each)} times the time"
    if more * each < 1:
        return Verdict("same", ours)
    return Verdict("differs", ours, "assembly takes a small share of a direction, so more directions cost more than "
                                    "fewer assemblies save")
