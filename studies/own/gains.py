"""This study compares each default with the form that a paper prints. Each row changes one setting. Time is that of the steps with this
change over that of the steps by default, geometric mean over scenes; above 1 the default is faster. Errors are the largest
distances from `newton` over the diagonal, of all scenes. Each step begins where `newton` ended the one before."""

import math

from studies.frame.engine import variant
from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

STEPS = 3
FIRST_GUESSES = ("Hessian at rest", "warped Hessian at rest", "Hessian of the step", "scaled identity")
# method: scenes, settings of all rows, and rows (option, changed keys of solver).
METHODS = {
    "multilevel": (("stressball", "shoe", "sphere_on_spike"), {}, {
        "clusters by stiffness": {"multilevel__stiffness_exponent": 1},
        "distances by heat diffusion": {"multilevel__partition": "heat"},
        "no pruning": {"multilevel__prune_ratio": "off"},
        "the printed method": {"multilevel__paper": "true"},
    }),
    "adaptive": (("jello_soft", "cube_on_spike", "mace_city"), {}, {
        "thresholds of 0.5": {"adaptive__vertex_error": 0.5, "adaptive__mode_error": 0.5},
        "the oracle alone ends a step": {"adaptive__acceptance": "oracle"},
        "blocks of 3 x 3 as preconditioner": {"adaptive__preconditioner": "block_jacobi"},
        "exact Hessians of whole regions": {"adaptive__exact": "regions"},
        "secants that are never renewed": {"adaptive__trust": 1e12},
        "no secants": {"adaptive__trust": 0},
        "no downdating": {"adaptive__drop_rate": 0},
        "the printed method": {"adaptive__paper": "true"},
    }),
    "quasi_newton": (("pendulum", "candy_twist", "creature"), {"iterations": 0}, {
        "Hessian at rest": {"quasi_newton__initial": "rest"},
        "warped Hessian at rest": {"quasi_newton__initial": "warped"},
        "Hessian of the step": {"quasi_newton__initial": "step"},
        "scaled identity": {"quasi_newton__initial": "identity"},
        "no history": {"quasi_newton__history": 0},
        "Chebyshev's method": {"quasi_newton__acceleration": "chebyshev"},
        "parts do not turn": {"quasi_newton__rotations": "false"},
    }),
}


def row_of(found):
    return {"seconds": found["seconds"], "iterations": found["newton_iterations"], "error": found["max_error"],
            "failed": found["steps_failed"]}


def measure(engine):
    numbers = {}
    for method, (scenes, common, rows) in METHODS.items():
        variants = [variant(method, **common), *(variant(method, **{**common, **keys}) for keys in rows.values())]
        found = {name: [] for name in rows}
        for scene in scenes:
            plain, *changed = engine.compare(scene, ["newton", *variants], steps=STEPS, reach="newton")["methods"][1:]
            for name, other in zip(rows, changed):
                found[name].append({"scene": scene, "default": row_of(plain), "changed": row_of(other)})
        numbers[method] = found
    return numbers


def ratio(cases, key):
    logs = [math.log(max(case["changed"][key], 1e-9) / max(case["default"][key], 1e-9)) for case in cases]
    return math.exp(sum(logs) / len(logs))


def tables(numbers):
    result = []
    for method, found in numbers.items():
        rows = []
        for name, cases in found.items():
            failed = sum(case["changed"]["failed"] for case in cases)
            rows.append([name, short(ratio(cases, "seconds")), short(ratio(cases, "iterations")),
                         error(max(case["default"]["error"] for case in cases)),
                         error(max(case["changed"]["error"] for case in cases)), failed or "-"])
        result.append(Table(f"`{method}`: " + ", ".join(f"`{scene}`" for scene in METHODS[method][0]),
                            ["printed form", "time", "iterations", "error by default", "error as printed",
                             "steps not converged"], rows))
    return result


def verdict(numbers):
    every = [(f"{method}, {name}", ratio(cases, "seconds")) for method, found in numbers.items()
             for name, cases in found.items()]
    slower = [text for text, value in every if value < 0.9]
    ours = f"{sum(value > 1.1 for _, value in every)} of {len(every)} printed forms take longer than the default"
    return Verdict("shown", ours + (f"; shorter: {', '.join(slower)}" if slower else ""))
