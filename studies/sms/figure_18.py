"""One stressball hits the floor at 10 m/s; two stressballs hit each other at 20 m/s. Each method follows its own path
from the first step on. The pictures show the balls cut open, coloured by material. The soft core bulges between the
stiff struts."""

from studies.frame.engine import temporary_folder
from studies.frame.numbers import error, iterations
from studies.frame.paper import Table, Verdict

from .keys import as_printed
from .pictures import join, printed_settings

SCENES = {"stressball": 5, "stressball_pair": 5}
NAMES = ("newton", "printed", "multilevel")


def measure(engine):
    numbers = {}
    parts = []
    with temporary_folder() as folder:
        import pathlib
        for scene, steps in SCENES.items():
            report = engine.compare(scene, ["newton", as_printed(), "multilevel"], ["solver.norm=mean"], first=0,
                                    steps=steps, free=True)
            numbers[scene] = {name: {"largest": r["each_step"][-1]["max_error"],
                                     "rms": r["each_step"][-1]["rms_error"], "text": iterations(r)}
                              for name, r in zip(NAMES, report["methods"])}
            for label, method, settings in (("newton", "newton", []), ("printed", "multilevel", printed_settings())):
                path = pathlib.Path(folder) / f"{scene}_{label}"
                engine.keep_run(scene, method, path, ["solver.norm=mean", *settings], steps=steps, formats=("html",))
                engine.picture(path, f"{scene}_{label}", "--step", str(steps), "--no-legend", "--color", "material",
                               "--view=20:10:1", "--fit",
                               "frame", "--clip", "z:0.5", size="300x240")
                parts.append((f"{scene}_{label}", label))
    join(engine, "frames", [name for name, _ in parts], [label for _, label in parts])
    return numbers


def tables(numbers):
    return [Table("Steps from the first contact on", ["scene", "steps", "printed: rms error", "largest",
                                                      "multilevel: rms error", "largest",
                                                      "iterations of newton", "printed", "multilevel"],
                  [[scene, SCENES[scene], *(error(row[name][kind]) for name in NAMES[1:]
                                            for kind in ("rms", "largest")),
                    *(row[name]["text"] for name in NAMES)] for scene, row in numbers.items()])]


def verdict(numbers):
    worst = {name: max(row[name]["rms"] for row in numbers.values()) for name in NAMES[1:]}
    ours = (f"rms error after {max(SCENES.values())} steps: printed {error(worst['printed'])}, multilevel "
            f"{error(worst['multilevel'])}")
    if worst["printed"] < 0.01:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the printed method leaves the path of newton by more than 1 %")
