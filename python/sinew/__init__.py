"""Simulates contacting hyperelastic solids: meshes, materials, simulations and collision queries.

Quantities are in SI units. Returned arrays are copies; those of properties are read-only. Arrays that you pass must
hold real numbers; others raise TypeError.
"""

from . import _requirements

_requirements.check()

from . import _pickle, _run, objects
from ._engine import (
    Camera,
    Error,
    InputError,
    Live,
    Material,
    Simulation,
    SimulationError,
    State,
    TetMesh,
    TriMesh,
    Warning,
    __version__,
    box,
    build_info,
    ccd,
    cylinder,
    heightfield,
    live,
    modes,
    read_mesh,
    read_surface,
    sheet,
    sphere,
    tetrahedralize,
    torus,
    write_mesh,
)
from ._gallery import gallery
from ._meshes import as_mesh
from ._scene_parts import SceneEntry, SceneItem
from ._sweep import sweep
from ._tactile import Pad, Tactile, tactile
from ._video import Video
from ._view import view
from .batch import Batch, rollout
from .scene import Scene

Mesh = TetMesh  # its former name
setattr(Simulation, "run", _run.run)
setattr(Simulation, "__repr__", objects.description)
for _name in ("bodies", "obstacles", "fixes", "loads", "springs", "ties", "materials"):
    setattr(Simulation, _name, property(getattr(objects, _name)))

__all__ = [
    "Batch",
    "Camera",
    "Error",
    "InputError",
    "Live",
    "Material",
    "Mesh",
    "Pad",
    "Scene",
    "SceneEntry",
    "SceneItem",
    "Simulation",
    "SimulationError",
    "State",
    "Tactile",
    "TetMesh",
    "TriMesh",
    "Video",
    "Warning",
    "__version__",
    "as_mesh",
    "box",
    "build_info",
    "ccd",
    "cylinder",
    "gallery",
    "heightfield",
    "live",
    "modes",
    "objects",
    "read_mesh",
    "read_surface",
    "rollout",
    "sheet",
    "sphere",
    "sweep",
    "tactile",
    "tetrahedralize",
    "torus",
    "view",
    "write_mesh",
]
