"""Stiff plates around a soft core fall on the floor (`sandwich_block`). Four bases take 8 steps in the subspace alone,
each on its own path. If the core is locked, the error is as large as the deformation."""

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error
from studies.frame.paper import Verdict

from . import bases
from .bases import draw, rms, tables  # noqa: F401
from .pictures import frames_of_bases

SCENE = "sandwich_block"


def measure(engine):
    numbers = bases.measure(engine, SCENE)
    with temporary_folder() as folder:
        frames_of_bases(engine, SCENE, folder, ("rbf", "sms"), 10, 8, "--view=10:10:1", "--fit", "frame", "--color",
                        "material")
    return numbers


def verdict(numbers):
    few = rms(numbers, bases.COUNTS[0])
    ours = f"rms error with {bases.COUNTS[0]} handles: " + ", ".join(f"{bases.BASES[basis]} {error(value)}" for basis,
                                                                     value in few.items())
    if min(few["rbf"], few["biharmonic"]) > 5 * max(few["sms"], few["eigenmodes"]):
        return Verdict("same", ours)
    return Verdict("differs", ours, "bases with and without material do not differ fivefold")
