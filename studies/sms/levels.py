"""The hardest step of the stressball with the printed method, and without one of its levels. All variants end by a test
of the whole direction, at most after 200 directions."""

from studies.frame.numbers import error, short
from studies.frame.paper import Verdict

from . import parts
from .parts import of, tables  # noqa: F401

VARIANTS = {"printed": ({}, {}), "without affine level": ({"affine": "false"}, {}),
            "without subspace": ({"subspace": "false"}, {}),
            "without refinement": ({"refinement": 0}, {}), "refinement of 10 CG": ({"refinement": 10}, {}),
            "refinement of 40 CG": ({"refinement": 40}, {})}


def measure(engine):
    return parts.compare(engine, VARIANTS)


def verdict(numbers):
    whole = of(numbers, "printed")
    directions = {label: of(numbers, label)["iterations"] / whole["iterations"]
                  for label in ("without affine level", "without subspace")}
    plain = of(numbers, "without refinement")
    ours = (f"directions over the printed method's: {short(directions['without affine level'])} without the affine "
            f"level, {short(directions['without subspace'])} without the subspace; error without refinement "
            f"{error(plain['largest'])} against {error(whole['largest'])}")
    if directions["without subspace"] > 1.2 and plain["largest"] > 3 * whole["largest"]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "a level saves less than a fifth of the directions on this mesh")
