"""The hand, held at its wrist, swings under its weight in 20 inertia derivatives, with points and weights of four trainings.
The error is the largest distance from the run with all tets, over the largest motion."""

import numpy

from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import built, held, written

STEPS, COUNT = 80, 20
CASES = {"all tets": "all",
         "optimised, 1000 poses": {"rule": "optimized", "poses": 1000, "points": 110},
         "modal, 1000 poses": {"rule": "modal_forces", "poses": 1000},
         "modal, incremental": {"rule": "modal_forces"},
         "modal, 5000 poses": {"rule": "modal_forces", "poses": 5000}}


def measure(engine):
    rows, exact = [], None
    for name, rule in CASES.items():
        scene = held(engine, "hand", handles=COUNT, cubature=rule)
        engine.note("run", written(engine, scene, name.replace(" ", "_").replace(",", "")), "--steps", STEPS, "-o", "out/hand")
        simulation, seconds = built(engine, scene)
        positions, failed = [numpy.array(simulation.positions)], 0
        for _ in range(STEPS):
            failed += not simulation.step()["converged"]
            positions.append(numpy.array(simulation.positions))
        x = numpy.array(positions)
        exact = x if exact is None else exact
        moved = numpy.linalg.norm(exact - exact[0], axis=2)
        tip = int(moved.max(0).argmax())
        part = simulation.subspace["substructures"][0]
        rows.append({"name": name, "points": len(simulation.subspace["tets"]), "poses": part["poses"].shape[1] if rule != "all" else None,
                     "seconds": seconds, "failed": failed, "path": numpy.linalg.norm(x - x[0], axis=2)[:, tip],
                     "error": numpy.linalg.norm(x - exact, axis=2).max() / moved.max()})
    return {"step": scene["time"]["step"], "rows": rows}


def draw(numbers, plots):
    figure, ax = plots.axes(width=5.0)
    plots.lines(ax, {row["name"]: [(numbers["step"] * k, d) for k, d in enumerate(row["path"])] for row in numbers["rows"]},
                x="time [s]", y="displacement of a finger [m]")
    return figure


def tables(numbers):
    return [Table("Trainings", ["training", "points", "poses", "preparation [s]", "error"],
                  [[row["name"], row["points"], row["poses"] or "-", short(row["seconds"]), percent(row["error"])]
                   for row in numbers["rows"]])]


def verdict(numbers):
    _, optimised, modal, incremental, many = numbers["rows"]
    ours = (f"errors {percent(optimised['error'])} (optimised), {percent(modal['error'])} (modal, 1000 poses), "
            f"{percent(incremental['error'])} ({incremental['poses']} incremental), {percent(many['error'])} (5000); "
            f"preparing takes {short(optimised['seconds'])}, {short(modal['seconds'])}, "
            f"{short(incremental['seconds'])} and {short(many['seconds'])} s")
    # "Similar quality": no distance that an eye would see, a tenth of the motion.
    if max(row["error"] for row in numbers["rows"]) < 0.1:
        return Verdict("same", ours)
    return Verdict("differs", ours, "forces of modal cubature have no energy, so their error adds up over the swing"
                   if max(modal["error"], incremental["error"], many["error"]) >= 0.1 else "optimised cubature has too few points")
