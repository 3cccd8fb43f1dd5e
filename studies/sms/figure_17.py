"""The shoe lands at 5 m/s on an elastic midsole between stiffer parts and rebounds. Each method takes 25 steps on its
own path. "Rebound" is the largest upward speed of the centre over 5 m/s. The pictures show stresses at the deepest
point, and the shoe at the end (`newton`)."""

import pathlib

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, percent
from studies.frame.paper import Table, Verdict

from .pictures import join

SCENE = "shoe"
STEPS = 25
SPEED = 5.0
SOLVERS = {"newton": {"method": "newton"},
           "printed": {"method": "multilevel", "cubature": "modal", "multilevel": {"stiffness_exponent": 1,
                                                                                   "printed": {"affine": True}}},
           "multilevel": {"method": "multilevel"}}


def measure(engine):
    numbers, paths = {}, {}
    for name, solver in SOLVERS.items():
        simulation = engine.simulation(SCENE, solver)
        engine.note(f"Simulation('{SCENE}.json', solver={solver}): {STEPS} steps", program="")
        start = np.array(simulation.positions)
        heights, speeds, path = [], [], []
        for _ in range(STEPS):
            simulation.step()
            path.append(np.array(simulation.positions))
            heights.append(path[-1][:, 1].mean() - start[:, 1].mean())
            speeds.append(simulation.velocities[:, 1].mean())
        paths[name] = path
        diagonal = np.linalg.norm(np.ptp(start, axis=0))
        distance = np.linalg.norm(path[-1] - paths["newton"][-1], axis=1) / diagonal
        shape = path[-1] - path[-1].mean(axis=0) - (paths["newton"][-1] - paths["newton"][-1].mean(axis=0))
        numbers[name] = {"heights": heights, "speeds": speeds, "rebound": max(speeds) / SPEED,
                         "deepest": int(np.argmin(heights)) + 1,
                         "rms": float(np.sqrt((distance**2).mean())),
                         "shape": float(np.linalg.norm(shape, axis=1).max() / diagonal)}
    deepest = numbers["newton"]["deepest"]
    with temporary_folder() as folder:
        path = pathlib.Path(folder) / "shoe"
        engine.keep_run(SCENE, "newton", path, steps=STEPS, formats=("html",))
        engine.picture(path, "impact", "--step", str(deepest), "--color", "von_mises", "--log", "--no-legend",
                       "--view=15:8:1",
                       "--fit", "frame", size="360x270")
        engine.picture(path, "end", "--step", str(STEPS), "--color", "material", "--no-legend", "--view=15:8:1",
                       "--fit", "frame",
                       size="360x270")
        join(engine, "frames", ["impact", "end"], [f"step {deepest}: stress", f"step {STEPS}"])
    return numbers


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {name: list(enumerate(row["heights"], 1)) for name, row in numbers.items()}, x="step (0.01 s)",
                y="height of the centre [m]")
    plots.whole_steps(ax)
    return figure


def tables(numbers):
    return [Table(f"{STEPS} steps", ["method", "deepest at step", "rebound over impact speed", "rms error at the end",
                                     "largest error of the shape"],
                  [[name, row["deepest"], percent(row["rebound"], 0), error(row["rms"]), error(row["shape"])] for name,
                   row in numbers.items()])]


def verdict(numbers):
    rebound = {name: row["rebound"] for name, row in numbers.items()}
    ours = "rebound over impact speed: " + ", ".join(f"{name} {percent(value, 0)}" for name, value in rebound.items())
    if min(rebound.values()) > 0.1 and abs(rebound["printed"] / rebound["newton"] - 1) < 0.1:
        return Verdict("same", ours)
    return Verdict("differs", ours, "a method does not rebound as newton does, to 10 %")
