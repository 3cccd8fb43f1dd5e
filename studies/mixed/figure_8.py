"""Springs twist both ends of the candy by 150 degrees each, with 16 handles and 192 points as in the paper. *Bounded
biharmonic weights* (Jacobson et al. 2011) are not a kind of sinew. The study computes them around 16 vertices, each
farthest from those before. sinew runs their skinning basis as a file of modes, with 500 points. *Biharmonic* is sinew's
kind `biharmonic`."""

import json

from studies.frame.engine import SCENES, temporary_folder
from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .bodies import lumped, mesh_of
from .bounded_biharmonic import skinning_modes
from .motion import diagonal, full_space, path_of, solver

STEPS = 120

def measure(engine):
    full = engine.simulation("candy_twist", full_space())
    exact = path_of(full, STEPS, lambda s, _: s.positions)
    reference = full.energies()
    size = diagonal(exact[0])
    found = {"newton": [reference["springs"], reference["elastic"], 0.0]}

    def compared(sim):
        away = max(path_of(sim, STEPS, lambda s, row: float(abs(s.positions - exact[row["step"] - 1]).max())))
        energies = sim.energies()
        return [energies["springs"], energies["elastic"], away / size]

    for subspace in ("eigenmodes", "biharmonic", "sms"):
        found[subspace] = compared(engine.simulation("candy_twist", solver(cubature=192, subspace=subspace)))

    vertices, tets, materials = mesh_of(engine, "candy_twist")
    densities = [json.loads((SCENES / "candy_twist.json").read_text())["materials"][name]["density"] for name in materials]
    import numpy
    with temporary_folder() as folder:
        path = f"{folder}/bounded.npz"
        skinning_modes(path, vertices, tets, lumped(vertices, tets, numpy.array(densities)), 16)
        keys = solver(subspace=path, cubature={"rule": "energies", "points": 500}, handles=186)
        found["bounded biharmonic"] = compared(engine.simulation("candy_twist", keys))
    return found


def tables(numbers):
    return [Table("After 120 steps, 16 handles", ["subspace", "springs [J]", "elastic [J]", "largest distance / diagonal"],
                  [[kind, short(springs, 3), short(elastic, 3), error(away)] for kind, (springs, elastic, away) in numbers.items()])]


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.bars(ax, list(numbers), {"springs": [row[0] for row in numbers.values()], "elastic": [row[1] for row in numbers.values()]},
               y="energy after 120 steps [J]")
    return figure


def verdict(numbers):
    left = {kind: springs / numbers["newton"][0] for kind, (springs, _, _) in numbers.items()}
    ours = "remaining energy of the twisting springs, over that in full space: " + ", ".join(
        f"{kind} {short(value)}" for kind, value in left.items() if kind != "newton")
    if left["eigenmodes"] < 1.5 and min(left["bounded biharmonic"], left["biharmonic"]) > 2:
        return Verdict("same", ours)
    return Verdict("differs", ours, "smooth weights do not lock" if left["eigenmodes"] < 1.5 else "eigenmodes lock")
