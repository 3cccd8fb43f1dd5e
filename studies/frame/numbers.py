"""How studies write numbers and tables."""

import math
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from runs import number, rounded, slope, table  # noqa: F401 (studies import them from here)


def local_slopes(points):
    """Log-log slopes from each point to the next; the first is not a number."""
    return [math.nan, *(slope(pair) for pair in zip(points, points[1:]))]


def short(value, digits=2):
    """`value` with so many significant digits; - for a missing one."""
    if value is None or isinstance(value, float) and math.isnan(value):
        return "-"
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}"


def error(value):
    return "0" if value == 0 else f"{value:.1e}".replace("e-0", "e-")


def percent(share, digits=1):
    return f"{100 * share:.{digits}f} %"


def iterations(result):
    """Newton iterations of a method of `sinew compare`; marked when a step did not converge."""
    mark = "" if result["steps_failed"] == 0 else f" ({result['steps_failed']} not converged)"
    return f"{result['newton_iterations']}{mark}"


def per_direction(result):
    """CG iterations over Newton iterations."""
    return short(result["linear_iterations"] / max(1, result["newton_iterations"]), 3)


def sum_of(rows, *path):
    """Sum over rows of `steps.jsonl` of the number below the keys `path`."""
    total = 0.0
    for row in rows:
        for key in path:
            row = row[key]
        total += row
    return total
