"""A square of cloth (1 m, 0.5 mm thick, 400 kg/m^3, springs on edges) is fixed to a post of 8 cm radius and falls
around it. The post stands for the paper's bunny; a time step is 0.01 s. Vertex block descent
(`studies/sms/vertex_block_descent.py`) and `newton` minimise the same energy. Errors are `(E - E*) / (E_0 - E*)` with
the energy E of a step, its least value E*, and its value E_0 at the start. Both plots show the step after 0.1 s. The
last columns are from 0.3 s with 20 iterations of vertex block descent per step: mean kinetic energy and fall, over
those of `newton`."""

import json
import pathlib

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .vertex_block_descent import Cloth, sheet

CELLS = {"small": (12, 48), "medium": (16, 64), "large": (16, 96)}
YOUNG = (1e4, 1e6)
SIDE, POST, STEP, BEFORE, STEPS = 1.0, 0.08, 0.01, 10, 30
SWEEPS = 250  # of the hard step
BUDGET = 20  # iterations per step of the falling sheet
TARGET = 1e-2


def write_obj(path, points, triangles):
    lines = ["v " + " ".join(f"{x:.17g}" for x in point) for point in points]
    path.write_text("\n".join(lines + ["f " + " ".join(str(i + 1) for i in triangle) for triangle in triangles]) + "\n")


def scene(young, **solver):
    return {"time": {"step": STEP, "steps": 1000, "substeps": 0, "max_travel": 0},
            "materials": {"cotton": {"model": "mass_spring", "young": young, "thickness": 5e-4, "density": 400}},
            "bodies": [{"mesh": "sheet.obj", "material": "cotton",
                        "fix": [{"sphere": {"center": [0, 0, 0], "radius": POST}}]}],
            "contact": {"enabled": False}, "solver": {"method": "newton", "tolerance": 1e-9, "max_iterations": 100,
                                                      **solver}}


def hard_step(engine, cloth, young, folder):
    """Errors of the step after BEFORE steps, by iterations, of both methods; the fall of newton."""
    sinew = engine.python()

    def fresh(**solver):
        return sinew.Simulation(scene(young, **solver), base_dir=str(folder))

    simulation = fresh()
    falls, kinetic = [], []
    for index in range(STEPS):
        if index == BEFORE:
            x, v = np.array(simulation.positions), np.array(simulation.velocities)
        simulation.step()
        falls.append(-float(simulation.positions[:, 1].mean()))
        kinetic.append(cloth.kinetic(simulation.velocities))
        if index == BEFORE:
            solution = np.array(simulation.positions)
            check = simulation.energies()["elastic"] + simulation.energies()["springs"]
    y = cloth.start(x, v)
    least, first = cloth.energy(solution, y), cloth.energy(y, y)
    whole = cloth.energy(x, y) if not np.isfinite(first) else first

    def error(state):
        return max(0.0, (cloth.energy(state, y) - least) / (whole - least))

    newton = []
    for count in range(1, 31):
        trial = fresh(max_iterations=count)
        trial.positions, trial.velocities = x, v
        trial.step()
        newton.append(error(np.array(trial.positions)))
        if newton[-1] < 1e-6:
            break
    descent, state = [], y.copy()
    for _ in range(SWEEPS):
        cloth.sweep(state, y)
        descent.append(error(state))
    return newton, descent, falls, kinetic, abs(cloth.elastic(solution) / check - 1)


def fall(cloth):
    x, v, falls, kinetic = cloth.rest.copy(), np.zeros_like(cloth.rest), [], []
    for _ in range(STEPS):
        y = cloth.start(x, v)
        state = y.copy()
        for _ in range(BUDGET):
            cloth.sweep(state, y)
        v, x = (state - x) / STEP, state
        falls.append(-float(x[:, 1].mean()))
        kinetic.append(cloth.kinetic(v))
    return falls, kinetic


def measure(engine):
    rows = []
    for cells in CELLS.get(engine.size, CELLS["small"]):
        points, triangles = sheet(cells, SIDE)
        fixed = np.linalg.norm(points, axis=1) <= POST
        with temporary_folder() as folder:
            write_obj(pathlib.Path(folder) / "sheet.obj", points, triangles)
            for young in YOUNG:
                cloth = Cloth(points, triangles, young, 5e-4, 400, fixed, STEP)
                newton, descent, falls, kinetic, differ = hard_step(engine, cloth, young, folder)
                engine.note("python", f"cloth of {cells} x {cells} cells, {json.dumps(young)} Pa: newton", program="")
                own_falls, own_kinetic = fall(cloth)
                rows.append({"cells": cells, "young": young, "newton": newton, "descent": descent,
                             "energies_differ": differ, "fall": own_falls[-1] / falls[-1],
                             "kinetic": sum(own_kinetic) / sum(kinetic)})
    return rows


def reach(errors, target=TARGET):
    """Iterations to an error; None if it is not reached."""
    return next((count for count, error in enumerate(errors, 1) if error <= target), None)


def label(row):
    return f"{row['cells']} x {row['cells']}, {row['young']:.0e} Pa".replace("e+0", "e")


def draw(numbers, plots):
    figure, axes = plots.axes(2)
    for ax, key, title in ((axes[0], "descent", "vertex block descent"), (axes[1], "newton", "newton")):
        plots.lines(ax, {label(row): [(count, max(error, 1e-9)) for count, error in enumerate(row[key], 1)]
                         for row in numbers},
                    x="iterations", y="error of the step's energy", log="xy", title=title)
        ax.set_ylim(1e-7, 2)
    return figure


def count(errors):
    return reach(errors) or f"over {len(errors)}"


def tables(numbers):
    differ = max(row["energies_differ"] for row in numbers)
    return [Table(f"Iterations to an error of {TARGET:g}, and {STEPS} steps with {BUDGET} iterations of vertex block "
                  "descent",
                  ["sheet", "newton", "vertex block descent", f"its error after {BUDGET}",
                   "kinetic energy over newton's",
                   "fall over newton's"],
                  [[label(row), count(row["newton"]), count(row["descent"]), short(row["descent"][BUDGET - 1]),
                    percent(row["kinetic"], 0), percent(row["fall"], 0)] for row in numbers],
                  f"Elastic energies of both programs differ by {differ:.0e} at most.")]


def verdict(numbers):
    soft, hard = numbers[0], numbers[-1]
    ours = (f"iterations to {TARGET:g}: vertex block descent {count(soft['descent'])} (soft, coarse) and "
            f"{count(hard['descent'])} (stiff, fine), newton {count(soft['newton'])} and {count(hard['newton'])}. "
            f"Kinetic energy with {BUDGET} iterations: {percent(soft['kinetic'], 0)} and {percent(hard['kinetic'], 0)} "
            "of newton's")
    first, last = reach(soft["descent"]), reach(hard["descent"]) or SWEEPS
    slower = first and last > 5 * first and all(reach(row["newton"]) for row in numbers)
    if slower and soft["kinetic"] > 0.95 and hard["kinetic"] < 0.8:
        return Verdict("same", ours)
    if slower:
        return Verdict("differs", ours, f"{BUDGET} iterations lose less than a fifth of the kinetic energy")
    return Verdict("differs", ours, "vertex block descent needs at most five times the iterations")
