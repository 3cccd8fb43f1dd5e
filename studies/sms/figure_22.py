"""An anvil falls on a block of jello (`jello_anvil`), with the paper's 15, 47 and 118 handles. Each subspace follows
its own path. "Imprint" is the largest depth of the top of the block below its rest height, over the height of the
block. The table and the pictures show imprints at the step of `newton`'s largest one; errors are those of the last step."""

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, iterations, percent, short
from studies.frame.paper import Table, Verdict

from .keys import CLUSTERS, SUBSPACE, subspace_alone
from .pictures import alone, frames

SCENE = "jello_anvil"
COUNTS = (15, 47, 118)
STEPS = 8


def imprint(engine, solver, count):
    """Largest depth of the top of the block, the first `count` vertices, over its height."""
    simulation = engine.simulation(SCENE, solver)
    rest = np.array(simulation.positions)
    block = rest[:count]
    height = np.ptp(block[:, 1])
    top = np.flatnonzero(block[:, 1] > block[:, 1].max() - 1e-3 * height)
    depths = []
    for _ in range(STEPS):
        simulation.step()
        depths.append(float((rest[top, 1] - simulation.positions[top, 1]).max() / height))
    return depths


def measure(engine):
    vertices = engine.check(SCENE)[0]["bodies"][0]["vertices"]
    methods = ["newton", *(subspace_alone(handles=count) for count in COUNTS), "multilevel"]
    report = engine.compare(SCENE, methods, [CLUSTERS, "solver.norm=mean"], first=0, steps=STEPS, free=True)
    labels = ["newton", *(f"{count} handles" for count in COUNTS), "multilevel"]
    rows = []
    for label, count, r in zip(labels, (None, *COUNTS, None), report["methods"]):
        solver = {"method": label} if count is None else {
            "method": "multilevel", "handles": count, "multilevel": {"stiffness_exponent": 1,
                                                                     "printed": {**SUBSPACE, "affine": False}}}
        rows.append({"label": label, "handles": count, "rms": r["each_step"][-1]["rms_error"],
                     "largest": r["each_step"][-1]["max_error"],
                     "iterations": iterations(r), "imprint": imprint(engine, solver, vertices)})
    deepest = 1 + int(np.argmax(rows[0]["imprint"]))
    with temporary_folder() as folder:
        runs = [("newton", "newton", []), *((f"{count} handles", "multilevel", alone("sms", count))
                                            for count in COUNTS)]
        frames(engine, "frames", SCENE, folder, runs, deepest, "--view=35:35:1", "--hide", "anvil", "--fit", "block",
               size="260x200")
    return rows


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {row["label"]: list(enumerate(row["imprint"], 1)) for row in numbers}, x="step",
                y="imprint over the block's height")
    plots.whole_steps(ax)
    return figure


def deepest_imprint(numbers, row):
    """Imprint at the step of newton's largest one."""
    newton = numbers[0]["imprint"]
    return row["imprint"][newton.index(max(newton))]


def tables(numbers):
    return [Table(f"{STEPS} steps", ["subspace", "imprint", "rms error", "largest", "iterations"],
                  [[row["label"], percent(deepest_imprint(numbers, row)), error(row["rms"]), error(row["largest"]),
                    row["iterations"]] for row in numbers])]


def verdict(numbers):
    rows = [row for row in numbers if row["handles"]]
    newton = max(numbers[0]["imprint"])
    ours = "rms error " + ", ".join(f"{error(row['rms'])} ({row['handles']})"
                                    for row in rows) + "; imprint over newton's " + ", ".join(
        short(deepest_imprint(numbers, row) / newton) for row in rows)
    errors = [row["rms"] for row in rows]
    if errors == sorted(errors, reverse=True) and errors[-1] < 0.7 * errors[0]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the error does not fall by 30 % from 15 to 118 handles")
