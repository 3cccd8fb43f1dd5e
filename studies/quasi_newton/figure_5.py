"""A ball between two plates that squeeze and then stretch it by 35 % of its diameter. Material A is neo-Hookean with a
steeper curve below a stretch of one, B with a steeper curve above. Ten iterations a frame."""

import numpy as np

from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

from .sims import time

MU, LAMBDA, RADIUS, DEPTH = 2e4, 8e4, 0.1, 0.07
KNOTS_A = [0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3]
KNOTS_C = [0.2, 0.3, 0.45, 0.65, 0.85, 1, 1.2, 1.5, 2, 3]


def curves(extra):
    """Curves of a neo-Hookean material (a' = mu s, c' = (lambda ln J - mu) / J) plus `extra` on a'."""
    return {"model": "spline", "a": {"x": KNOTS_A, "dy": [MU * s + extra(s) for s in KNOTS_A]},
            "c": {"x": KNOTS_C, "dy": [(LAMBDA * float(np.log(j)) - MU) / j for j in KNOTS_C]}, "rest": "mend"}


MATERIALS = {
    "neo-Hookean": {"model": "neo_hookean", "mu": MU, "lambda": LAMBDA},
    "A": curves(lambda s: -20 * MU * max(0.0, 1 - s)**2),
    "B": curves(lambda s: 20 * MU * max(0.0, s - 1)**2),
}


def squeeze(sinew, edge, material, sign):
    ends = [{"halfspace": {"point": [0, 0.8 * RADIUS * side, 0], "normal": [0, side, 0]},
             "motion": {"translate": {"times": [0, 0.5], "values": [[0, 0, 0], [0, -sign * side * DEPTH / 2, 0]]}}}
            for side in (-1, 1)]
    sim = sinew.Simulation({
        "gravity": [0, 0, 0], "time": time(), "contact": {"enabled": False},
        "bodies": [{"mesh": {"sphere": {"radius": RADIUS, "size": edge}}, "material": material, "fix": ends}],
        "solver": {"method": "quasi_newton", "iterations": 10}})
    top = sim.positions[:, 1] > 0.8 * RADIUS
    for _ in range(30):
        row = sim.step()
    return {"force": -float(sim.forces()["elastic"][top, 1].sum()) * sign, "jacobian": row["min_jacobian"],
            "width": float(np.ptp(sim.positions[:, 0])) / (2 * RADIUS)}


def measure(engine):
    sinew = engine.python()
    edge = {"small": 0.03, "medium": 0.013}.get(engine.size, 0.03)
    engine.note("Simulation: balls of three materials, squeezed and stretched", program="Python")
    stretches = np.linspace(0.4, 1.8, 57)
    F = np.zeros((len(stretches), 3, 3))
    F[:, 0, 0], F[:, 1, 1], F[:, 2, 2] = stretches, 1, 1
    numbers = {}
    for name, material in MATERIALS.items():
        keys = {("lambda_" if key == "lambda" else key): value for key, value in material.items() if key != "model"}
        stress = sinew.Material(material["model"], **keys).stress(F)[:, 0, 0]
        numbers[name] = {"stress": list(zip(stretches.tolist(), stress.tolist())),
                         "squeezed": squeeze(sinew, edge, material, 1), "stretched": squeeze(sinew, edge, material, -1)}
    return numbers


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {name: [(s, value / 1e3) for s, value in runs["stress"]] for name, runs in numbers.items()},
                x="stretch along one axis", y="nominal stress [kPa]")
    ax.set_ylim(-150, 200)
    return figure


def tables(numbers):
    return [Table("Force between the plates", ["material", "squeezed [N]", "stretched [N]", "width squeezed / rest"],
                  [[name, short(abs(runs["squeezed"]["force"]), 3), short(abs(runs["stretched"]["force"]), 3),
                    short(runs["squeezed"]["width"], 3)] for name, runs in numbers.items()])]


def verdict(numbers):
    force = {name: (abs(runs["squeezed"]["force"]), abs(runs["stretched"]["force"])) for name, runs in numbers.items()}
    plain = force["neo-Hookean"]
    ratios = {name: (force[name][0] / plain[0], force[name][1] / plain[1]) for name in ("A", "B")}
    ours = "; ".join(f"{name}: force {a:.2f} times that of neo-Hookean squeezed, {b:.2f} times stretched"
                     for name, (a, b) in ratios.items())
    if ratios["A"][0] > 1.2 * ratios["A"][1] and ratios["B"][1] > 1.2 * ratios["B"][0]:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the curves do not separate compression and tension in this ball")
