"""One step of an impact in the subspace alone, to a tolerance of 1e-5 m/s. The first scene is a homogeneous ball. The
second is a soft core between stiff plates, where the error lies in a thin layer next to the plates."""

from studies.frame.numbers import error, iterations, slope
from studies.frame.paper import Table, Verdict

from .keys import CLUSTERS, subspace_alone

COUNTS = (5, 10, 20, 40, 80, 160)
SCENES = {"sphere_on_spike": "homogeneous ball", "sandwich_block": "soft core between stiff plates"}


def measure(engine):
    numbers = {}
    for scene in SCENES:
        # A tolerance whose own error lies far below all others.
        settings = [CLUSTERS, "solver.norm=mean", "solver.tolerance=1e-5", "solver.max_iterations=1000"]
        methods = ["newton", *(subspace_alone(handles=count) for count in COUNTS)]
        results = engine.compare(scene, methods, settings, reach="newton")["methods"][1:]
        numbers[scene] = [{"handles": count, "largest": result["max_error"], "rms": result["rms_error"],
                           "iterations": iterations(result)} for count, result in zip(COUNTS, results)]
    return numbers


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {f"{SCENES[scene]}, {kind}": [(row["handles"], row[kind]) for row in rows]
                     for scene, rows in numbers.items() for kind in ("rms", "largest")},
                x="handles", y="error over the diagonal", log="xy")
    return figure


def tables(numbers):
    return [Table(SCENES[scene].capitalize(), ["handles", "rms error", "largest", "iterations"],
                  [[row["handles"], error(row["rms"]), error(row["largest"]), row["iterations"]] for row in rows])
            for scene, rows in numbers.items()]


def verdict(numbers):
    slopes = {scene: slope([(row["handles"], row["rms"]) for row in rows]) for scene, rows in numbers.items()}
    falls = all(rows[-1]["rms"] < 0.7 * rows[0]["rms"] for rows in numbers.values())
    ours = "rms error ~ handles^p with p = " + ", ".join(f"{value:.2f} ({SCENES[scene]})" for scene,
                                                         value in slopes.items())
    return Verdict("same", ours) if falls else Verdict("differs", ours, "the error does not fall")
