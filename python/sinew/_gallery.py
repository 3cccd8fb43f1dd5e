"""The scenes of the gallery."""

from __future__ import annotations

import difflib
import pathlib

from ._meshes import fail
from .scene import Scene


def _folder() -> pathlib.Path:
    """Beside the package in a wheel, else in share/sinew or the clone above it."""
    package = pathlib.Path(__file__).resolve().parent
    for parent in (package, *package.parents):
        for folder in (parent / "scenes/gallery", parent / "share/sinew/scenes/gallery"):
            if (folder / "stressball.json").is_file():
                return folder
    fail("gallery: found no scenes beside the package; use the path of a scene file")


def gallery(name: str) -> Scene:
    """Returns a scene of the gallery, such as "stressball". Raises InputError that lists the names for an unknown one.

    Most of them have gallery shapes, which the program sinew-mesh makes when a Simulation is built.
    """
    folder = _folder()
    path = folder / f"{name}.json"
    names = sorted(file.stem for file in folder.glob("*.json"))
    if name not in names:
        near = difflib.get_close_matches(str(name), names, 1)
        hint = f"; did you mean \"{near[0]}\"? Known scenes" if near else "; known scenes"
        fail(f"gallery: found \"{name}\"{hint}: {', '.join(names)}")
    return Scene(path)
