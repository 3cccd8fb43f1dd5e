"""A beam falls on a sphere with three libraries: 16 handles (192 dimensions) of skinning eigenmodes or biharmonic
coordinates, or 48 linear eigenmodes. Thresholds as printed, and 0.1 for both."""

from studies.frame.numbers import percent, short
from studies.frame.paper import Table, Verdict

from .keys import printed, shares, totals

SCENE, STEPS = "beam_on_sphere", 30
LIBRARIES = {"skinning eigenmodes, 192": ("eigenmodes", 16), "biharmonic coordinates, 192": ("biharmonic", 16),
             "linear eigenmodes, 48": ("linear", 48)}
THRESHOLDS = (0.5, 0.1)


def measure(engine):
    numbers = []
    for threshold in THRESHOLDS:
        for name, (library, handles) in LIBRARIES.items():
            rows, _ = engine.run(SCENE, "adaptive", printed(SCENE, adaptive__library=f'["{library}"]', handles=handles,
                                                            adaptive__vertex_error=threshold,
                                                            adaptive__mode_error=threshold), steps=STEPS)
            numbers.append({"threshold": threshold, "library": name, "largest": max(shares(rows)),
                            "mean": sum(shares(rows)) / STEPS,
                            "shares": shares(rows), "modes": max(row["adaptive"]["handles"] for row in rows),
                            **totals(rows)})
    return numbers


def draw(numbers, plots):
    figure, axes = plots.axes(2)
    for ax, threshold in zip(axes, THRESHOLDS):
        plots.lines(ax, {row["library"]: [(k, 100 * value) for k, value in enumerate(row["shares"], 1)]
                         for row in numbers
                         if row["threshold"] == threshold}, x="step", y="enriched vertices [%]",
                         title=f"thresholds {threshold}")
    return figure


def tables(numbers):
    return [Table(f"{STEPS} steps", ["thresholds", "library", "enriched at most", "enriched, mean", "most active modes",
                                     "iterations", "seconds"],
                  [[row["threshold"], row["library"], percent(row["largest"]), percent(row["mean"]), row["modes"],
                    row["iterations"],
                    short(row["seconds"])] for row in numbers])]


def verdict(numbers):
    ours = "; ".join(f"thresholds {threshold}: mean " + ", ".join(percent(row["mean"]) for row in numbers
                                                                  if row["threshold"] == threshold)
                     for threshold in THRESHOLDS)
    for threshold in THRESHOLDS:
        skinning, biharmonic, linear = (row["mean"] for row in numbers if row["threshold"] == threshold)
        if skinning <= biharmonic < linear and linear > 1.5 * skinning:
            if threshold == THRESHOLDS[0]:
                return Verdict("same", ours)
            return Verdict("differs", ours, "the order is that of the paper at thresholds of 0.1 only")
    return Verdict("differs", ours,
                   "all libraries need about the same enriched vertices: they follow the contact, and the test of "
                   "progress admits few others")
