"""Frames of `basketball_hoop` with `multilevel`: the ball on its way, on the rim and in the net. The plot shows the
largest distances of vertices from the rest position."""

import pathlib

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .pictures import join

SCENE = "basketball_hoop"
STEPS = 88
FRAMES = (60, 76, 88)


def measure(engine):
    simulation = engine.simulation(SCENE, {"method": "multilevel"})
    engine.note(f"Simulation('{SCENE}.json', solver={{'method': 'multilevel'}}): {STEPS} steps", program="")
    rest = np.array(simulation.positions)
    bodies = engine.check(SCENE)[0]["bodies"]
    balls = bodies[0]["vertices"]
    hoop = rest[balls:]
    top = hoop[:, 1].max()
    rim = hoop[:, 1] > top - 0.05 * np.ptp(hoop[:, 1])
    widths = np.ptp(rest[:balls], axis=0).mean()
    numbers = {"rim": [], "net": [], "ball": [], "failed": 0}
    for _ in range(STEPS):
        row = simulation.step()
        numbers["failed"] += not row["converged"]
        x = np.array(simulation.positions)
        moved = np.linalg.norm(x[balls:] - hoop, axis=1)
        numbers["rim"].append(1000 * moved[rim].max())
        numbers["net"].append(1000 * moved[~rim].max())
        # A turning ball keeps its width; the mean of the vertices' distances from the centre changes with the shape.
        radius = np.linalg.norm(x[:balls] - x[:balls].mean(axis=0), axis=1)
        numbers["ball"].append(float(radius.max() / np.linalg.norm(rest[:balls] - rest[:balls].mean(axis=0),
                                                                   axis=1).max() - 1))
    with temporary_folder() as folder:
        path = pathlib.Path(folder) / "hoop"
        engine.keep_run(SCENE, "multilevel", path, steps=STEPS, formats=("html",))
        for step in FRAMES:
            engine.picture(path, f"step{step}", "--step", str(step), "--color", "material", "--no-legend",
                           "--view=40:15:1", size="280x280")
        join(engine, "frames", [f"step{step}" for step in FRAMES], [f"step {step}" for step in FRAMES])
    return numbers


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {name: list(enumerate(numbers[name], 1)) for name in ("rim", "net")}, x="step (0.01 s)",
                y="largest displacement [mm]", log="y")
    ax.set_ylim(bottom=0.1)
    plots.whole_steps(ax)
    return figure


def tables(numbers):
    return [Table(f"{STEPS} steps", ["rim moves [mm]", "net moves [mm]", "ball's radius changes",
                                     "steps not converged"],
                  [[short(max(numbers["rim"])), short(max(numbers["net"]), 3), percent(max(map(abs, numbers["ball"]))),
                    numbers["failed"]]])]


def verdict(numbers):
    rim, net = max(numbers["rim"]), max(numbers["net"])
    ours = (f"the rim moves by {short(rim)} mm, the net by {short(net, 3)} mm; the ball's radius changes by "
            f"{percent(max(map(abs, numbers['ball'])))}")
    if numbers["failed"] == 0 and net > 10 * rim:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the net does not move ten times as far as the rim, or a step does not converge")
