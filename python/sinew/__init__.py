"""Simulates contacting hyperelastic solids: meshes, materials, simulations and collision queries.

Quantities are in SI units. Returned arrays are copies; those of properties are read-only. Arrays that you pass must
hold real numbers; others raise TypeError.
"""

try:
    from ._engine import (
        Camera,
        Error,
        InputError,
        Live,
        Material,
        Mesh,
        Simulation,
        SimulationError,
        State,
        Warning,
        __version__,
        build_info,
        ccd,
        live,
        modes,
        read_mesh,
        write_mesh,
    )
except ModuleNotFoundError as missing:
    if missing.name != "sinew._engine":
        raise
    import sys

    from . import _built_for

    raise ImportError(
        "sinew was built for Python %s (%s), but this is Python %d.%d (%s); run it with %s"
        % (_built_for.version, _built_for.executable, sys.version_info[0], sys.version_info[1], sys.executable,
           _built_for.executable)) from None

from . import _run, objects
from ._video import Video
from ._view import view
from .batch import Batch, rollout

setattr(Simulation, "run", _run.run)
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
    "Simulation",
    "SimulationError",
    "State",
    "Video",
    "Warning",
    "__version__",
    "build_info",
    "ccd",
    "live",
    "modes",
    "objects",
    "read_mesh",
    "rollout",
    "view",
    "write_mesh",
]
