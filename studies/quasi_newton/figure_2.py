"""The polynomial head of figure 1 with and without line search, ten iterations a frame. The foot swings by 0.3 m five
times a second. In slower motions the runs without line search stay stable too."""

from studies.frame.numbers import percent
from studies.frame.paper import Table, Verdict

from .figure_1 import MATERIALS, most
from .head import VIOLENT, run


def measure(engine):
    sinew = engine.python()
    engine.note("Simulation: the head with and without line search", program="Python")
    settings = {"with line search": {}, "without": {"line_search": False}, "without, m = 0": {"line_search": False,
                                                                                              "history": 0}}
    return {name: run(sinew, engine.size, MATERIALS["polynomial"], VIOLENT, {"quasi_newton": values})
            for name, values in settings.items()}


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {name: [((i + 1) / 30, 100 * row["distortion"]) for i, row in enumerate(rows)]
                     for name, rows in numbers.items()}, x="time [s]", y="distortion / height [%]", log="y")
    return figure


def trials(rows):
    return sum(row["search"] for row in rows) / max(1, sum(row["iterations"] for row in rows))


def tables(numbers):
    return [Table("Runs", ["run", "frames", "line-search steps per iteration", "largest distortion / height"],
                  [[name, len(rows), f"{trials(rows):.2f}", percent(most(rows, "distortion"))] for name,
                   rows in numbers.items()])]


def verdict(numbers):
    safe, free, plain = numbers.values()
    ours = (f"{trials(safe):.2f} line-search steps per iteration; largest distortion "
            f"{percent(most(safe, 'distortion'))} of the "
            f"height with, {percent(most(free, 'distortion'))} without line search, "
            f"{percent(most(plain, 'distortion'))} without "
            "line search and L-BFGS")
    unstable = [rows for rows in (free, plain) if most(rows, "distortion") > 3 * most(safe, "distortion")]
    if trials(safe) > 1.5:
        return Verdict("differs", ours, "the line search takes more steps than in the paper")
    if not unstable:
        return Verdict("differs", ours, "this motion stays stable without line search")
    return Verdict("same", ours)
