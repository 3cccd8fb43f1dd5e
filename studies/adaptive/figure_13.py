"""A mace on a city, as printed. From each state of that run, a step of `adaptive` and one of `newton`; the difference
is the distance of vertices between both, over the scene's diagonal. Vertices at the contact carry a contact force."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .keys import printed_solver, simulation

SCENE, FIRST, LAST = "mace_city", 2, 6


def measure(engine):
    sinew = engine.python()
    sim = simulation(engine, SCENE, printed_solver(SCENE))
    extent = sim.positions.max(axis=0) - sim.positions.min(axis=0)
    diagonal = float(numpy.linalg.norm(extent))
    rows = []
    for step in range(1, LAST + 1):
        if step < FIRST:
            sim.step()
            continue
        with temporary_folder() as folder:
            sim.save(f"{folder}/state.h5")
            full = sinew.Simulation.load(f"{folder}/state.h5")
        full.set_method("newton")
        full_row, row = full.step(), sim.step()
        difference = numpy.linalg.norm(sim.positions - full.positions, axis=1) / diagonal
        touching = numpy.linalg.norm(full.forces()["contact"], axis=1) > 0
        rest = ~touching
        rows.append({"step": step, "share": row["adaptive"]["share"], "converged": row["converged"]
                     and full_row["converged"],
                     "largest": float(difference.max()), "contact": float(difference[touching].mean()) if touching.any()
                     else None,
                     "rest": float(difference[rest].mean()), "median": float(numpy.median(difference)),
                     "contacts": int(touching.sum()), "largest_touches": bool(touching[difference.argmax()])})
    return {"rows": rows, "diagonal": diagonal}


def draw(numbers, plots):
    figure, ax = plots.axes()
    rows = numbers["rows"]
    plots.lines(ax, {label: [(row["step"], row[key]) for row in rows] for key, label in
                     (("largest", "largest"), ("contact", "mean at contacts"), ("rest", "mean elsewhere"))},
                x="step", y="difference over the diagonal", log="y")
    return figure


def tables(numbers):
    return [Table("Difference of one step", ["step", "enriched", "vertices in contact", "largest", "mean at contacts",
                                             "mean elsewhere"],
                  [[row["step"], f"{100 * row['share']:.1f} %", row["contacts"], error(row["largest"]),
                    "-" if row["contact"] is None else error(row["contact"]), error(row["rest"])]
                    for row in numbers["rows"]])]


def verdict(numbers):
    rows = [row for row in numbers["rows"] if row["contact"] is not None]
    ratios = [row["contact"] / row["rest"] for row in rows]
    largest = max(rows, key=lambda row: row["largest"])
    ours = (f"mean difference at contacts {short(min(ratios))} to {short(max(ratios))} times that elsewhere; largest "
            f"{error(largest['largest'])} of the diagonal")
    if numpy.median(ratios) > 2:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the difference is spread over the bodies")
