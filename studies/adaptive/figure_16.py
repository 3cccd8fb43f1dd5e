"""A rubber hand on spikes of 1e4 to 1e12 Pa. `newton` computes one state in contact with spikes of 1e4 Pa. From its
positions and velocities, `newton` and `newton-pcg` take one iteration with other stiffnesses, and `adaptive`, as
printed, takes a step: its numbers are means over the iterations. CG ends at a relative residual of 1e-5 or after 10,000
iterations. The Schur complement of `adaptive` has a factor of the enriched block as preconditioner, in place of 3 x 3
blocks."""

from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from .keys import printed_solver, simulation

SCENE = "hand_on_spikes"
YOUNG = (1e4, 1e6, 1e8, 1e10, 1e12)
STEPS = 5
ONE = {"tolerance": 1e9}  # ends a step after its first iteration
METHODS = {
    "newton": {"method": "newton", **ONE},
    "newton-pcg": {"method": "newton-pcg", "linear_tolerance": 1e-5, **ONE},
    "adaptive": printed_solver(SCENE),
    "adaptive, vertex_error 0.1": printed_solver(SCENE, adaptive__vertex_error=0.1),
}


def measure(engine):
    base = simulation(engine, SCENE, {"method": "newton"})
    for _ in range(STEPS):
        base.step()
    x, v = base.positions, base.velocities
    numbers = {}
    for name, solver in METHODS.items():
        for young in YOUNG:
            def change(text):
                text["materials"]["spikes"]["young"] = young
            sim = simulation(engine, SCENE, solver, change)
            sim.positions, sim.velocities = x, v
            row = sim.step()
            solves = max(1, row["newton_iterations"])
            numbers.setdefault(name, []).append({"young": young, "seconds": row["seconds"]["linear_solve"] / solves,
                                                 "cg": row["linear_iterations"] / solves,
                                                 "iterations": row["newton_iterations"],
                                                 "share": row["adaptive"]["share"] if "adaptive" in row else None})
    return numbers


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    plots.lines(left, {name: [(row["young"], 1e3 * row["seconds"]) for row in rows] for name, rows in numbers.items()},
                x="Young's modulus of the spikes [Pa]", y="linear solve [ms]", log="xy")
    plots.lines(right, {name: [(row["young"], row["cg"]) for row in rows] for name, rows in numbers.items()
                        if name != "newton"},
                x="Young's modulus of the spikes [Pa]", y="CG of a solve", log="xy")
    return figure


def tables(numbers):
    return [Table("One linear solve: ms, and CG", ["Young's modulus [Pa]", *numbers],
                  [[f"{young:.0e}".replace("e+0", "e").replace("e+", "e"),
                    *(short(1e3 * rows[k]["seconds"], 3) + ("" if name == "newton" else f", {rows[k]['cg']:.0f}")
                      for name, rows in numbers.items())] for k, young in enumerate(YOUNG)])]


def verdict(numbers):
    newton, pcg, adaptive = (numbers[name] for name in ("newton", "newton-pcg", "adaptive"))
    spread = max(row["seconds"] for row in newton) / min(row["seconds"] for row in newton)
    growth = pcg[-1]["cg"] / pcg[0]["cg"]
    most = max(row["cg"] for row in adaptive)
    ours = (f"`newton` varies by {short(spread)}; CG of `newton-pcg` {pcg[0]['cg']:.0f} to {pcg[-1]['cg']:.0f} (x "
            f"{short(growth)}); `adaptive` at most {most:.0f} CG")
    if growth > 5 and most < 0.2 * pcg[-1]["cg"]:
        return Verdict("same", ours)
    if most < 0.2 * pcg[-1]["cg"]:
        return Verdict("better", ours + "; CG grows less than in the paper and stays below 10,000")
    return Verdict("differs", ours, "`adaptive` needs as many CG as `newton-pcg`")
