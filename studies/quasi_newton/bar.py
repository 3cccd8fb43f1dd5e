"""One time step of the twisting bar of figures 6, 7 and 11 to 13, by any method and any number of iterations.

The energy of an implicit Euler step depends on x_t only through y = x_t + h v_t + h^2 M^-1 f_ext. A simulation that
is placed at y at rest, without gravity, therefore has the same minimum, and every method starts at x_0 = y as in the
paper. The energy over h^2 is then the kinetic plus the elastic energy of the row."""

import math
import tempfile
import time

from .comparator import Solid, descend, write_box

STEP = 1 / 30
CELLS = {"small": [20, 4, 4], "medium": [36, 8, 8], "large": [60, 12, 12]}
SIZE = [1, 0.2, 0.2]
MATERIAL = {"model": "neo_hookean", "young": 2e4, "poisson": 0.4}
TWIST_STEPS, TURN = 30, 12.0  # steps of twisting, and degrees per step of each end
TURNS = {"times": [0, TWIST_STEPS * STEP]}


# Iterations of the curves.
COUNTS = (1, 2, 3, 5, 7, 10, 14, 20, 28, 40)
PRINTED = {"rotations": False}  # the constant matrix of the paper
FLOOR = 1e-13  # relative errors below are rounding


def at(rows, iterations):
    """The error after so many iterations."""
    return next(row["error"] for row in rows if row["iterations"] == iterations)


def error_at_time(rows, ms):
    """The error of the last iterate that is known after so many milliseconds; 1 before the first."""
    return min((row["error"] for row in rows if row["ms"] <= ms), default=1.0)


def time_to(rows, error):
    """Milliseconds to an error; None if it is not reached."""
    return next((row["ms"] for row in rows if row["error"] <= error), None)


def monotone(rows):
    """Fewer iterations never take longer than more: this removes disturbances of single measurements."""
    if "ms" not in rows[0]:
        return rows
    return [{**row, "ms": min(later["ms"] for later in rows[i:])} for i, row in enumerate(rows)]


def draw_both(plots, series):
    """Relative error over time and over iterations, as in the paper. Variants from numpy have no times."""
    figure, (left, right) = plots.axes(2)
    start = [(0, 1.0)]
    series = {label: monotone(rows) for label, rows in series.items()}
    timed = {label: start + [(row["ms"], max(row["error"], FLOOR)) for row in rows] for label, rows in series.items()
             if "ms" in rows[0]}
    counted = {label: start + [(row["iterations"], max(row["error"], FLOOR)) for row in rows]
               for label, rows in series.items()}
    colours = {label: plots.COLOURS[i % len(plots.COLOURS)] for i, label in enumerate(series)}
    for ax, lines, x in ((left, timed, "time [ms]"), (right, counted, "iteration")):
        for i, (label, points) in enumerate(lines.items()):
            ax.plot(*zip(*points), color=colours[label], marker=plots.MARKERS[i % len(plots.MARKERS)], markersize=3.5,
                    linewidth=1.3, label=label)
        ax.set_yscale("log")
        ax.set_xlabel(x)
        ax.set_ylabel("relative error")
    fastest = sorted(points[-1][0] for points in timed.values())
    left.set_xlim(0, 1.1 * fastest[len(fastest) // 2])
    right.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def scene(mesh, solver, twisting=False):
    fixes = []
    for sign in (-1, 1):
        fix = {"halfspace": {"point": [0.5 * sign, 0, 0], "normal": [sign, 0, 0]}}
        if twisting:
            fix["motion"] = {"rotate": {"axis": "x", **TURNS, "degrees": [0, sign * TURN * TWIST_STEPS]}}
            fixes.append(fix)
    return {
        "gravity": [0, 0, 0], "time": {"step": STEP, "substeps": 0, "max_travel": 0},
        "materials": {"rubber": MATERIAL}, "contact": {"enabled": False},
        "bodies": [{"mesh": str(mesh), "fix": fixes}],
        "solver": solver,
    }


class Bar:
    """The bar in the step after TWIST_STEPS steps of twisting, whose ends are then held."""

    def __init__(self, engine, cells=None):
        self.cells = cells or CELLS.get(engine.size, CELLS["small"])
        self.sinew = engine.python()
        self.folder = tempfile.TemporaryDirectory()
        self.mesh, rest, self.tets = write_box(self.sinew, self.folder.name, SIZE, self.cells)
        before = self.sinew.Simulation(scene(self.mesh, {"method": "newton"}, twisting=True))
        for _ in range(TWIST_STEPS):
            before.step()
        self.rest = rest
        self.ends = [int(i) for i in range(len(rest)) if abs(rest[i, 0]) > 0.5 - 1e-9]
        self.start = before.positions.copy()
        velocities = before.velocities.copy()
        velocities[self.ends] = 0
        self.start += STEP * velocities
        reference = self.simulation({"method": "newton", "tolerance": 1e-9})
        self.place(reference)
        self.start_value = sum(reference.energies()[key] for key in ("kinetic", "elastic"))
        row = reference.step()
        if not row["converged"]:
            raise RuntimeError("the reference step did not converge")
        self.least = self.value(row)
        self.solution = reference.positions

    def simulation(self, solver):
        sim = self.sinew.Simulation(scene(self.mesh, {"tolerance": 1e-12, **solver}))
        sim.positions = self.start
        sim.fix(self.ends)
        return sim

    def place(self, sim):
        sim.positions = self.start
        sim.velocities = 0 * self.start

    @staticmethod
    def value(row):
        return row["energies"]["kinetic"] + row["energies"]["elastic"]

    def error(self, value):
        """Equation 11."""
        return (value - self.least) / (self.start_value - self.least)

    def take(self, sim, repeats=4):
        """Error and shortest time of a step; what a first step prepares does not count. The time is that of the clock
        or, if other programs disturb, the CPU time of all threads."""
        seconds = math.inf
        for repeat in range(repeats + 1):
            self.place(sim)
            before = time.process_time()
            row = sim.step()
            if repeat:
                seconds = min(seconds, row["seconds"]["total"], time.process_time() - before)
        return {"error": self.error(self.value(row)), "ms": 1e3 * seconds, "search": row["line_search_steps"]}

    def quasi_newton(self, counts, repeats=4, **settings):
        """Errors and times after each number of iterations."""
        sim = self.simulation({"method": "quasi_newton", "quasi_newton": settings})
        rows = []
        for count in counts:
            sim.set_iterations(count)
            rows.append({"iterations": count, **self.take(sim, repeats)})
        return monotone(rows)

    def newton(self, counts, repeats=4, **solver):
        rows = []
        for count in counts:
            sim = self.simulation({"method": "newton", **solver, "max_iterations": count})
            rows.append({"iterations": count, **self.take(sim, repeats)})
        return monotone(rows)

    def solid(self):
        """The same step in numpy."""
        material = self.sinew.Material(MATERIAL["model"], young=MATERIAL["young"], poisson=MATERIAL["poisson"])
        return Solid(self.rest, self.tets, material, STEP, self.ends)

    def errors(self, solid, direction, iterations):
        """Errors after 0, 1, 2, ... iterations in numpy."""
        return [self.error(value) for value in descend(solid, self.start, direction, iterations)[1]]
