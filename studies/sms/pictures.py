"""Pictures of the studies, side by side in one file."""

import json
import pathlib

from .keys import CLUSTERS, SUBSPACE


def alone(basis, handles):
    """Settings of `sinew run` for the subspace alone."""
    return [CLUSTERS, f"solver.handles={handles}", f"solver.multilevel.basis={basis}",
            f"solver.multilevel.printed={json.dumps({**SUBSPACE, 'affine': False})}"]


def printed_settings(**changed):
    """Settings of `sinew run` for the printed method."""
    return [CLUSTERS, "solver.cubature=modal", f"solver.multilevel.printed={json.dumps({'affine': True, **changed})}"]


def join(engine, name, parts, labels):
    """One picture from several of the same size, with a label above each."""
    from matplotlib import image, pyplot
    arrays = [image.imread(engine.path(part)) for part in parts]
    height, width = arrays[0].shape[:2]
    figure, axes = pyplot.subplots(1, len(arrays), figsize=(width * len(arrays) / 110, (height + 26) / 110), dpi=110)
    for ax, array, label in zip(axes if len(arrays) > 1 else [axes], arrays, labels):
        ax.imshow(array)
        ax.set_title(label, fontsize=9)
        ax.axis("off")
    figure.subplots_adjust(left=0, right=1, bottom=0, top=height / (height + 26), wspace=0.01)
    path = engine.path(name)
    figure.savefig(path, metadata={"Software": None}, pil_kwargs={"optimize": True, "quality": 80}
                   if path.suffix == ".jpg" else None)
    pyplot.close(figure)
    quantize(path)
    for part in parts:
        engine.path(part).unlink()
        engine.pictures.remove(engine.path(part).name)
    engine.pictures.append(path.name)


def quantize(path):
    """A palette of 200 colours makes a shaded picture half as large."""
    try:
        from PIL import Image
    except ImportError:
        return
    Image.open(path).convert("RGB").quantize(200, method=Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


def frames(engine, name, scene, folder, runs, step, *options, size="300x240"):
    """Pictures of a step of several runs side by side. `runs`: (label, method, settings)."""
    parts = []
    for index, (label, method, settings) in enumerate(runs):
        path = pathlib.Path(folder) / f"{name}_{index}"
        engine.keep_run(scene, method, path, settings, steps=step, formats=("html",))
        engine.picture(path, f"part{index}", "--step", str(step), "--no-legend", *options, size=size)
        parts.append(f"part{index}")
    join(engine, name, parts, [label for label, _, _ in runs])


def frames_of_bases(engine, scene, folder, bases, handles, step, *options):
    runs = [("newton", "newton", []), *((f"{basis}, {handles} handles", "multilevel", alone(basis, handles))
                                        for basis in bases)]
    frames(engine, "frames", scene, folder, runs, step, *options)
