"""Contacting hyperelastic solids: meshes, materials, simulations and collision queries of sinew.

Quantities are in SI units. Every array that is returned is a copy; arrays of properties are read-only. Arrays that are
given must hold real numbers, anything else raises TypeError.
"""

import os
from typing import Any, Callable, Mapping, Optional, Sequence, TypedDict, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import ccd as ccd
from . import modes as modes

__version__: str

_Path = Union[str, "os.PathLike[str]", "os.PathLike[bytes]"]

class _Energies(TypedDict):
    kinetic: float
    elastic: float
    gravity: float
    barrier: float
    friction: float
    springs: float

class _Forces(TypedDict):
    elastic: NDArray[np.float64]
    contact: NDArray[np.float64]
    friction: NDArray[np.float64]
    reaction: NDArray[np.float64]

class Error(Exception):
    """Base of all errors of sinew. The text is that of the command line."""

class InputError(Error, ValueError):
    """Bad input: names the file, key or argument, what was found, what was expected and what to do."""

class SimulationError(Error, RuntimeError):
    """The simulation cannot go on, or a file cannot be written."""

class Warning(UserWarning):
    """What the engine warns of: a mesh that was repaired, a setting without effect. Issued by warnings.warn()."""

@final
class Mesh:
    """A tetrahedral mesh in the numbering of its file."""

    def __init__(
        self,
        vertices: ArrayLike,
        tets: ArrayLike,
        regions: Optional[ArrayLike] = None,
        fields: Optional[Mapping[str, ArrayLike]] = None,
    ) -> None:
        """Of vertices (n, 3) [m] and tets (m, 4), with a region id (m,) and arrays (m,) or (m, c) by name for the tets.

        Validated as a mesh file is: tets of negative volume are re-wound with a warning. Raises InputError.
        """
    @property
    def vertices(self) -> NDArray[np.float64]:
        """(n, 3) float64 [m], read-only."""
    @property
    def tets(self) -> NDArray[np.int32]:
        """(m, 4) int32, vertex ids, read-only."""
    @property
    def regions(self) -> NDArray[np.int32]:
        """(m,) int32, the region of each tet, read-only."""
    @property
    def fields(self) -> dict[str, NDArray[np.float64]]:
        """Values of each tet by name: (m,), or (m, c) of c components, read-only."""

@final
class Material:
    """A hyperelastic material: a model's name and its parameters by keyword.

    For each method F is (k, 3, 3), or one (3, 3); the result then lacks its first axis.
    """

    def __init__(self, model: str, **kwargs: Any) -> None:
        """Material("neo_hookean", young=1e6, poisson=0.4), or lambda_=, mu=; other models' parameters by keyword.

        Curves of the model spline: a={"x": [...], "dy": [...]}, likewise b and c; rest="mend".
        What is not given has the default of the scene file. Fibers with any model: fiber={"stiffness": 1e5,
        "direction": [0, 0, 1]}, or fiber_stiffness= [Pa] and fiber_direction=. Raises InputError.
        """
    def energy(self, F: ArrayLike) -> NDArray[np.float64]:
        """Energy densities [J/m^3], (k,).

        +inf outside the domain of a model that needs det F > 0; NaN where F has one.
        """
    def stress(self, F: ArrayLike) -> NDArray[np.float64]:
        """First Piola stresses [Pa], (k, 3, 3). NaN where the energy is not finite."""
    def hessian(self, F: ArrayLike, psd: bool = False) -> NDArray[np.float64]:
        """d2W/dF2 [Pa], (k, 9, 9), F flattened row-major; NaN where the energy is not finite.

        psd: negative eigenvalues become zero, those of the model and those of its fibers separately.
        """
    @property
    def model(self) -> str: ...

@final
class Simulation:
    """A running scene.

    Vertices are those of the bodies, one after the other in scene order, each in its file's own numbering.
    """

    def __init__(self, scene: Union[_Path, Mapping[str, Any]], base_dir: _Path = ".") -> None:
        """scene: a path, or a dict as a scene file holds; its relative paths start at base_dir. Raises InputError."""
    def step(self) -> dict[str, Any]:
        """One time step; returns a row of steps.jsonl.

        Does not raise when the step did not converge: see row["converged"]. Ctrl-C ends it with KeyboardInterrupt.
        """
    @property
    def positions(self) -> NDArray[np.float64]:
        """(n, 3) [m], a read-only copy. Setting them drops the BDF2 history.

        Raises InputError for positions that intersect or invert a tet that must not be inverted, and for other positions
        of prescribed vertices than they have.
        """
    @positions.setter
    def positions(self, value: ArrayLike) -> None: ...
    @property
    def velocities(self) -> NDArray[np.float64]:
        """(n, 3) [m/s], a read-only copy. Setting them drops the BDF2 history. Prescribed vertices keep theirs."""
    @velocities.setter
    def velocities(self, value: ArrayLike) -> None: ...
    @property
    def reduced_coordinates(self) -> NDArray[np.float64]:
        """(r,), a read-only copy, of methods mixed and reduced.

        12 a handle: the columns of the 3 x 4 matrix A of its displacement w A [1, (X - center) / radius]. Of modes, for
        each substructure one a mode, after the shift [m] and the rotation vector [rad] of its frame where it floats.
        Setting them drops the history. Raises InputError for other methods.
        """
    @reduced_coordinates.setter
    def reduced_coordinates(self, values: ArrayLike) -> None: ...
    @property
    def subspace(self) -> dict[str, NDArray[Any]]:
        """Of methods mixed and reduced: what the reduced coordinates move.

        weights (n, k), or (3, n, k) where vertices are fixed along some axes only; centers (k, 3) and radii (k,) of the
        handles [m]; eigenvalues (k,) of skinning eigenmodes [1/s^2], else (0,); tets (c,) and tet_weights (c,) of the
        cubature points, over their rest volumes. Of modes: substructures, a list of a dict each with vertices (n,), modes
        (3 n, k), orthonormal in its mass, values (k,) [1/s^2], floats and center (3,) [m] of its frame, tets (c,) and
        mode_weights (c, k), poses and forces (k, t) that these were fitted to and training_error; of a single one these
        are here as well, modes over all vertices.
        """
    def energies(self) -> _Energies:
        """Energies by name [J]."""
    def forces(self) -> _Forces:
        """Nodal forces by name (elastic, contact, friction, reaction), each (n, 3) [N]."""
    # live numbers, written by scripts/scene_reference
    def set_time_step(self, step: float) -> None:
        """Between steps: time.step [s]. A change drops the history of bdf2."""
    def set_gravity(self, gravity: ArrayLike) -> None:
        """Between steps: gravity [m/s^2]."""
    def set_friction(self, coefficient: float) -> None:
        """Between steps: contact.friction. A change holds for all pairs of materials without a coefficient of their own."""
    def set_iterations(self, budget: int) -> None:
        """Between steps: solver.iterations. Of the reduced methods and quasi_newton. 0: until the tolerance."""
    # end of the live numbers
    def set_material(self, name: str, **kwargs: Any) -> None:
        """Between steps: what the scene has for a material, by keyword; the rest stays.

        Parameters, as young=2e5, or an array with a number for each tet of the material.
        fiber={"stiffness": 1e6, "direction": [1, 0, 0]}, None for no fibers; fiber_stiffness or fiber_direction alone.
        Of a spline material, its curves, as a={"x": [...], "dy": [...]}, and rest="exact" or "mend".
        The density cannot change. Raises InputError, and changes nothing, where a value makes no sense.
        """
    def set_method(self, name: str) -> tuple[float, float]:
        """Goes on by another method; "auto" chooses as at the start of a scene.

        Returns what it cannot hold of the state: the largest change of a position [m] and of a velocity [m/s], 0 in full
        space. Raises InputError, and stays with the method, where it cannot go on from here.
        """
    def pull(self, vertex: int, target: ArrayLike, stiffness: Optional[float] = None) -> None:
        """From the next step on a spring pulls a vertex to a place (3,) [m]; again: the place moves.

        stiffness [N/m]: by default one that suits the body and the step.
        """
    def release(self, vertex: Optional[int] = None) -> None:
        """Ends the pull of a vertex, or all of them."""
    def fix(self, vertices: Sequence[int]) -> None:
        """Holds vertices where they are from now on, until unfix(). The method is set up anew.

        Raises InputError in a subspace, whose handles know the prescribed vertices of the scene: pull at them there.
        """
    def unfix(self, vertices: Sequence[int]) -> None:
        """Lets go of prescribed vertices from now on."""
    def set_load(self, load: int, vector: Optional[ArrayLike] = None, pressure: Optional[float] = None) -> None:
        """Between steps: load number `load` of the scene, in the order of its bodies.

        vector: its traction [Pa] or force [N]; pressure [Pa]. Raises InputError for a value of another kind than the load's.
        """
    def set_spring(self, spring: int, point: ArrayLike, stiffness: float) -> None:
        """Between steps: spring number `spring` of the scene (one a vertex): its fixed end [m] and stiffness [N/m]."""
    @property
    def time(self) -> float:
        """[s]; in statics the share of the load."""
    def save(self, path: _Path) -> None:
        """Writes a checkpoint: the scene, what was changed since, and the state.

        Raises InputError when the folder does not exist, SimulationError when writing fails.
        """
    @staticmethod
    def load(path: _Path) -> Simulation:
        """Goes on from a checkpoint of save() or of `sinew run`, with the same bits. Raises InputError."""

class Live:
    """A simulation that viewers in the browser see and pull at; made by sinew.live(). A context manager.

    In a notebook the page appears inline.
    """

    def __init__(
        self,
        simulation: Simulation,
        port: int = 0,
        address: str = "127.0.0.1",
        token: str = "",
        allow_origin: Sequence[str] = [],
        output: _Path = "out/live",
    ) -> None:
        """As sinew.live()."""
    @property
    def on_event(self) -> Optional[Callable[[dict[str, Any]], None]]:
        """Called with a dict for each pull, release, setting and method of a viewer, after it is done."""
    @on_event.setter
    def on_event(self, value: Optional[Callable[[dict[str, Any]], None]]) -> None: ...
    @property
    def url(self) -> str:
        """The address of the page."""
    @property
    def paused(self) -> bool:
        """Whether viewers have paused; sim.step() steps all the same."""
    @paused.setter
    def paused(self, value: bool) -> None: ...
    def step(self) -> dict[str, Any]:
        """sim.step(), as soon as no viewer has paused."""
    def run(self, seconds: float = -1.0) -> None:
        """Steps at the pace of the wall clock for so many seconds, or until Ctrl-C."""
    def update(self) -> None:
        """Does what viewers ask for and shows the present state, without a step."""
    def close(self) -> None:
        """Ends the view; the simulation stays."""
    def __enter__(self) -> Live:
        """Itself."""
    def __exit__(self, type: object, value: object, traceback: object) -> None:
        """close()"""

def live(
    simulation: Simulation,
    port: int = 0,
    address: str = "127.0.0.1",
    token: str = "",
    allow_origin: Sequence[str] = [],
    output: _Path = "out/live",
) -> Live:
    """Shows a simulation in the browser while a script steps it.

    sim.step() does what viewers have asked for and shows the new state. port 0: any free one. Another address than
    127.0.0.1 needs a token. Recordings go to folders `output`_1, _2, ... Raises InputError where the port is taken.
    """

def read_mesh(path: _Path) -> Mesh:
    """Reads and validates a tetrahedral mesh. Raises InputError naming the file and what is wrong."""

def write_mesh(path: _Path, mesh: Mesh, binary: Optional[bool] = None) -> None:
    """Writes a mesh as the extension says: .msh, .vtu, or .obj (its boundary).

    binary: True, False (text) or None (text for .msh, base64 in .vtu). An existing file is replaced, whole or not at all.
    Raises InputError for another extension or a missing folder.
    """
