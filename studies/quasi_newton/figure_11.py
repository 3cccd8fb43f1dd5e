"""Iterative solvers on the twisting bar of figure 6. Newton with 5 and 15 iterations of Jacobi-preconditioned CG runs
in sinew. Two variants are computed in numpy on the small bar, so their times are missing. One is CG that stops at
negative curvature (Gast and others 2015), the other has CG in place of the factor of the constant matrix."""

from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .bar import CELLS, COUNTS, PRINTED, Bar, at, draw_both, time_to
from .comparator import Secants, conjugate_gradients, effective_stiffness

FEW = (1, 2, 3, 4, 5, 7, 10)
TARGET = 1e-3


def in_numpy(bar, direction, counts):
    errors = bar.errors(bar.solid(), direction, max(counts))
    return [{"iterations": n, "error": errors[n]} for n in counts]


def measure(engine):
    bar = Bar(engine)
    engine.note("Simulation: one step of the twisting bar per number of iterations", program="Python")

    def pcg(most):
        return bar.newton(FEW, method="newton-pcg", linear_iterations=most, linear_preconditioner="jacobi")
    curves = {
        "Newton, factor": bar.newton((1, 2, 3, 4)), "Newton, CG 5": pcg(5), "Newton, CG 15": pcg(15),
        "quasi-Newton, factor": bar.quasi_newton(COUNTS, **PRINTED),
    }
    small = bar if bar.cells == CELLS["small"] else Bar(engine, CELLS["small"])
    solid = small.solid()
    constant = solid.constant_matrix(effective_stiffness(solid.material))

    def gast(x, g):
        return conjugate_gradients(solid.hessian(x, psd=False), -g, 15)
    return {"curves": curves, "numpy": {
        "Gast et al., CG 15": in_numpy(small, gast, FEW),
        "quasi-Newton, CG 15": in_numpy(small, Secants(lambda q: conjugate_gradients(constant, q, 15), 5), COUNTS),
        "quasi-Newton, factor": in_numpy(small, Secants(lambda q: conjugate_gradients(constant, q, 1000), 5), COUNTS),
    }}


def draw(numbers, plots):
    extra = {f"{name} (small)": rows for name, rows in numbers["numpy"].items() if name != "quasi-Newton, factor"}
    return draw_both(plots, {**numbers["curves"], **extra})


def tables(numbers):
    def row(name, curve):
        ms = time_to(curve, TARGET) if "ms" in curve[0] else None
        known = {r["iterations"]: error(max(0, r["error"])) for r in curve}
        return [name, *(known.get(n, "-") for n in (1, 2, 5, 10)), short(ms, 2)]
    heads = ["method", "1", "2", "5", "10", f"ms to {TARGET:g}"]
    return [Table("Relative errors in sinew", heads, [row(*pair) for pair in numbers["curves"].items()]),
            Table("Relative errors in numpy, small bar", heads, [row(*pair) for pair in numbers["numpy"].items()])]


def verdict(numbers):
    curves, small = numbers["curves"], numbers["numpy"]
    times = {name: time_to(curve, TARGET) for name, curve in curves.items()}
    ours = f"time to an error of {TARGET:g}: " + ", ".join(f"{name} {short(ms, 2)} ms" for name, ms in times.items())
    competitive = at(small["quasi-Newton, CG 15"], 20) < 3 * at(small["quasi-Newton, factor"], 20)
    fewer = at(curves["Newton, CG 5"], 5) > at(curves["Newton, CG 15"], 5) > at(curves["Newton, factor"], 4)
    if not (competitive and fewer):
        return Verdict("differs", ours, "the order of convergence per iteration is another one")
    quick = times["quasi-Newton, factor"]
    ahead = [name for name, ms in times.items() if name != "quasi-Newton, factor" and ms is not None and ms < quick]
    if ahead:
        last = curves["quasi-Newton, factor"][-1]
        ratio = curves["Newton, factor"][0]["ms"] / (last["ms"] / last["iterations"])
        return Verdict("differs", ours, f"faster than quasi-Newton: {', '.join(ahead)}. The order per iteration is "
                                        f"that of the paper, but a Newton iteration costs as much as {short(ratio, 2)} "
                                        "of quasi-Newton (about 100 in the paper)")
    return Verdict("same", ours)
