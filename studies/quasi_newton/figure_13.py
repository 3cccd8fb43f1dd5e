"""Stiffnesses from different intervals of stretches on the twisting bar of figure 6, with m = 5."""

from studies.frame.numbers import error
from studies.frame.paper import Table, Verdict

from .bar import COUNTS, PRINTED, Bar, at, draw_both

INTERVALS = ((0.9, 1.1), (0.7, 1.3), (0.5, 1.5), (0.3, 1.7), (0.5, 2.5))


def measure(engine):
    bar = Bar(engine)
    engine.note("Simulation: one step of the twisting bar per number of iterations", program="Python")
    return {f"{low} to {high}": bar.quasi_newton(COUNTS, stretches=[low, high], **PRINTED) for low, high in INTERVALS}


def draw(numbers, plots):
    return draw_both(plots, numbers)


def tables(numbers):
    return [Table("Relative errors", ["stretches", "5", "10", "20", "40"],
                  [[name, *(error(max(0, at(curve, n))) for n in (5, 10, 20, 40))] for name, curve in numbers.items()])]


def verdict(numbers):
    errors = [at(curve, 20) for curve in numbers.values()]
    ours = f"errors after 20 iterations: {error(min(errors))} to {error(max(errors))}"
    # The iterations to an error of 1e-3 measure the rate better than one error does.
    needed = [next((row["iterations"] for row in curve if row["error"] < 1e-3), 80) for curve in numbers.values()]
    if max(needed) > 2 * min(needed):
        return Verdict("differs", ours, f"the iterations to an error of 1e-3 range from {min(needed)} to {max(needed)}")
    return Verdict("same", f"{ours}; {min(needed)} to {max(needed)} iterations to an error of 1e-3")
