"""One step of 0.03 s of the homogeneous octobot (1e5 Pa) from rest, with few to many handles and cubature points. The
gradient of the full-space energy at the end is zero for an exact step; it is given as an acceleration, mean over the
body. The time of an iteration is the median over six steps on one thread."""

from studies.frame.engine import temporary_folder
from studies.frame.numbers import short
from studies.frame.paper import Table, Verdict

HANDLES = (2, 4, 8, 16, 24)
POINTS = (25, 50, 100, 200, 400, 800)


def measure(engine):
    engine.threads = ["--threads", 1]
    rows = []
    for handles in HANDLES:
        for points in POINTS:
            settings = ["materials.core.young=1e5", "materials.silicone.young=1e5", "time.step=0.03", "output.checkpoint=0",
                        f"solver.handles={handles}", f'solver.cubature={{"rule":"stiffness","points":{points}}}',
                        "solver.error_every=0", "solver.tolerance=1e-6"]
            with temporary_folder() as folder:
                found, _ = engine.keep_run("octobot", "mixed", f"{folder}/octobot", settings, steps=6)
            times = sorted((row["seconds"]["steps"] - row["seconds"]["output"]) / row["newton_iterations"] for row in found)
            rows.append([handles, points, found[0]["full_gradient"]["whole"], times[len(times) // 2], found[0]["converged"]])
    return {"rows": rows}


def grid(numbers, place):
    return [[next(row[place] for row in numbers["rows"] if row[:2] == [handles, points]) for points in POINTS]
            for handles in HANDLES]


def draw(numbers, plots):
    import math

    figure, both = plots.axes(2, width=4.6)
    for ax, place, factor, title in ((both[0], 2, 1, "full-space gradient [m/s²]"), (both[1], 3, 1e3, "time of an iteration [ms]")):
        values = grid(numbers, place)
        ax.imshow([[math.log10(value) for value in row] for row in values], origin="lower", aspect="auto", cmap="viridis")
        for i, row in enumerate(values):
            for k, value in enumerate(row):
                ax.text(k, i, short(factor * value), ha="center", va="center", fontsize=8, color="white",
                        bbox={"facecolor": "black", "alpha": 0.25, "pad": 1, "linewidth": 0})
        ax.set_xticks(range(len(POINTS)), POINTS)
        ax.set_yticks(range(len(HANDLES)), HANDLES)
        ax.grid(False)
        ax.set_xlabel("cubature points")
        ax.set_ylabel("handles")
        ax.set_title(title, fontsize=9)
    return figure


def tables(numbers):
    return [Table(title, ["handles", *(f"{points} points" for points in POINTS)],
                  [[handles, *(short(factor * value) for value in row)] for handles, row in zip(HANDLES, grid(numbers, place))])
            for title, place, factor in (("Full-space gradient [m/s²]", 2, 1), ("Time of an iteration [ms]", 3, 1e3))]


def verdict(numbers):
    gradients, times = grid(numbers, 2), grid(numbers, 3)
    right = [row[-1] for row in gradients]
    corner = gradients[-1][0] / right[-1]
    ours = (f"gradient with {POINTS[-1]} points: {short(right[0])} m/s² with {HANDLES[0]} handles, {short(right[-1])} "
            f"with {HANDLES[-1]}. With {HANDLES[-1]} handles and {POINTS[0]} points {short(corner)} times as much. "
            f"Iterations take {short(1e3 * times[0][0])} to {short(1e3 * times[-1][-1])} ms")
    if right[-1] < right[0] and corner > 2:
        return Verdict("same", ours)
    return Verdict("differs", ours, "more handles do not lower the gradient" if right[-1] >= right[0] else
                   "many handles with few points do not raise it")
