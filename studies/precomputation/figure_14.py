"""The alligator swings sideways under a fifth of its weight. The plot shows the vertex that moves most. "Modal derivatives" are 30
modes of linear modes and derivatives, by principal components, with all tets. "Fast precomputation" is the paper's: inertia
modes, derivatives, random combinations, modal cubature and differences of forces. Seconds are those of the modes."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import NO_CACHE, SCENES, held, timed_modes

STEPS, COUNT = 60, 30
CASES = (("modal derivatives", ("derivatives",), "all"),
         ("fast precomputation", ("inertia_derivatives", "--reduce", "random"), {"rule": "modal_forces", "jacobian": "free"}),
         ("fast, weights of energies", ("inertia_derivatives",), "energies"))


def moves(simulation):
    positions, failed = [numpy.array(simulation.positions)], 0
    for _ in range(STEPS):
        failed += not simulation.step()["converged"]
        positions.append(numpy.array(simulation.positions))
    return numpy.array(positions), failed


def measure(engine):
    module = engine.python()
    scene = held(engine, "gator")
    scene["gravity"] = [0, 0, 2]
    exact, _ = moves(module.Simulation({**scene, "solver": {"method": "newton"}}))
    moved = numpy.linalg.norm(exact - exact[0], axis=2)
    tip = int(moved.max(0).argmax())
    rows = [{"name": "newton", "path": moved[:, tip], "error": 0.0, "seconds": None, "failed": 0}]
    with temporary_folder() as folder:
        for name, (kind, *more), rule in CASES:
            file = f"{folder}/modes.npz"
            found = timed_modes(engine, SCENES / "gator.json", "--kind", kind, "--count", COUNT, *more,
                                settings=[f"size={engine.size}", "solver.multilevel.cache=false"], output=file)
            solver = {"method": "reduced", "subspace": file, "cubature": rule, **NO_CACHE}
            x, failed = moves(module.Simulation({**scene, "solver": solver}))
            rows.append({"name": name, "path": numpy.linalg.norm(x - x[0], axis=2)[:, tip], "seconds": found["seconds"], "failed": failed,
                         "error": numpy.linalg.norm(x - exact, axis=2).max() / moved.max()})
    return {"step": scene["time"]["step"], "rows": rows}


def draw(numbers, plots):
    figure, ax = plots.axes(width=5.0)
    plots.lines(ax, {row["name"]: [(numbers["step"] * k, d) for k, d in enumerate(row["path"])] for row in numbers["rows"]},
                x="time [s]", y="displacement [m]")
    return figure


def tables(numbers):
    return [Table("30 modes", ["subspace", "modes [s]", "largest displacement [m]", "error over the largest motion"],
                  [[row["name"], short(row["seconds"]), short(max(row["path"])), percent(row["error"])] for row in numbers["rows"]])]


def verdict(numbers):
    exact, classic, fast, energies = numbers["rows"]
    gap = max(abs(a - b) for a, b in zip(classic["path"], fast["path"])) / max(classic["path"])
    gain = classic["seconds"] / fast["seconds"]
    ours = (f"the two paths differ by {percent(gap)} of the largest displacement at most. From `newton`, modal "
            f"derivatives are {percent(classic['error'])} off, the fast precomputation {percent(fast['error'])}, with "
            f"weights of energies {percent(energies['error'])}. Modes are made {gain:.2g} times as fast")
    if gap < 0.1 and gain > 10:
        return Verdict("same", ours)
    reasons = [text for text, wrong in (("modal cubature shifts the motion", gap >= 0.1),
                                        ("derivatives take most of the time of both, and Lanczos iteration "
                                         "little", gain <= 10)) if wrong]
    return Verdict("differs", ours, "; ".join(reasons))
