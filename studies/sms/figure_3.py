"""A slab with a cut falls on a spike (`cut_block_on_spike`). Four bases take 8 steps in the subspace alone, each on
its own path. The slab may slip past the spike, so the order of the other three bases depends on the start."""

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error
from studies.frame.paper import Verdict

from . import bases
from .bases import draw, rms, tables  # noqa: F401
from .pictures import frames_of_bases

SCENE = "cut_block_on_spike"


def measure(engine):
    numbers = bases.measure(engine, SCENE)
    with temporary_folder() as folder:
        frames_of_bases(engine, SCENE, folder, ("rbf", "sms"), 10, 8, "--view=20:25:1", "--fit", "frame")
    return numbers


def verdict(numbers):
    few = rms(numbers, bases.COUNTS[0])
    others = max(value for basis, value in few.items() if basis != "rbf")
    ours = f"rms error with {bases.COUNTS[0]} handles: " + ", ".join(f"{bases.BASES[basis]} {error(value)}" for basis,
                                                                     value in few.items())
    if few["rbf"] > 1.3 * others:
        return Verdict("same", ours)
    return Verdict("differs", ours, "RBFs are not the worst by a third")
