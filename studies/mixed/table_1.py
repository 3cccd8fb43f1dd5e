"""Time of an iteration on one thread, with the paper's numbers of handles and points. Each step has two iterations. The
paper's meshes have 132,000 to 532,000 tets. "Full-space mixed" is one iteration of mixed elements with all vertices and
tets."""

from studies.frame.numbers import rounded, short
from studies.frame.paper import Table, Verdict

from .figure_10 import NAMES, parts_of
from .motion import METHODS

# Handles, points, and the paper's milliseconds: mixed, standard, full-space mixed.
CASES = {"octobot": (5, 227, 1.19, 1.10, 3099.1), "gator": (10, 192, 2.01, 2.04, 11442.7),
         "creature": (16, 581, 7.37, 7.56, 263545), "crab": (16, 342, 5.87, 5.51, 7483.75)}


def measure(engine):
    engine.count, engine.threads = 1, ["--threads", 1]
    numbers = {}
    for scene, (handles, count, *_) in CASES.items():
        numbers[scene] = {kind: parts_of(engine, scene, method, handles, count, steps=60) for kind, method in METHODS.items()}
        settings = ['solver.subspace="full"', "solver.iterations=1", "solver.error_every=0", "output.checkpoint=0"]
        rows, _ = engine.run(scene, "mixed", settings, steps=2)
        parts = rows[-1]["seconds"]  # the first step orders the matrix
        numbers[scene]["full"] = (parts["steps"] - parts["output"]) / rows[-1]["newton_iterations"]
    return numbers


def tables(numbers):
    return [
        Table("Milliseconds of an iteration", ["scene", "tets", "handles", "points", "mixed", "theirs", "standard", "theirs",
                                               "full-space mixed", "theirs"],
              [[scene, rounded(found["mixed"]["tets"]), *CASES[scene][:2], short(1e3 * found["mixed"]["total"], 3), CASES[scene][2],
                short(1e3 * found["standard"]["total"], 3), CASES[scene][3], short(1e3 * found["full"], 3), CASES[scene][4]]
               for scene, found in numbers.items()]),
        Table("Parts of a mixed iteration [ms], and set-up [s]", ["scene", *NAMES, "set-up"],
              [[scene, *(short(1e3 * found["mixed"][name]) for name in NAMES), short(found["mixed"]["setup"])]
               for scene, found in numbers.items()])]


def verdict(numbers):
    times = {scene: 1e3 * found["mixed"]["total"] for scene, found in numbers.items()}
    speedups = [found["full"] / found["mixed"]["total"] for found in numbers.values()]
    ratios = [found["mixed"]["total"] / found["standard"]["total"] for found in numbers.values()]
    ours = ("mixed " + ", ".join(short(value) for value in times.values()) + " ms. Standard " +
            ", ".join(short(1e3 * found["standard"]["total"]) for found in numbers.values()) +
            f" ms. A mixed iteration takes {short(min(ratios))} to {short(max(ratios))} times as long as a standard one (paper "
            f"0.97 to 1.08) and is {short(min(speedups))} to {short(max(speedups))} times as fast as in full space")
    if all(value < 0.8 * CASES[scene][2] for scene, value in times.items()):
        return Verdict("better", ours)
    if all(value < 1.5 * CASES[scene][2] for scene, value in times.items()):
        return Verdict("same", ours)
    return Verdict("differs", ours, "this machine takes longer")
