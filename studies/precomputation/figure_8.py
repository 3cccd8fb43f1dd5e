"""A force at the end of a slender beam turns around a circle. Five subspaces with all tets, beside `newton`:

- two inertia modes that start from the two translations across the beam, as in the paper (`--start y,z`),
- these and their three derivatives,
- 20 modes of 8 linear modes and their 36 derivatives, by principal components,
- the two inertia modes and their derivatives up to order 2, which are 11,
- up to order 3, 20 in all.

Second derivatives of pairs of two modes are six here, not 15. The error is the largest distance from `newton` over the
largest motion."""

import json

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import SCENES, timed_modes

STEPS = 30
INERTIA = ("inertia_derivatives", "--start", "y,z", "--linear", 2)
CASES = (("2 modes", ("inertia", "--start", "y,z", "--count", 2)),
         ("2 modes, order 1", (*INERTIA, "--order", 1, "--count", 5)),
         ("8 modes, order 1, by PCA", ("derivatives", "--linear", 8, "--order", 1, "--count", 20)),
         ("2 modes, order 2", (*INERTIA, "--order", 2, "--count", 11)),
         ("2 modes, order 3", (*INERTIA, "--order", 3, "--count", 20)))


def moves(simulation):
    positions = [numpy.array(simulation.positions)]
    failed = 0
    for _ in range(STEPS):
        failed += not simulation.step()["converged"]
        positions.append(numpy.array(simulation.positions))
    return numpy.array(positions), failed


def measure(engine):
    module = engine.python()
    scene = json.loads((SCENES / "beam.json").read_text())
    scene["size"], scene["time"]["step"] = engine.size, 0.04
    exact, _ = moves(module.Simulation({**scene, "solver": {"method": "newton"}}))
    moved = numpy.linalg.norm(exact - exact[0], axis=2)
    tip = int(moved.max(0).argmax())
    rows = [{"name": "newton", "modes": None, "path": moved[:, tip], "error": 0.0, "failed": 0}]
    with temporary_folder() as folder:
        for name, (kind, *more) in CASES:
            file = f"{folder}/modes.npz"
            found = timed_modes(engine, SCENES / "beam.json", "--kind", kind, *more, settings=[f"size={engine.size}"], output=file)
            x, failed = moves(module.Simulation({**scene, "solver": {**scene["solver"], "subspace": file}}))
            rows.append({"name": name, "modes": found["modes"], "path": numpy.linalg.norm(x - x[0], axis=2)[:, tip], "failed": failed,
                         "error": numpy.linalg.norm(x - exact, axis=2).max() / moved.max()})
    return {"step": scene["time"]["step"], "rows": rows}


def draw(numbers, plots):
    figure, ax = plots.axes(width=5.6)
    plots.lines(ax, {row["name"]: [(numbers["step"] * k, d) for k, d in enumerate(row["path"])] for row in numbers["rows"]},
                x="time [s]", y="displacement of the end [m]")
    ax.legend(fontsize=7, loc="center left", bbox_to_anchor=(0.02, 0.72))
    return figure


def tables(numbers):
    return [Table("Bending", ["subspace", "modes", "largest displacement of the end [m]", "error"],
                  [[row["name"], row["modes"] or "-", short(max(row["path"])), percent(row["error"])] for row in numbers["rows"]])]


def verdict(numbers):
    _, two, five, classic, second, third = numbers["rows"]
    ours = (f"errors: {percent(two['error'])} with 2 modes, {percent(five['error'])} with 5, "
            f"{percent(classic['error'])} with 20 of 8 modes and derivatives, {percent(second['error'])} and "
            f"{percent(third['error'])} with {second['modes']} and {third['modes']} of higher order")
    grows = two["error"] > five["error"] > second["error"]
    if grows and third["error"] <= classic["error"]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "errors fall with the order, but 20 derivatives of 8 modes follow this load as "
                                    "well" if grows else
                   "errors do not fall with the order")
