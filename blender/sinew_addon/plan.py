"""A run as the Blender scene asks for it, free of Blender's types."""

import re
from dataclasses import dataclass, field
from typing import Optional

import numpy

from .surfaces import Surface


@dataclass
class Body:
    object: str  # name of the Blender object
    name: str  # in the scene file, and of its files
    surface: Surface  # at the start
    worlds: list  # 4 x 4 matrices of the object, one if it does not move, else one a frame
    material: dict
    look: Optional[dict]
    material_name: str
    friction: float
    velocity: list
    cloth: bool = False
    size: float = 0.0  # edge length of the tets [m]
    robust: bool = False
    pins: list = field(default_factory=list)  # numbers of vertices of the surface
    pin_motion: Optional[dict] = None
    texture: Optional[tuple] = None  # name of a file and its bytes: the image of the look


@dataclass
class Obstacle:
    object: str
    name: str
    friction: float
    surface: Optional[Surface] = None
    plane: Optional[dict] = None
    motion: Optional[dict] = None
    positions: Optional[numpy.ndarray] = None  # frames x n x 3 [m], of an obstacle that deforms


@dataclass
class Plan:
    bodies: list
    obstacles: list
    gravity: list
    metres: float  # in one Blender unit
    first_frame: int
    frames: int  # after the first one
    seconds_per_frame: float
    substeps: int
    method: str
    warnings: list = field(default_factory=list)

    def steps(self):
        return self.frames * self.substeps


def file_name(name, taken):
    """A name for files that sinew keeps as it is, different from those that are taken."""
    base = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:100] or "object"
    free, number = base, 2
    while free.lower() in taken:
        free, number = f"{base}_{number}", number + 1
    taken.add(free.lower())
    return free
