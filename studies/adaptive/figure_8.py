"""A soft ball on a spike with `newton`. The displacement of a step stands for the Newton decrement: it is the sum of
the decrements of all iterations. The strain of a vertex is the mean of |F - R| over its tets at the end of the step."""

import numpy

from studies.frame.engine import temporary_folder
from studies.frame.numbers import short
from studies.frame.paper import Verdict

from . import frames

SCENE, STEPS = "sphere_on_spike", 4


def measure(engine):
    with temporary_folder() as folder:
        engine.keep_run(SCENE, "newton", f"{folder}/run", steps=STEPS)
        before, now = (frames.read(path) for path in frames.paths(f"{folder}/run")[-2:])
    x = now["Points"]
    moved = numpy.linalg.norm(x - before["Points"], axis=1)
    strain = frames.at_vertices(frames.strains(x - now["displacement"], x, now["tets"]), now["tets"], len(x))
    touching = numpy.linalg.norm(now["contact_force"], axis=1) > 0
    distance = numpy.linalg.norm(x[:, None] - x[touching][None], axis=2).min(axis=1)
    return {"moved": moved, "strain": strain, "distance": distance / float((x.max(axis=0) - x.min(axis=0)).max()),
            "touching": touching.astype(int)}


def draw(numbers, plots):
    figure, (left, right) = plots.axes(2)
    for ax, key, label in ((left, "moved", "displacement of the step over its largest"), (right, "strain", "strain")):
        values = numpy.array(numbers[key])
        ax.plot(numbers["distance"], values / values.max() if key == "moved" else values, "o", markersize=2.5)
        ax.set_xlabel("distance from the contact over the diameter")
        ax.set_ylabel(label)
        ax.set_ylim(bottom=0)
    return figure


def verdict(numbers):
    moved, strain = numpy.array(numbers["moved"]), numpy.array(numbers["strain"])
    near = numpy.array(numbers["distance"]) < 0.02
    far = numpy.array(numbers["distance"]) > 0.2
    slow, strained = moved[near].mean() / moved[far].mean(), strain[near].mean() / strain[far].mean()
    ours = f"at the contact the displacement is {short(slow)} of that of the rest, the strain {short(strained)} times"
    if slow < 0.5 and strained > 2:
        return Verdict("same", ours)
    return Verdict("differs", ours, "the contact slides or the ball is strained everywhere")
