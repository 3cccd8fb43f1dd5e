"""Products of 30 inertia modes in the mass, by reduced Gram-Schmidt with its threshold of 0.001 and by exact Gram-Schmidt.
The paper shows other thresholds too; the threshold is no setting here."""

import numpy

from studies.frame.numbers import error, short
from studies.frame.paper import Table, Verdict

from .keys import lumped_mass, mesh_and_fixed

COUNT = 30
KINDS = {"reduced": "reduced, threshold 0.001", "exact": "exact"}


def measure(engine):
    module = engine.python()
    mesh, fixed = mesh_and_fixed(engine, "octobot")
    mass = lumped_mass(mesh)
    numbers = {"vertices": len(mesh.vertices)}
    for kind in KINDS:
        _, modes = module.modes.inertia(mesh, module.Material("stvk", young=1e6, poisson=0.4), COUNT, fixed=fixed,
                                        reduced=kind == "reduced")
        gram = modes.T @ (mass[:, None] * modes)
        off = numpy.abs(gram[numpy.triu_indices(COUNT, 1)])
        numbers[kind] = {"gram": gram, "mean": off.mean(), "largest": off.max(), "condition": numpy.linalg.cond(gram)}
    return numbers


def draw(numbers, plots):
    figure, axes = plots.axes(len(KINDS), width=3.2, height=3.0)
    for ax, (kind, label) in zip(axes, KINDS.items()):
        logs = numpy.log10(numpy.maximum(1e-6, numpy.abs(numpy.array(numbers[kind]["gram"]))))
        image = ax.imshow(logs, vmin=-6, vmax=0, cmap="viridis")
        ax.grid(False)
        ax.set_title(label, fontsize=9)
        ax.set_xlabel("mode")
    axes[0].set_ylabel("mode")
    bar = figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("log10 |product in the mass|")
    return figure


def tables(numbers):
    return [Table("Products of two modes", ["Gram-Schmidt", "mean", "largest", "condition"],
                  [[label, error(numbers[kind]["mean"]), error(numbers[kind]["largest"]), short(numbers[kind]["condition"], 3)]
                   for kind, label in KINDS.items()])]


def verdict(numbers):
    reduced = numbers["reduced"]
    ours = (f"mean product {error(reduced['mean'])}, largest {error(reduced['largest'])}, condition "
            f"{short(reduced['condition'])}")
    # "Nearly an identity": no product reaches 0.1.
    if reduced["largest"] < 0.1:
        return Verdict("same", ours)
    return Verdict("differs", ours, "sampled cosines are wrong by more than the threshold")
