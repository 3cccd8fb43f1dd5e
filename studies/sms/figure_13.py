"""Each method takes one step from the same state, the one before the hardest contact. The error is the paper's:
distance of vertices over the diagonal of the scene. "Differing pixels" compares pictures of the steps of `newton` and
of the printed method. A pixel differs if its brightness changes by more than a tenth; the share is that of the pixels
of the bodies."""

import json
import pathlib

import numpy as np

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, iterations, percent
from studies.frame.paper import Table, Verdict

from .keys import as_printed
from .pictures import join, printed_settings

SCENES = {"basketball_drop": "--view=30:15:1", "kooshball": "--view=30:35:1.2", "shoe": "--view=20:15:1.2"}
NAMES = ("newton", "printed", "multilevel")


def pixels(first, second, empty):
    from matplotlib import image
    a, b, c = (image.imread(path)[:, :, :3].mean(axis=2) for path in (first, second, empty))
    body = (np.abs(a - c) > 0.02) | (np.abs(b - c) > 0.02)
    return float((np.abs(a - b) > 0.1).sum() / max(1, body.sum()))


def step_pictures(engine, scene, view, folder):
    """Pictures of one step of newton and of the printed method; the share of pixels that differ."""
    begin = engine.check(scene)[1]["compare"]["from"]
    before = pathlib.Path(folder) / f"{scene}_before"
    engine.keep_run(scene, "newton", before, ["solver.norm=mean"], steps=max(1, begin), formats=())
    initial = "initial=" + json.dumps({"file": str(before / "checkpoint.h5")})
    parts = []
    for label, method, settings in (("newton", "newton", []), ("printed", "multilevel", printed_settings())):
        path = pathlib.Path(folder) / f"{scene}_{label}"
        engine.keep_run(scene, method, path, ["solver.norm=mean", initial, *settings], steps=1, formats=("html",))
        engine.commands[-1] = engine.commands[-1].replace(str(folder), "out")
        engine.picture(path, f"{scene}_{label}", "--step", "1", "--no-legend", "--color", "material", view, "--fit",
                       "frame", size="240x200")
        parts.append(f"{scene}_{label}")
    engine.picture(pathlib.Path(folder) / f"{scene}_newton", "empty", "--step", "1", "--no-legend", view, "--fit",
                   "frame", "--hide",
                   {"shoe": "shoe"}.get(scene, "ball"), size="240x200")
    share = pixels(*(engine.path(name) for name in (*parts, "empty")))
    engine.path("empty").unlink()
    engine.pictures.remove(engine.path("empty").name)
    return parts, share


def measure(engine):
    numbers, parts = {}, []
    with temporary_folder() as folder:
        for scene, view in SCENES.items():
            methods = ["newton", as_printed(), "multilevel"]
            report = engine.compare(scene, methods, ["solver.norm=mean"], reach="newton")
            numbers[scene] = {name: {"largest": r["max_error"], "rms": r["rms_error"], "text": iterations(r)}
                              for name, r in zip(NAMES, report["methods"])}
            pair, share = step_pictures(engine, scene, view, folder)
            numbers[scene]["pixels"] = share
            parts += pair
    join(engine, "frames", parts, ["newton", "printed"] * len(SCENES))
    return numbers


def tables(numbers):
    return [Table("One step", ["scene", "printed: largest error", "rms", "differing pixels", "iterations",
                               "multilevel: largest error", "rms",
                               "newton: iterations"],
                  [[scene, error(row["printed"]["largest"]), error(row["printed"]["rms"]), percent(row["pixels"]),
                    row["printed"]["text"],
                    error(row["multilevel"]["largest"]), error(row["multilevel"]["rms"]), row["newton"]["text"]]
                   for scene, row in numbers.items()])]


def verdict(numbers):
    worst = {name: max(row[name]["largest"] for row in numbers.values()) for name in NAMES[1:]}
    scene = max(numbers, key=lambda name: numbers[name]["printed"]["largest"])
    ours = (f"largest error: printed {error(worst['printed'])} ({scene}), multilevel {error(worst['multilevel'])}; up "
            f"to {percent(max(row['pixels'] for row in numbers.values()))} of the pixels differ")
    if worst["printed"] <= 0.02:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the stop test of the paper measures the subspace part alone, which is small in "
                                    f"{scene} while thin parts still move")
