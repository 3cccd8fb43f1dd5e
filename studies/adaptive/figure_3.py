"""A bar of neo-Hookean material, clamped at one end, is stretched by half and released; one step of implicit Euler of
10 ms. The comparison is written in numpy with linear elements, as the paper's, and uses no engine: sinew has no stencil
descent. A sweep of stencil descent (Lan et al. 2023) takes, for each element, a Newton step of its two vertices with
all others at rest. A solve ends when the gradient has fallen by 1e-6."""

import time

import numpy

from studies.frame.numbers import short, slope
from studies.frame.paper import Table, Verdict

YOUNG, DENSITY, LENGTH, STEP = 1e6, 1e3, 1.0, 0.01  # Pa, kg/m^3, m, s; area 1 m^2
TOLERANCE = 1e-6
COUNTS = {"small": (10, 20, 40, 80), "medium": (10, 20, 40, 80, 160), "large": (10, 20, 40, 80, 160, 320)}
LIMIT = 200000  # sweeps


class Bar:
    """E(x) = sum m (x - y)^2 / 2 + h^2 sum l W(F), F = (x_1 - x_0) / l, W = E ((F^2 - 1) / 4 - ln(F) / 2)."""

    def __init__(self, count):
        self.rest = LENGTH / count
        self.mass = numpy.full(count + 1, DENSITY * self.rest)
        self.mass[[0, -1]] /= 2
        self.start = 1.5 * numpy.linspace(0, LENGTH, count + 1)
        self.predictor = self.start  # released from rest, without gravity

    def energy(self, x):
        F = numpy.diff(x) / self.rest
        if F.min() <= 0:
            return numpy.inf
        W = YOUNG * ((F * F - 1) / 4 - numpy.log(F) / 2)
        return 0.5 * numpy.sum(self.mass * (x - self.predictor)**2) + STEP**2 * self.rest * numpy.sum(W)

    def gradient(self, x):
        F = numpy.diff(x) / self.rest
        P = STEP**2 * YOUNG * (F - 1 / F) / 2
        g = self.mass * (x - self.predictor)
        g[:-1] -= P
        g[1:] += P
        g[0] = 0  # clamped
        return g

    def stiffness(self, x):
        F = numpy.diff(x) / self.rest
        return STEP**2 * YOUNG * (1 + 1 / F**2) / 2 / self.rest

    def newton(self, x):
        k = self.stiffness(x)
        H = numpy.diag(self.mass)
        H[:-1, :-1] += numpy.diag(k)
        H[1:, 1:] += numpy.diag(k)
        H -= numpy.diag(k, 1) + numpy.diag(k, -1)
        d = numpy.zeros_like(x)
        d[1:] = numpy.linalg.solve(H[1:, 1:], -self.gradient(x)[1:])
        alpha, E = 1.0, self.energy(x)
        while self.energy(x + alpha * d) > E and alpha > 1e-10:
            alpha /= 2
        return x + alpha * d

    def sweep(self, x):
        """Stencils i, i + 3, i + 6, ... share no stencil with a vertex of another one: they are solved at once."""
        count = len(x) - 1
        for colour in range(3):
            left = numpy.arange(colour, count, 3)
            right = left + 1
            g, k = self.gradient(x), numpy.concatenate([[0], self.stiffness(x), [0]])
            a = self.mass[left] + k[left] + k[right]
            c = self.mass[right] + k[right] + k[right + 1]
            b = -k[right]
            free = left > 0  # the first vertex is clamped
            det = numpy.where(free, a * c - b * b, c)
            dl = numpy.where(free, -(c * g[left] - b * g[right]) / det, 0)
            dr = numpy.where(free, -(a * g[right] - b * g[left]) / det, -g[right] / c)
            d = numpy.zeros_like(x)
            d[left], d[right] = dl, dr
            alpha = 1.0
            while numpy.diff(x + alpha * d).min() <= 0.1 * numpy.diff(x).min():
                alpha /= 2
            x = x + alpha * d
        return x


def solve(bar, advance):
    """The relative gradient after each iteration, and the seconds."""
    x = bar.start.copy()
    first = numpy.linalg.norm(bar.gradient(x))
    residuals, begun = [1.0], time.perf_counter()
    while residuals[-1] > TOLERANCE and len(residuals) <= LIMIT:
        x = advance(x)
        residuals.append(float(numpy.linalg.norm(bar.gradient(x)) / first))
    return residuals, time.perf_counter() - begun, x


def thinned(values, most=60):
    """[(index, value)] at indices that are even on a logarithmic axis."""
    places = sorted({int(round(place)) for place in numpy.geomspace(1, len(values) - 1, most)} | {0})
    return [(place, values[place]) for place in places]


def measure(engine):
    rows = []
    for count in COUNTS.get(engine.size, COUNTS["small"]):
        bar = Bar(count)
        descent, descent_seconds, by_descent = solve(bar, bar.sweep)
        newton, newton_seconds, by_newton = solve(bar, bar.newton)
        rows.append({"elements": count, "descent": len(descent) - 1, "descent_seconds": descent_seconds,
                     "newton": len(newton) - 1, "newton_seconds": newton_seconds,
                     "difference": float(abs(by_descent - by_newton).max()),
                     "descent_residuals": thinned(descent), "newton_residuals": thinned(newton)})
    return {"rows": rows}


def draw(numbers, plots):
    figure, ax = plots.axes(width=6.4)
    series = {}
    for row in numbers["rows"]:
        series[f"descent, {row['elements']} elements"] = [point for point in row["descent_residuals"] if point[0] > 0]
    series[f"Newton, {numbers['rows'][-1]['elements']} elements"] = [
        point for point in numbers["rows"][-1]["newton_residuals"] if point[0] > 0]
    plots.lines(ax, series, x="iterations", y="gradient over its start", log="xy")
    ax.set_ylim(TOLERANCE / 3, 3)
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def tables(numbers):
    return [Table("Iterations to 1e-6", ["elements", "stencil descent", "seconds", "Newton", "seconds",
                                         "difference [m]"],
                  [[row["elements"], row["descent"], short(row["descent_seconds"]), row["newton"],
                    short(row["newton_seconds"]),
                    f"{row['difference']:.0e}"] for row in numbers["rows"]])]


def verdict(numbers):
    rows = numbers["rows"]
    power = slope([(row["elements"], row["descent"]) for row in rows])
    growth = rows[-1]["newton"] / rows[0]["newton"]
    ours = (f"{rows[0]['elements']} to {rows[-1]['elements']} elements: stencil descent {rows[0]['descent']} to "
            f"{rows[-1]['descent']} iterations (~ n^{power:.1f}), Newton {rows[0]['newton']} to {rows[-1]['newton']}")
    if power > 0.5 and growth < 2:
        return Verdict("same", ours)
    return Verdict("differs", ours,
                   "the iterations of stencil descent do not grow faster than those of Newton's method")
