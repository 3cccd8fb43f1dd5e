"""A foam roller with a driven core moves over soft ground with a fixed base (`roller`). Each method follows its own
path from `compare.from` on. The base of the ground must not move."""

import pathlib

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, iterations
from studies.frame.paper import Table, Verdict

from .keys import as_printed
from .pictures import join

SCENE = "roller"
STEPS = 10
NAMES = ("newton", "printed", "multilevel")
SOLVERS = {"newton": {"method": "newton"},
           "printed": {"method": "multilevel", "cubature": "modal", "multilevel": {"stiffness_exponent": 1,
                                                                                   "printed": {"affine": True}}},
           "multilevel": {"method": "multilevel"}}


def prescribed(engine):
    """Largest motion of the fixed base of the ground in three steps, over the diagonal."""
    positions = {}
    for name, solver in SOLVERS.items():
        simulation = engine.simulation(SCENE, solver)
        rest = np.array(simulation.positions)
        for _ in range(3):
            simulation.step()
        positions[name] = np.array(simulation.positions)
    base = rest[:, 1] < -0.0599
    diagonal = np.linalg.norm(np.ptp(rest, axis=0))
    return {name: float(np.linalg.norm(x[base] - rest[base], axis=1).max() / diagonal) for name, x in positions.items()}


def measure(engine):
    report = engine.compare(SCENE, ["newton", as_printed(), "multilevel"], ["solver.norm=mean"], steps=STEPS,
                            free=True, reach="newton")
    base = prescribed(engine)
    rows = [{"method": name, "rms": r["each_step"][-1]["rms_error"], "largest": r["each_step"][-1]["max_error"],
             "text": iterations(r),
             "course": [step["max_error"] for step in r["each_step"]], "base": base[name]} for name,
            r in zip(NAMES, report["methods"])]
    with temporary_folder() as folder:
        path = pathlib.Path(folder) / "roller"
        engine.keep_run(SCENE, "multilevel", path, steps=60, formats=("html",))
        for step in (25, 60):
            engine.picture(path, f"step{step}", "--step", str(step), "--color", "material", "--no-legend",
                           "--view=20:20:1", size="360x240")
        join(engine, "frames", ["step25", "step60"], ["step 25", "step 60"])
    return rows


def tables(numbers):
    return [Table(f"{STEPS} steps from `compare.from`", ["method", "iterations", "rms error", "largest",
                                                         "motion of the fixed base"],
                  [[row["method"], row["text"], error(row["rms"]), error(row["largest"]), error(row["base"])]
                   for row in numbers])]


def verdict(numbers):
    rows = {row["method"]: row for row in numbers}
    ours = (f"after {STEPS} steps: largest error printed {error(rows['printed']['largest'])}, multilevel "
            f"{error(rows['multilevel']['largest'])}; "
            f"the fixed base moves by {error(max(row['base'] for row in numbers))}")
    if max(row["base"] for row in numbers) < 1e-12 and rows["printed"]["largest"] < 0.02:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the printed method differs from newton by more than 2 %, or fixed vertices move")
