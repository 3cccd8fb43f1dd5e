"""A fist on a spring punches a head, as printed. All runs begin with the same state shortly before the fist hits, which
the paper's longest step reaches, and cover the same 15 ms. Shares are over the vertices of the scene. G is a vertex's
error (equation 9); above the threshold (grey) a vertex may be enriched."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import printed_solver, shares, simulation

SCENE = "spring_fist"
STEPS = (5e-3, 5e-4, 5e-5)
WINDOW = 0.015  # s
BEFORE = 31  # steps of 5 ms
KINDS = {"as printed": {}, "vertex_error 0.1": {"adaptive__vertex_error": 0.1},
         "vertex_error 0.02": {"adaptive__vertex_error": 0.02}}
THRESHOLDS = {"as printed": 0.5, "vertex_error 0.1": 0.1, "vertex_error 0.02": 0.02}


def measure(engine):
    sinew = engine.python()
    numbers = {kind: [] for kind in KINDS}
    for kind, more in KINDS.items():
        sim = simulation(engine, SCENE, printed_solver(SCENE, **more))
        for _ in range(BEFORE):
            sim.step()
        with temporary_folder() as folder:
            sim.save(f"{folder}/state.h5")
            for step in STEPS:
                run = sinew.Simulation.load(f"{folder}/state.h5")
                run.set_time_step(step)
                rows = [run.step() for _ in range(round(WINDOW / step))]
                numbers[kind].append({"step": step, "steps": len(rows), "largest": max(shares(rows)),
                                      "mean": float(numpy.mean(shares(rows))),
                                      "errors": [max(row["adaptive"]["iterations"]["error"], default=0) for row in rows],
                                      "iterations": float(numpy.mean([row["newton_iterations"] for row in rows])),
                                      "times": [row["time"] for row in rows], "shares": shares(rows),
                                      "converged": all(row["converged"] for row in rows)})
    return numbers


def draw(numbers, plots):
    figure, axes = plots.axes(len(numbers))
    for ax, (kind, runs) in zip(axes, numbers.items()):
        plots.lines(ax, {f"{run['step']:g} s": [(1e3 * t, g or None) for t, g in zip(run["times"], run["errors"])] for run in runs},
                    x="time [ms]", y="largest error G of a vertex", log="y", title=kind)
        ax.axhline(THRESHOLDS[kind], color="grey", linewidth=0.8)
    return figure


def tables(numbers):
    return [Table(f"15 ms, {kind}", ["time step [s]", "steps", "largest share", "mean share", "largest error G",
                                     "iterations per step"],
                  [[f"{run['step']:g}", run["steps"], percent(run["largest"]), percent(run["mean"]),
                    short(max(run["errors"])),
                    short(run["iterations"])] for run in runs]) for kind, runs in numbers.items()]


def verdict(numbers):
    ours = "; ".join(f"{kind}: at most " + ", ".join(percent(run["largest"]) for run in runs) for kind,
                     runs in numbers.items())
    for kind, runs in numbers.items():
        values = [run["largest"] for run in runs]
        if values[0] < values[1] <= 1.02 * values[2] and values[2] > 1.2 * values[0]:
            if kind == "as printed":
                return Verdict("same", ours)
            return Verdict("differs", ours,
                           f"our head needs {kind} for that; then shorter steps enrich more, as in the paper")
    errors = ", ".join(short(max(run["errors"])) for run in numbers["as printed"])
    return Verdict("differs", ours, f"the largest errors are {errors}, so that the threshold 0.5 enriches nothing. At smaller "
                   "thresholds shorter steps do not enrich more either")
