"""Tets of the bodies of a scene with their materials, as arrays."""

import json
import pathlib

from studies.frame.engine import SCENES, temporary_folder


def mesh_of(engine, scene):
    """(vertices, tets, materials of the tets by name) of a scene at rest."""
    material = json.loads((SCENES / f"{scene}.json").read_text())["bodies"][0]["material"]
    # Regions are numbered in the order of their names.
    names = [material] if isinstance(material, str) else [material["regions"][name] for name in sorted(material["regions"])]
    with temporary_folder() as folder:
        engine.keep_run(scene, "newton", f"{folder}/{scene}", ["output.checkpoint=0", "time.step=1e-6"], steps=1)
        engine.commands.pop()
        mesh = engine.python().read_mesh(min(pathlib.Path(folder).glob("*/frames/*.vtu")))
    return mesh.vertices, mesh.tets, [names[region] for region in mesh.regions]


def frames_of(vertices, tets):
    """Volumes of tets, and inverses of their edge matrices (rows are edges)."""
    import numpy

    edges = vertices[tets[:, 1:]] - vertices[tets[:, :1]]
    return abs(numpy.linalg.det(edges)) / 6, numpy.linalg.inv(edges)


def gradients(values, tets, inverses):
    """Gradients (tets, 3, k) of values (vertices, k)."""
    return inverses @ (values[tets[:, 1:]] - values[tets[:, :1]])


def lumped(vertices, tets, density=1.0):
    """Masses of vertices: a quarter of each of their tets."""
    import numpy

    volumes, _ = frames_of(vertices, tets)
    masses = numpy.zeros(len(vertices))
    numpy.add.at(masses, tets.ravel(), numpy.repeat(volumes * density / 4, 4))
    return masses
