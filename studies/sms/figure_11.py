"""The ball of `sphere_on_spike` hits the spike at 3 m/s, with the paper's 64 handles. Each method follows its own path.
The compression is that of the vertices near the vertical axis, which the spike dents from below."""

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, iterations, percent
from studies.frame.paper import Table, Verdict

from .keys import CLUSTERS, as_printed, subspace_alone
from .pictures import alone, frames, printed_settings

SCENE = "sphere_on_spike"
HANDLES = 64
STEPS = 8
METHODS = {"newton": "newton", "subspace alone": subspace_alone(handles=HANDLES),
           "printed": as_printed(handles=HANDLES),
           "multilevel": f"multilevel:handles={HANDLES}"}


def solver(kind):
    """Keys of the solver for the Python module."""
    if kind == "newton":
        return {"method": "newton"}
    keys = {"method": "multilevel", "handles": HANDLES}
    if kind == "multilevel":
        return keys
    from .keys import SUBSPACE
    part = {**SUBSPACE, "affine": False} if kind == "subspace alone" else {"affine": True}
    return {**keys, "cubature": "modal", "multilevel": {"stiffness_exponent": 1, "printed": part}}


def heights(engine, kind):
    """Height of the ball along its axis over that at rest, after each step. The spike dents the ball from below."""
    simulation = engine.simulation(SCENE, solver(kind))
    rest = np.array(simulation.positions)
    axis = np.hypot(rest[:, 0] - rest[:, 0].mean(), rest[:, 2] - rest[:, 2].mean()) < 0.2 * np.ptp(rest[:, 0])
    course = []
    for _ in range(1 + STEPS):
        simulation.step()
        course.append(float(np.ptp(simulation.positions[axis, 1]) / np.ptp(rest[axis, 1])))
    return course


def measure(engine):
    report = engine.compare(SCENE, list(METHODS.values()), [CLUSTERS, "solver.norm=mean"], steps=STEPS, free=True,
                            reach="newton")
    rows = [{"method": name, "largest": r["each_step"][-1]["max_error"], "rms": r["each_step"][-1]["rms_error"],
             "iterations": iterations(r),
             "heights": heights(engine, name)} for name, r in zip(METHODS, report["methods"])]
    step = int(np.argmin(rows[0]["heights"])) + 1
    with temporary_folder() as folder:
        settings = [CLUSTERS, f"solver.handles={HANDLES}"]
        runs = [("newton", "newton", []), ("subspace alone", "multilevel", alone("sms", HANDLES)),
                ("printed, with refinement", "multilevel", [*printed_settings(), *settings[1:]])]
        frames(engine, "frames", SCENE, folder, runs, step, "--view=30:5:1", "--fit", "frame", "--clip", "z:0.5")
    return rows


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {row["method"]: list(enumerate(row["heights"], 1)) for row in numbers}, x="step",
                y="height on the axis over its rest value")
    plots.whole_steps(ax)
    return figure


def tables(numbers):
    return [Table(f"{STEPS} steps, {HANDLES} handles", ["method", "largest compression on the axis", "rms error",
                                                        "largest", "iterations"],
                  [[row["method"], percent(1 - min(row["heights"])), error(row["rms"]), error(row["largest"]),
                    row["iterations"]]
                   for row in numbers])]


def verdict(numbers):
    squeezed = {row["method"]: 1 - min(row["heights"]) for row in numbers}
    whole, plain, refined = (squeezed[name] for name in ("newton", "subspace alone", "printed"))
    ours = (f"compression on the axis: newton {percent(whole)}, subspace alone {percent(plain)}, printed with "
            f"refinement {percent(refined)}")
    if plain < 0.9 * whole and abs(refined - whole) < 0.5 * abs(plain - whole):
        return Verdict("same", ours)
    if plain >= 0.9 * whole:
        return Verdict("differs", ours, "the subspace alone dents the ball as deeply as `newton` does; "
                       "refinement removes the difference")
    return Verdict("differs", ours, "refinement does not halve the difference")
