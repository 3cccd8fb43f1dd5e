"""A spiky roller on soft terrain, with the paper's drop rate and without dropping. Thresholds are 0.1, since at 0.5
dropping has little to drop: fewer than 1 % of the vertices are enriched. Everything else is as printed. The distance is
that of the vertices between the two runs at the end, over the scene's diagonal."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, percent, short
from studies.frame.paper import Table, Verdict

from . import frames
from .keys import TABLE_2, converged, printed, shares, totals

SCENE = "spiky_roller"
STEPS = 40
THRESHOLDS = {"adaptive__vertex_error": 0.1, "adaptive__mode_error": 0.1}
RATES = {"no dropping": 0, "dropping": TABLE_2[SCENE]["drop"]}


def measure(engine):
    numbers, ends = {}, []
    for name, rate in RATES.items():
        with temporary_folder() as folder:
            rows, _ = engine.keep_run(SCENE, "adaptive", f"{folder}/run",
                                      [*printed(SCENE, adaptive__drop_rate=rate, **THRESHOLDS),
                                       f"output.every={STEPS}"],
                                      steps=STEPS)
            ends.append(frames.read(frames.paths(f"{folder}/run")[-1])["Points"])
        numbers[name] = {"rate": rate, "shares": shares(rows), "converged": converged(rows), **totals(rows)}
    diagonal = numpy.linalg.norm(ends[0].max(axis=0) - ends[0].min(axis=0))
    numbers["distance"] = float(numpy.linalg.norm(ends[1] - ends[0], axis=1).mean() / diagonal)
    return numbers


def draw(numbers, plots):
    figure, ax = plots.axes()
    plots.lines(ax, {name: [(k, 100 * share) for k, share in enumerate(numbers[name]["shares"], 1)] for name in RATES},
                x="step", y="enriched vertices [%]")
    return figure


def tables(numbers):
    return [Table(f"{STEPS} steps", ["setting", "enriched at the end", "enriched, mean", "iterations", "seconds"],
                  [[f"{name} (`drop_rate: {numbers[name]['rate']}`)", percent(numbers[name]["shares"][-1]),
                    percent(sum(numbers[name]["shares"]) / STEPS), numbers[name]["iterations"],
                    short(numbers[name]["seconds"], 3)]
                   for name in RATES])]


def verdict(numbers):
    kept, dropped = (numbers[name] for name in RATES)
    faster = kept["seconds"] / dropped["seconds"]
    ours = (f"{faster:.1f} times faster with dropping; enriched at the end {percent(dropped['shares'][-1])} against "
            f"{percent(kept['shares'][-1])}; mean distance between the runs {error(numbers['distance'])}")
    if faster > 1.2 and sum(dropped["shares"]) < 0.7 * sum(kept["shares"]) and numbers["distance"] < 0.05:
        return Verdict("same", ours)
    return Verdict("differs", ours, "dropping saves less time" if faster <= 1.2 else "the motions differ" if
                   numbers["distance"] >= 0.05 else "dropping removes few vertices")
