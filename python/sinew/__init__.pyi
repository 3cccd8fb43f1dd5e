"""Simulates contacting hyperelastic solids: meshes, materials, simulations and collision queries.

Quantities are in SI units. Returned arrays are copies; arrays of properties are read-only. Arrays that you pass must hold
real numbers, otherwise TypeError is raised.
"""

import os
from typing import Any, Callable, Mapping, Optional, Sequence, TypedDict, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import ccd as ccd
from . import modes as modes

__version__: str

class _BuildInfo(TypedDict):
    version: str
    instructions: str

def build_info() -> _BuildInfo:
    """The version, and the instructions that the engine in use was compiled for: a level of x86-64 such as "x86-64-v3",
    or "native: AVX2"."""

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
    """Base class of all errors of sinew. The text is that of the command line; `code` is the code at its end."""
    code: str

class InputError(Error, ValueError):
    """Invalid input. The text names the file, key or argument, what was found, what was expected and what to do."""

class SimulationError(Error, RuntimeError):
    """The simulation cannot continue, or a file cannot be written."""

class Warning(UserWarning):
    """A warning of the engine, issued by warnings.warn(): a repaired mesh, a setting without effect."""

@final
class Mesh:
    """A tetrahedral mesh in the numbering of its file. Its arrays are read-only copies."""

    def __init__(
        self,
        vertices: ArrayLike,
        tets: ArrayLike,
        regions: Optional[ArrayLike] = None,
        fields: Optional[Mapping[str, ArrayLike]] = None,
    ) -> None:
        """Makes a mesh from vertices (n, 3) [m] and tets (m, 4), vertex ids from 0.

        regions (m,) are ids of regions, 0 by default. fields holds values of the tets by name, (m,) or (m, c). The mesh is
        validated like a mesh file: tets of negative volume are reordered with a warning. Raises InputError if the mesh is
        invalid.
        """
    @property
    def vertices(self) -> NDArray[np.float64]:
        """Positions of the vertices, (n, 3) float64 [m], read-only."""
    @property
    def tets(self) -> NDArray[np.int32]:
        """Vertex ids of the tets, (m, 4) int32, read-only."""
    @property
    def regions(self) -> NDArray[np.int32]:
        """Region of each tet, (m,) int32, read-only."""
    @property
    def fields(self) -> dict[str, NDArray[np.float64]]:
        """Values of the tets by name, (m,) or (m, c) float64, read-only."""

@final
class Material:
    """A hyperelastic material, evaluated at deformation gradients F.

    F is (k, 3, 3), or (3, 3) for a single one; the result then lacks its first axis.
    """

    def __init__(self, model: str, **kwargs: Any) -> None:
        """Makes a material of a model, with the parameters of a scene file by keyword.

        Material("neo_hookean", young=1e6, poisson=0.4), or with lambda_= and mu= [Pa]. Missing parameters have the defaults
        of the scene file. Curves of the model spline are a={"x": [...], "dy": [...]}, likewise b and c; rest="mend" mends
        the rest state. Fibers are fiber={"stiffness": 1e5, "direction": [0, 0, 1]}, or fiber_stiffness= [Pa] and
        fiber_direction=. Raises InputError for an unknown model or parameter and for an invalid value.
        """
    def energy(self, F: ArrayLike) -> NDArray[np.float64]:
        """Returns energy densities, (k,) [J/m^3].

        They are +inf outside the domain of a model that needs det F > 0, and NaN where F has one.
        """
    def stress(self, F: ArrayLike) -> NDArray[np.float64]:
        """Returns first Piola-Kirchhoff stresses, (k, 3, 3) [Pa]; NaN where the energy is not finite."""
    def hessian(self, F: ArrayLike, psd: bool = False) -> NDArray[np.float64]:
        """Returns second derivatives of the energy density by F, (k, 9, 9) [Pa]; NaN where the energy is not finite.

        F is flattened row by row. psd=True clamps negative eigenvalues to zero, as the solver does: those of the model and
        those of the fibers separately.
        """
    @property
    def model(self) -> str:
        """Name of the model."""

@final
class Simulation:
    """A running scene.

    Vertices are those of the bodies, body by body in scene order, each in the numbering of its file.
    """

    def __init__(self, scene: Union[_Path, Mapping[str, Any]], base_dir: _Path = ".") -> None:
        """Builds a scene from the path of a scene file, or from a dict with its keys.

        Relative paths in a dict start at base_dir. Raises InputError if the scene is invalid.
        """
    def step(self) -> dict[str, Any]:
        """Takes one time step, or load step in statics, and returns its row of steps.jsonl.

        A step that does not converge raises no error: check row["converged"]. Ctrl-C raises KeyboardInterrupt and restores
        the state before the step. Raises SimulationError if the simulation cannot continue.
        """
    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions of the vertices, (n, 3) [m], a read-only copy.

        Assign an array to set them; this drops the history of BDF2. Raises InputError for positions that intersect, that
        invert a tet whose material forbids it, or that move prescribed vertices.
        """
    @positions.setter
    def positions(self, value: ArrayLike) -> None: ...
    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities of the vertices, (n, 3) [m/s], a read-only copy.

        Assign an array to set them; this drops the history of BDF2. Prescribed vertices keep theirs.
        """
    @velocities.setter
    def velocities(self, value: ArrayLike) -> None: ...
    @property
    def reduced_coordinates(self) -> NDArray[np.float64]:
        """Coordinates of the methods mixed and reduced, (r,), a read-only copy.

        With handles there are 12 for each: the columns of the 3 x 4 matrix A in its displacement w A [1, (X - center) /
        radius]. With modes, each substructure has the shift [m] and rotation vector [rad] of its frame if it floats, then
        one coordinate for each mode. Assign an array to set them; this drops the history. Raises InputError for other
        methods.
        """
    @reduced_coordinates.setter
    def reduced_coordinates(self, values: ArrayLike) -> None: ...
    @property
    def subspace(self) -> dict[str, Any]:
        """The subspace of the methods mixed and reduced, a dict.

        - tets (c,), tet_weights (c,): cubature points and their weights over rest volumes

        With handles:

        - weights (n, k): (3, n, k) if vertices are fixed along some axes only
        - centers (k, 3) [m], radii (k,) [m]: of the handles
        - eigenvalues (k,) [1/s^2]: of skinning eigenmodes, else (0,)

        With modes, substructures is a list of dicts, each with:

        - vertices (n,), modes (3 n, k): orthonormal in the mass
        - values (k,) [1/s^2]: of the modes
        - floats, center (3,) [m]: whether it has a frame, and the centre of this frame
        - tets (c,), mode_weights (c, k): cubature points and weights
        - poses, forces (k, t), training_error: training data of the weights, and their error

        The values of a single substructure are in the outer dict too, with modes over all vertices. Raises InputError for
        other methods.
        """
    def energies(self) -> _Energies:
        """Returns energies by name [J]."""
    def forces(self) -> _Forces:
        """Returns nodal forces by name: elastic, contact, friction and reaction, each (n, 3) [N]."""
    # live numbers, written by scripts/scene_reference
    def set_time_step(self, step: float) -> None:
        """Sets time.step [s] between steps. A change drops the history of bdf2."""
    def set_gravity(self, gravity: ArrayLike) -> None:
        """Sets gravity [m/s^2] between steps."""
    def set_friction(self, coefficient: float) -> None:
        """Sets contact.friction between steps. A change applies to all pairs of materials without their own coefficient."""
    def set_iterations(self, budget: int) -> None:
        """Sets solver.iterations between steps. For reduced methods and `quasi_newton`. 0: until the tolerance."""
    # end of the live numbers
    def set_material(self, name: str, **kwargs: Any) -> None:
        """Changes a material between steps, by the keywords of a scene; other values stay.

        A parameter is a number, such as young=2e5, or an array with a number for each tet of the material. Fibers are
        fiber={"stiffness": 1e6, "direction": [1, 0, 0]}, fiber_stiffness or fiber_direction alone, or fiber=None. Curves of
        the model spline are a={"x": [...], "dy": [...]}, with rest="exact" or "mend". The density cannot change. Raises
        InputError for an invalid value and then changes nothing.
        """
    def set_method(self, name: str) -> tuple[float, float]:
        """Switches the method between steps; "auto" chooses as at the start of a scene.

        Returns what the new method cannot represent: the largest change of a position [m] and of a velocity [m/s], 0 in
        full space. Raises InputError, and keeps the method, if the new one cannot start from this state.
        """
    def pull(self, vertex: int, target: ArrayLike, stiffness: Optional[float] = None) -> None:
        """Pulls a vertex to target (3,) [m] by a spring, from the next step on.

        Call it again to move the target. The default stiffness [N/m] suits the body's mass and the time step. Raises
        InputError for an unknown vertex.
        """
    def release(self, vertex: Optional[int] = None) -> None:
        """Ends the pull of a vertex, or all pulls."""
    def fix(self, vertices: Sequence[int]) -> None:
        """Fixes vertices where they are, until unfix(). The method is set up again.

        Raises InputError in a subspace, whose basis depends on the prescribed vertices: use pull() there.
        """
    def unfix(self, vertices: Sequence[int]) -> None:
        """Releases prescribed vertices."""
    def set_load(self, load: int, vector: Optional[ArrayLike] = None, pressure: Optional[float] = None) -> None:
        """Changes load number `load` of the scene between steps, counted from 0 in the order of its bodies.

        vector (3,) is its traction [Pa] or force [N], pressure its pressure [Pa]. Raises InputError for a value that does
        not suit the kind of load.
        """
    def set_spring(self, spring: int, point: ArrayLike, stiffness: float) -> None:
        """Changes spring number `spring` of the scene between steps, counted from 0, one for each vertex.

        point (3,) [m] is its fixed end, stiffness in N/m.
        """
    @property
    def time(self) -> float:
        """Simulated time [s]; in statics the share of the load."""
    def save(self, path: _Path) -> None:
        """Writes a checkpoint: the scene, all changes since, and the state.

        Raises InputError if the folder does not exist, SimulationError if writing fails.
        """
    @staticmethod
    def load(path: _Path) -> Simulation:
        """Loads a checkpoint of save() or `sinew run`. The simulation continues bit for bit.

        Raises InputError if the file is missing or invalid.
        """

class Live:
    """A simulation that viewers in the browser watch and pull; made by sinew.live(). A context manager.

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
        """Same as sinew.live()."""
    @property
    def on_event(self) -> Optional[Callable[[dict[str, Any]], None]]:
        """Function called with a dict after each pull, release, setting, method or curve of a viewer, or None."""
    @on_event.setter
    def on_event(self, value: Optional[Callable[[dict[str, Any]], None]]) -> None: ...
    @property
    def url(self) -> str:
        """Address of the page."""
    @property
    def paused(self) -> bool:
        """Whether viewers have paused. sim.step() takes a step all the same."""
    @paused.setter
    def paused(self, value: bool) -> None: ...
    def step(self) -> dict[str, Any]:
        """Waits until the view is not paused, then calls sim.step() and returns its row."""
    def run(self, seconds: float = -1.0) -> None:
        """Takes steps in real time for a number of wall seconds, or until Ctrl-C if it is negative."""
    def update(self) -> None:
        """Applies the viewers' requests and shows the current state, without a step."""
    def close(self) -> None:
        """Ends the view; the simulation stays."""
    def __enter__(self) -> Live:
        """Returns the view."""
    def __exit__(self, type: object, value: object, traceback: object) -> None:
        """Calls close()."""

def live(
    simulation: Simulation,
    port: int = 0,
    address: str = "127.0.0.1",
    token: str = "",
    allow_origin: Sequence[str] = [],
    output: _Path = "out/live",
) -> Live:
    """Shows a simulation in the browser while a script steps it.

    sim.step() applies the viewers' requests and shows the new state. In a notebook the page appears inline. port 0 chooses
    a free port. An address other than 127.0.0.1 needs a token. Recordings go to the folders `output`_1, `output`_2, ...
    Raises InputError if the port is taken.
    """

def read_mesh(path: _Path) -> Mesh:
    """Reads and validates a tetrahedral mesh. Raises InputError naming the file and what is wrong."""

def write_mesh(path: _Path, mesh: Mesh, binary: Optional[bool] = None) -> None:
    """Writes a mesh in the format of the extension: .msh, .vtu, or .obj (its boundary).

    binary is True, False (text) or None (text for .msh, base64 in .vtu). An existing file is replaced completely or not at
    all. Raises InputError for another extension or a missing folder.
    """
