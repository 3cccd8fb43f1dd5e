"""A koosh ball falls, as printed, with 16 skinning eigenmodes, or with 11 POD modes of an earlier run with
`multilevel`. Error: mean distance of vertices from that run at the last step, over its extent."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, percent, short
from studies.frame.paper import Table, Verdict

from . import frames
from .keys import printed, shares, totals

SCENE = "koosh_drop"
STEPS = {"small": 12, "medium": 20, "large": 20}
MODES = 11


def measure(engine):
    numbers, steps = {}, STEPS.get(engine.size, 12)
    with temporary_folder() as folder:
        engine.keep_run(SCENE, "multilevel", f"{folder}/full", steps=steps)
        engine.modes(SCENE, f"{folder}/pod.npz", "--kind", "pod", "--frames", f"{folder}/full", "--count", MODES)
        exact = frames.read(frames.paths(f"{folder}/full")[-1])["Points"]
        extent = numpy.linalg.norm(exact.max(axis=0) - exact.min(axis=0))
        for name, library, handles in (("16 skinning eigenmodes", '["eigenmodes"]', 16),
                                       (f"{MODES} POD modes", f'["{folder}/pod.npz"]', 16)):
            for kind, more in (("modes alone", {"adaptive__vertex_error": 1e12, "adaptive__mode_error": 0,
                                                "adaptive__progress": 1e12}),
                               ("as printed", {})):
                rows, _ = engine.keep_run(SCENE, "adaptive", f"{folder}/run", printed(
                    SCENE, adaptive__library=library, handles=handles, **more), steps=steps)
                x = frames.read(frames.paths(f"{folder}/run")[-1])["Points"]
                numbers[f"{name}, {kind}"] = {"error": float(numpy.linalg.norm(x - exact, axis=1).mean() / extent),
                                              "largest": max(shares(rows)),
                                              "mean": sum(shares(rows)) / steps,
                                              "modes": max(row["adaptive"]["handles"] for row in rows),
                                              **totals(rows)}
        engine.commands = [command.replace(folder, "out") for command in engine.commands]
    return numbers


def tables(numbers):
    return [Table("Koosh ball", ["library", "enriched at most", "enriched, mean", "most active modes", "error",
                                 "iterations", "seconds"],
                  [[name, percent(row["largest"]), percent(row["mean"]), row["modes"], error(row["error"]),
                    row["iterations"],
                    short(row["seconds"])] for name, row in numbers.items()],
                  "Modes alone: all modes of the library are active and no vertex is enriched.")]


def verdict(numbers):
    skinning, pod = numbers["16 skinning eigenmodes, modes alone"], numbers[f"{MODES} POD modes, modes alone"]
    a, b = numbers["16 skinning eigenmodes, as printed"], numbers[f"{MODES} POD modes, as printed"]
    ours = (f"modes alone: error {error(skinning['error'])} (eigenmodes), {error(pod['error'])} (POD); as printed "
            f"{error(a['error'])} with {percent(a['largest'])} enriched, {error(b['error'])} with "
            f"{percent(b['largest'])}")
    if pod["error"] < 0.7 * skinning["error"] and b["error"] <= a["error"] and b["largest"] > 0.05:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the POD modes are not closer than the eigenmodes")
