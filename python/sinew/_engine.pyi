"""The compiled part of the package, shown as `sinew`."""

import os
from typing import Any, Callable, Mapping, Optional, Sequence, TypedDict, Union, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

import sinew.objects as _objects

from . import ccd as ccd
from . import modes as modes
from ._meshes import PointsAndCells as _PointsAndCells
from ._meshes import VerticesAndFaces as _VerticesAndFaces
from .scene import Scene as _Scene

__version__: str

class _BuildInfo(TypedDict):
    version: str
    instructions: str

def build_info() -> _BuildInfo:
    """Returns the version, and the instructions that the loaded engine was compiled for: a level of x86-64 such as
    "x86-64-v3", or "native: AVX2".
    """

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
    gravity: NDArray[np.float64]
    loads: NDArray[np.float64]
    springs: NDArray[np.float64]
    damping: NDArray[np.float64]
    spin: NDArray[np.float64]
    ties: NDArray[np.float64]
    inertia: NDArray[np.float64]

class _ObstacleForces(TypedDict):
    contact: NDArray[np.float64]
    friction: NDArray[np.float64]

class Error(Exception):
    """Base class of InputError and SimulationError. The message is that of the command line; `code` is the code at its
    end.
    """
    code: str

class InputError(Error, ValueError):
    """Invalid input. The message names the file, key or argument, what was found, what was expected and what to do."""

class SimulationError(Error, RuntimeError):
    """The simulation cannot continue, or a file cannot be written."""

class Warning(UserWarning):
    """A warning of the engine, issued by warnings.warn(), for example about a repaired mesh or a setting without
    effect.
    """

@final
class TriMesh:
    """A surface of triangles. Its arrays are read-only copies."""

    def __init__(self, vertices: ArrayLike, triangles: ArrayLike) -> None:
        """Makes a surface from vertices (n, 3) [m] and triangles (f, 3), which hold vertex ids from 0 on.

        Triangles are counterclockwise seen from outside. The surface is validated like a surface file. Raises
        InputError if it is invalid.
        """
    @property
    def vertices(self) -> NDArray[np.float64]:
        """Positions of the vertices, (n, 3) float64 [m], read-only."""
    @property
    def triangles(self) -> NDArray[np.int32]:
        """Vertex ids of the triangles, (f, 3) int32, read-only."""
    @property
    def area(self) -> float:
        """Area of all triangles [m^2]."""
    @property
    def is_closed(self) -> bool:
        """Whether the triangles enclose a volume."""
    @property
    def volume(self) -> float:
        """Enclosed volume [m^3]. Raises InputError for an open surface."""
    @property
    def bounds(self) -> NDArray[np.float64]:
        """Smallest and largest coordinates of the vertices, (2, 3) float64 [m], read-only."""

@final
class TetMesh:
    """A tetrahedral mesh in the numbering of its file. Its arrays are read-only copies."""

    def __init__(
        self,
        vertices: ArrayLike,
        tets: ArrayLike,
        regions: Optional[ArrayLike] = None,
        fields: Optional[Mapping[str, ArrayLike]] = None,
    ) -> None:
        """Makes a mesh from vertices (n, 3) [m] and tets (m, 4), which hold vertex ids from 0 on.

        regions (m,) holds the id of each tet's region, 0 by default. fields maps names to values of the tets, (m,) or
        (m, c). The mesh is validated like a mesh file: tets of negative volume are reordered with a warning. Raises
        InputError if the mesh is invalid.
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
        """Arrays with values of the tets, by name, (m,) or (m, c) float64, read-only."""
    @property
    def surface(self) -> TriMesh:
        """Boundary of the tets, a TriMesh with outward triangles.

        It has only the vertices of its triangles, in ascending order: surface.vertices equals
        vertices[surface_vertices].
        """
    @property
    def surface_vertices(self) -> NDArray[np.int32]:
        """Vertex ids of the boundary, ascending, (k,) int32, read-only."""
    @property
    def volume(self) -> float:
        """Volume [m^3]."""
    @property
    def bounds(self) -> NDArray[np.float64]:
        """Smallest and largest coordinates of the vertices, (2, 3) float64 [m], read-only."""

@final
class Material:
    """A hyperelastic material, evaluated at deformation gradients F.

    F is an array (k, 3, 3). If F is a single matrix (3, 3), results lack their first axis.
    """

    def __init__(self, model: str, **kwargs: Any) -> None:
        """Makes a material of a model, with the parameters of a scene file by keyword.

        For example, Material("neo_hookean", young=1e6, poisson=0.4). lambda_= and mu= [Pa] may replace young= and
        poisson=. Missing parameters have the defaults of the scene file, also density= [kg/m^3]. The models ogden and hyperfoam take lists with
        a number for each term, such as mu=[3e5, 1e4], alpha=[1.7, 4]. Give curves of the model spline as a={"x": [...],
        "dy": [...]}, and likewise b and c. rest="mend" makes its rest state free of stress. Give fibers as
        fiber={"stiffness": 1e5, "direction": [0, 0, 1]}, or as fiber_stiffness= [Pa] and fiber_direction=. The model
        holzapfel_gasser_ogden takes families=[[1, 0, 0], ...], a direction for each family of fibers. Raises InputError
        for an unknown model or parameter and for an invalid value.
        """
    def energy(self, F: ArrayLike) -> NDArray[np.float64]:
        """Returns energy densities, (k,) [J/m^3].

        They are +inf outside the domain of a model that needs det F > 0, and NaN if F contains a NaN.
        """
    def stress(self, F: ArrayLike) -> NDArray[np.float64]:
        """Returns first Piola-Kirchhoff stresses, (k, 3, 3) [Pa]. They are NaN where the energy is not finite."""
    def hessian(self, F: ArrayLike, psd: bool = False) -> NDArray[np.float64]:
        """Returns second derivatives of the energy density with respect to F, (k, 9, 9) [Pa].

        They are NaN where the energy is not finite. F is flattened row by row. psd=True clamps negative eigenvalues to
        zero, separately for model and fibers, as the solver does.
        """
    @property
    def model(self) -> str:
        """Name of the model."""
    @property
    def parameters(self) -> dict[str, Any]:
        """Model and parameters by the keys of a scene file, a dict."""

@final
class State:
    """The state of a simulation between two steps: all on which later steps depend.

    These are positions, velocities, history, contact stiffness, friction and time, targets of fixes and obstacles, and
    forces added for the next step. Other changes, such as set_gravity() and pulls, are not in it. A state can be pickled.
    """

    @property
    def time(self) -> float:
        """Simulated time [s]. In statics, the share of the load that is applied."""
    @property
    def step(self) -> int:
        """Number of steps since the start."""
    @property
    def method(self) -> str:
        """The method that can continue from it."""
    @property
    def nbytes(self) -> int:
        """Size in memory [bytes]."""

@final
class Simulation:
    """The simulation of a scene.

    Arrays over vertices list the vertices of the bodies, body by body in scene order. Within a body, vertices are
    numbered as in its mesh file.
    """

    def __init__(self, scene: Union[_Path, Mapping[str, Any], _Scene], base_dir: _Path = ".") -> None:
        """Builds a scene from the path of a scene file, a Scene, or a dict with the keys of a scene file.

        A dict may hold meshes and materials as objects: {"mesh": mesh}. Relative paths in a dict start at base_dir.
        Raises InputError if the scene is invalid.
        """
    def step(self, count: int = 1) -> dict[str, Any]:
        """Takes time steps, or load steps in statics. Returns the row of steps.jsonl for the last one.

        A step that does not converge raises no error: check row["converged"]. Ctrl-C raises KeyboardInterrupt and
        restores the state before the step. Raises SimulationError if the simulation cannot continue.
        """
    def run(
        self,
        until: Optional[float] = None,
        callback: Optional[Callable[[Simulation, dict[str, Any]], Optional[bool]]] = None,
        progress: bool = False,
    ) -> list[dict[str, Any]]:
        """Takes steps until a time [s], or a share of the load in statics. Returns the rows of steps.jsonl.

        Without `until` it ends after the steps of the scene (time.steps). callback(simulation, row) is called after each
        step; a true result ends the run. until=math.inf goes on until then. With progress=True a bar shows the steps: that of
        tqdm or rich if installed. Raises InputError if `until` is no number.
        """
    def state(self) -> State:
        """Returns the present state, to which set_state() goes back. Targets and added forces are part of it."""
    def set_state(self, state: State) -> None:
        """Goes to a state of this simulation, or of a copy of it. Nothing is built again.

        Later steps are the same, bit for bit, as those that followed the state before. Targets set since then end. Raises
        InputError for a state of another scene or method.
        """
    def reset(self) -> None:
        """Goes back to the start of the scene. Pulls, targets of fixes and obstacles, and added forces end.

        Other changes between steps stay.
        """
    def copy(self) -> Simulation:
        """Returns a simulation that continues from the present state, bit for bit the same.

        It has all changes made so far, and no live view. It shares the model, until one of the two is changed, and what the
        method has computed before the first step.
        """
    @property
    def bodies(self) -> _objects.Collection[_objects.Body]:
        """Bodies by name or number: sim.bodies["finger"].positions."""
    @property
    def obstacles(self) -> _objects.Collection[_objects.Obstacle]:
        """Obstacles by name or number."""
    @property
    def fixes(self) -> _objects.Collection[_objects.Fix]:
        """Fixes of the scene by name or number. Without a name in the scene it is BODY.NUMBER, such as "arm.0"."""
    @property
    def loads(self) -> _objects.Collection[_objects.Load]:
        """Loads of the scene by name or number; names as in fixes."""
    @property
    def springs(self) -> _objects.Collection[_objects.Spring]:
        """Springs of the scene by name or number; names as in fixes."""
    @property
    def ties(self) -> _objects.Collection[_objects.Tie]:
        """Ties by name or number. Without a name in the scene it is that of the bodies, such as "skin-bone"."""
    @property
    def materials(self) -> _objects.Collection[_objects.MaterialOfScene]:
        """Materials by name, whose parameters can be set: sim.materials["rubber"].young = 2e5."""
    def settings(self) -> dict[str, Any]:
        """Returns the numbers that can change between steps, by their keys in the scene file: {"gravity": [...],
        "materials.rubber.young": ...}. Parameters that vary over tets are not in it.
        """
    def set(self, key: str, value: ArrayLike) -> None:
        """Sets one of settings() by its key between steps. Raises InputError naming the known keys."""
    def _set_stopped(self, stopped: bool) -> None: ...
    def _outline(self) -> dict[str, Any]: ...
    def _body_mesh(self, body: int) -> dict[str, Any]: ...
    def _body_positions(self, body: int) -> NDArray[np.float64]: ...
    def _body_velocities(self, body: int) -> NDArray[np.float64]: ...
    def _load(self, number: int) -> tuple[str, Union[NDArray[np.float64], float, None]]: ...
    def _springs(
        self, numbers: Sequence[int]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
    def _obstacle_triangles(self, obstacle: int) -> NDArray[np.int32]: ...
    def _material(self, name: str) -> dict[str, Any]: ...
    def _gas(self, number: int) -> tuple[float, float, float, float]: ...
    def _body_mass(self, body: int) -> float: ...
    def _body_place(self, body: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
    def _body_momenta(self, body: int) -> tuple[NDArray[np.float64], NDArray[np.float64], float]: ...
    def _obstacle(
        self, obstacle: int
    ) -> Union[NDArray[np.float64], tuple[NDArray[np.float64], NDArray[np.float64]]]: ...
    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions of the vertices, (n, 3) [m], a read-only copy.

        Assign an array to set the positions; the next step of BDF2 then starts without its history. Raises InputError
        for positions that intersect, that invert a tet whose material forbids this, or that move prescribed vertices.
        """
    @positions.setter
    def positions(self, value: ArrayLike) -> None: ...
    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities of the vertices, (n, 3) [m/s], a read-only copy.

        Assign an array to set the velocities; the next step of BDF2 then starts without its history. Prescribed
        vertices keep the velocities of their motions.
        """
    @velocities.setter
    def velocities(self, value: ArrayLike) -> None: ...
    @property
    def reduced_coordinates(self) -> NDArray[np.float64]:
        """Coordinates of the methods mixed and reduced, (r,), a read-only copy.

        Each handle has 12 coordinates: the columns of the 3 x 4 matrix A in its displacement w A [1, (X - center) /
        radius]. With modes in place of handles, each substructure has one coordinate for each mode. If it floats, the
        shift [m] and rotation vector [rad] of its frame come first. Assign an array to set the coordinates; the next
        step of BDF2 then starts without its history. Raises InputError for other methods.
        """
    @reduced_coordinates.setter
    def reduced_coordinates(self, values: ArrayLike) -> None: ...
    @property
    def subspace(self) -> dict[str, Any]:
        """The subspace of the methods mixed and reduced, a dict.

        - tets (c,), tet_weights (c,): cubature points and their weights over rest volumes

        With handles:

        - weights (n, k), or (3, n, k) if vertices are fixed along some axes only
        - centers (k, 3) [m], radii (k,) [m]: of the handles
        - eigenvalues (k,) [1/s^2]: of skinning eigenmodes; (0,) for other handles

        With modes, substructures is a list of dicts, each with:

        - vertices (n,), modes (3 n, k): orthonormal in the mass
        - values (k,) [1/s^2]: of the modes
        - floats, center (3,) [m]: whether the substructure has a frame, and the centre of this frame
        - tets (c,), mode_weights (c, k): cubature points and weights
        - poses, forces (k, t), training_error: training data of the weights, and the error of the weights

        If there is only one substructure, its entries are in the outer dict too, with modes over all vertices. Raises
        InputError for other methods.
        """
    def energies(self) -> _Energies:
        """Returns energies by name [J]."""
    def sensors(self) -> dict[str, dict[str, Union[float, NDArray[np.float64], None]]]:
        """Returns the sensors of the scene at the current state: {sensor: {quantity: value}}. Vectors are arrays."""
    def contacts(self) -> NDArray[np.void]:
        """Returns the contacts at the end of the last step, a structured array with a row for each pair that pushes.

        - body_a, body_b: indices into contact_names, body_a <= body_b; an obstacle is b
        - kind: the features of a and b, such as "vertex-face", "edge-edge", "vertex-plane"
        - vertices_a, vertices_b (3,): of bodies as in positions, of obstacles as in their meshes; -1 for none
        - weights_a, weights_b (3,): barycentric coordinates of the closest points
        - point (3,): midway between the closest points [m]
        - normal (3,): unit vector from b to a
        - gap: distance less thickness [m]; negative where penalties overlap
        - normal_force: along the normal on a, opposite on b [N]
        - friction_force (3,): on a, opposite on b [N]
        - slip_velocity (3,): tangential velocity of a relative to b [m/s], in statics the slip of the load step [m]
        - area: weight of the pair in the integral of the pressure [m^2]
        - rest_a, rest_b (3,): the closest points in the rest state [m]

        Convergent contact has points inside faces as feature "sample". In a subspace, vertices are samples of the surfaces,
        and faces lie between samples. Without a step, slip and friction are zero.
        """
    @property
    def contact_names(self) -> tuple[str, ...]:
        """Names of the bodies, then of the obstacles, a tuple of str."""
    def wrench(
        self, on: Union[str, int], by: Union[str, int, None] = None, about: Optional[ArrayLike] = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the force (3,) [N] and moment (3,) [N m] of the contacts on a body or obstacle.

        - on, by: names, or indices into contact_names. Without by, all contacts count.
        - about (3,) [m]: the point of the moment. Default: the centre of mass of a body, the mean of an obstacle's vertices,
          the point of a plane
        """
    def forces(self, terms: Optional[Sequence[str]] = None) -> _Forces:
        """Returns nodal forces by name, each (n, 3) [N]. Together they add up to zero.

        - elastic, contact, friction
        - reaction: of prescribed vertices
        - gravity: with accelerations of bodies
        - loads: tractions, forces, pressures, moments, and forces of add_force()
        - springs: pulls too
        - damping
        - spin: centrifugal, of a rotating frame
        - ties: on tied vertices, and opposite ones on those that they follow
        - inertia: minus the rate of momentum, with Coriolis and Euler forces of a rotating frame

        In a subspace, and for affine bodies, the sum over a body that can translate is zero, not that at a vertex. Scenes
        with a skeleton have only the first four. Reactions, ties and inertia are zero until the first step.

        terms: names; without them all are computed. The first four take less time.
        """
    def obstacle_forces(self) -> dict[str, _ObstacleForces]:
        """Returns forces on obstacles by name: {obstacle: {"contact": (n, 3), "friction": (n, 3)}} [N].

        Rows are the vertices of the obstacle's mesh. A plane has one row, the sum.
        """
    def _placed(self, on: Union[str, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns points (n, 3) of a surface at rest and at present [m]: its vertices, or three of a plane."""
    def vibrations(self, count: int = 20, contact: str = "scene") -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the lowest small vibrations about the current state: omega^2 (k,) [1/s^2] and modes (3 n, k).

        Values are ascending; negative ones belong to motions that grow, zero to motions without stiffness. Modes are
        orthonormal in the mass. Their rows are x, y, z of each vertex in turn.

        Closed contacts with friction stick and others slide (contact="scene"), or all stick ("tied"), all slide
        ("sliding"), or none has stiffness ("open").
        """
    def buckling(
        self, count: int = 5, reverse: bool = False, contact: str = "scene"
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns linear buckling factors (k,), ascending, and shapes (3 n, k) about the current state.

        Factors multiply the change of the loads from the state to time 1 of a static scene. There may be fewer than count.
        The largest displacement of a shape is 1 m.

        - reverse: loads in the opposite direction
        - contact: as in vibrations()
        """
    def response(
        self,
        frequencies: ArrayLike,
        modes: int = 20,
        damping_ratio: float = 0.0,
        loss_factor: float = 0.0,
        contact: str = "scene",
    ) -> dict[str, NDArray[np.complex128]]:
        """Returns complex amplitudes (k,) of the scene's sensors under harmonic loads, by name, about the current state.

        Loads oscillate with the amplitude by which they change from the state to time 1 of a static scene. The real part is
        in phase with them. Quantities that are not linear in the motion are left out with a warning.

        - frequencies (k,) [Hz]
        - modes: how many are superposed; 0 solves each frequency directly
        - damping_ratio: of each mode, besides the damping of bodies
        - loss_factor: eta of the stiffness K (1 + i eta)
        - contact: as in vibrations()
        """
    # live numbers, written by scripts/scene_reference
    def set_time_step(self, step: float) -> None:
        """Sets time.step [s] between steps. A change discards the history of `bdf2`."""
    def set_gravity(self, gravity: ArrayLike) -> None:
        """Sets gravity [m/s^2] between steps."""
    def set_friction(self, coefficient: float) -> None:
        """Sets contact.friction between steps. A change applies to all pairs of materials without their own coefficient."""
    def set_iterations(self, budget: int) -> None:
        """Sets solver.iterations between steps. For reduced methods and `quasi_newton`. 0: steps end at the tolerance."""
    # end of the live numbers
    def set_material(self, name: str, **kwargs: Any) -> None:
        """Changes keys of a material of the scene between steps. Other keys keep their values.

        A parameter is a number, such as young=2e5, or an array with a number for each tet of the material. Set fibers
        by fiber={"stiffness": 1e6, "direction": [1, 0, 0]}, or change them by fiber_stiffness or fiber_direction alone.
        fiber=None removes them. Set curves of the model spline by a={"x": [...], "dy": [...]}, with rest="exact" or
        "mend". The density cannot change. An invalid value raises InputError and changes nothing.
        """
    def set_method(self, name: str) -> tuple[float, float]:
        """Switches the method between steps; "auto" chooses as at the start of a scene.

        A new subspace may not represent the present state exactly. Returns the largest changes of a position [m] and of
        a velocity [m/s] that this causes, 0 in full space. If the new method cannot start from this state, raises
        InputError and keeps the old method.
        """
    def pull(self, vertex: int, target: ArrayLike, stiffness: Optional[float] = None) -> None:
        """Pulls a vertex to target (3,) [m] by a spring, from the next step on.

        Call it again to move the target. The default stiffness [N/m] suits the body's mass and the time step. Raises
        InputError for an unknown vertex.
        """
    def release(self, vertex: Optional[int] = None) -> None:
        """Ends the pull of a vertex, or all pulls. Raises InputError for an unknown vertex."""
    def fix(self, vertices: ArrayLike) -> None:
        """Fixes vertices at their present positions until unfix(). The data of the method are built again.

        vertices: ids (k,), or a mask with an entry for each vertex. Raises InputError for unknown vertices. Also raises
        InputError for methods in a subspace, since its basis depends on the prescribed vertices. Use pull() with these
        methods.
        """
    def unfix(self, vertices: ArrayLike) -> None:
        """Releases prescribed vertices: ids (k,), or a mask with an entry for each vertex.

        Vertices that are not prescribed stay free. Raises InputError for unknown vertices.
        """
    def set_load(self, load: int, vector: Optional[ArrayLike] = None, pressure: Optional[float] = None) -> None:
        """Changes a load between steps. `load` counts the loads of the scene from 0, in the order of its bodies.

        vector (3,) is the new traction [Pa] or force [N], pressure the new pressure [Pa]. Raises InputError for a value
        that does not suit the kind of this load.
        """
    def set_spring(self, spring: int, point: ArrayLike, stiffness: float) -> None:
        """Changes a spring between steps. `spring` counts the springs of the scene from 0, one for each vertex.

        point (3,) [m] is the new fixed end of the spring, stiffness [N/m] its new stiffness.
        """
    def set_fix_target(self, body: Union[str, int], fix: Union[str, int], positions: Optional[ArrayLike] = None,
                       transform: Optional[ArrayLike] = None, velocity: Optional[ArrayLike] = None) -> None:
        """Moves the vertices of a fix. body and fix are names or numbers of the scene. Give one target:

        - positions (k, 3) [m]: of the fix's vertices, in the order of its selection
        - transform (4, 4): an affine map of the rest positions
        - velocity (3,) [m/s]: from the present place on

        Positions and transforms are reached at the end of the next step, linearly within it, and held until another
        target. Methods in a subspace need positions that an affine map gives. A first target may set up their subspace
        again.
        """
    def set_obstacle_pose(self, obstacle: Union[str, int], matrix: ArrayLike) -> None:
        """Moves an obstacle to a pose (4, 4), a rotation and shift [m] of its place in the scene without motion.

        The pose is reached at the end of the next step, linearly within it, and held until another target.
        """
    def set_obstacle_vertices(self, obstacle: Union[str, int], vertices: ArrayLike) -> None:
        """Deforms an obstacle: vertices (n, 3) [m] are the places of all vertices of its mesh.

        They are reached at the end of the next step, linearly within it, and held until another target.
        """
    def set_obstacle_velocity(self, obstacle: Union[str, int], velocity: ArrayLike) -> None:
        """Moves an obstacle with a velocity (3,) [m/s] from its present place on, until another target.

        In statics the velocity is a displacement by load.
        """
    def add_force(self, vertices: ArrayLike, forces: ArrayLike) -> None:
        """Adds forces (k, 3) [N] to vertices (k,) in the next step. One force (3,) is for each of the vertices.

        vertices may be a mask with an entry for each vertex. Several calls add up. After the step the forces are gone. In
        statics the load step has them in full.
        """
    def set_spring_length(self, body: Union[str, int], spring: Union[str, int], length: float) -> None:
        """Sets the rest length [m] of all springs of an entry. body and spring are names or numbers.

        A shorter length tightens a tendon. It replaces keyframes.
        """
    def set_spring_stiffness(self, body: Union[str, int], spring: Union[str, int], stiffness: float) -> None:
        """Sets the stiffness [N/m] of each spring of an entry. body and spring are names or numbers."""
    def set_spring_point(self, body: Union[str, int], spring: Union[str, int], point: ArrayLike) -> None:
        """Sets the fixed end (3,) [m] of all springs of an entry. body and spring are names or numbers.

        It replaces the motion of the point. Raises InputError for springs between bodies.
        """
    def set_pressure(self, body: Union[str, int], load: Union[str, int], pressure: float) -> None:
        """Sets a pressure [Pa] of a body, in place of its keyframes. body and load are names or numbers."""
    def set_gas_amount(self, body: Union[str, int], load: Union[str, int], amount: float) -> None:
        """Sets the amount of a gas over that at the start, in place of its keyframes: 2 pumps in as much again.

        body and load are names or numbers."""
    def set_traction(self, body: Union[str, int], load: Union[str, int], vector: ArrayLike) -> None:
        """Sets a traction (3,) [Pa] of a body, in place of its keyframes. body and load are names or numbers."""
    def set_wind(self, body: Union[str, int], load: Union[str, int], velocity: ArrayLike) -> None:
        """Sets the velocity (3,) [m/s] of a wind, in place of its keyframes. body and load are names or numbers."""
    def set_force(self, body: Union[str, int], load: Union[str, int], vector: ArrayLike) -> None:
        """Sets a force (3,) [N] of a body, in place of its keyframes. body and load are names or numbers."""
    def set_moment(self, body: Union[str, int], load: Union[str, int], vector: ArrayLike) -> None:
        """Sets a moment (3,) [N m] of a body, in place of its keyframes. body and load are names or numbers."""
    def set_activation(self, material: str, activation: float) -> None:
        """Sets the activation, 0 to 1, of the fibers of a material.

        They then pull with that share of their active tension, `fiber.tension` in the scene. It replaces keyframes.
        """
    def set_pair_friction(self, a: str, b: str, coefficient: float) -> None:
        """Sets the friction of two materials, as contact.friction.pairs of a scene.

        An obstacle without a material has its own name.
        """
    def release_tie(self, tie: Union[str, int]) -> None:
        """Releases a tie, by name or number, before the next step.

        The tie needs an end in the scene, "until" or "breaks_at": its faces then have a gap. If the faces intersect, it
        holds until they separate.
        """
    @property
    def time(self) -> float:
        """Simulated time [s]. In statics, the share of the load that is applied.

        Assign a number to change the time, on which motions, loads and releases of the scene depend. Targets and added
        forces move along. Raises InputError in statics.
        """
    @time.setter
    def time(self, value: float) -> None: ...
    def save(self, path: _Path) -> None:
        """Writes a checkpoint with the scene, all later changes, and the state.

        Raises InputError if the folder does not exist, and SimulationError if writing fails.
        """
    @staticmethod
    def load(path: _Path) -> Simulation:
        """Loads a checkpoint of save() or `sinew run`. The simulation continues bit for bit.

        Raises InputError if the file is missing or invalid.
        """
    def render(
        self,
        width: int = 640,
        height: int = 480,
        camera: Optional[Camera] = None,
        field: Optional[ArrayLike] = None,
        range: Optional[ArrayLike] = None,
    ) -> NDArray[np.uint8]:
        """Returns a picture (height, width, 3) of 8-bit colours. It needs no display, but Debian's package libosmesa6.

        The camera is by default that of Camera.fit(). field (n,) has a number for each vertex, shown by the colours of
        viridis. They span range[0] to range[1], by default all values. Vertices with NaN have the body's colour. Raises
        SimulationError if the library is missing.
        """
    def render_depth(
        self, width: int = 640, height: int = 480, camera: Optional[Camera] = None
    ) -> NDArray[np.float32]:
        """Returns depths (height, width) along the view axis at the centres of pixels, float32 [m]. Infinite where nothing
        is.
        """
    def render_segmentation(
        self, width: int = 640, height: int = 480, camera: Optional[Camera] = None
    ) -> NDArray[np.int32]:
        """Returns what is at the centres of pixels: (height, width, 2) of int32, an object and its triangle.

        Objects count bodies, then obstacles. Triangles are rows of body.surface, or those of the obstacle or of the render
        surface. A plane has triangle 0. Both are -1 where nothing is.
        """
    def write_frame(
        self,
        path: _Path,
        width: Optional[int] = None,
        height: Optional[int] = None,
        camera: Optional[Camera] = None,
        field: Optional[ArrayLike] = None,
        range: Optional[ArrayLike] = None,
    ) -> None:
        """Writes the present state by the extension: .png, .vtu (bodies with their fields), .obj or .ply (surfaces).

        A .png is that of render(), by default with 960 x 720 pixels. The other arguments are for .png alone.
        """

class Camera:
    """The place and direction of a picture. The middle of the picture shows `target`. fov is the vertical field of view [degrees].

    orthographic is the height of a view without perspective [m], for which fov has no effect.
    """
    def __init__(
        self,
        position: ArrayLike,
        target: ArrayLike,
        up: ArrayLike = (0, 1, 0),
        fov: float = 40.0,
        orthographic: Optional[float] = None,
    ) -> None:
        """Raises InputError if position and target are equal, or if `up` lies along the view."""
    @staticmethod
    def fit(
        simulation: Simulation,
        direction: Optional[ArrayLike] = None,
        up: Optional[ArrayLike] = None,
        fov: float = 40.0,
        aspect: float = 1.3333333333333333,
    ) -> Camera:
        """Returns a camera that frames a simulation as it is now and as it is at rest.

        direction points from the simulation to the camera, by default to the front, the right and above. `up` is by default
        against gravity. aspect is width over height of the picture. Large obstacles are not framed as a whole.
        """
    @property
    def position(self) -> NDArray[np.float64]:
        """Position (3,) [m]."""
    @property
    def target(self) -> NDArray[np.float64]:
        """Target (3,) [m]."""
    @property
    def up(self) -> NDArray[np.float64]:
        """Direction (3,) that is upwards in pictures."""
    @property
    def fov(self) -> float:
        """Vertical field of view [degrees]."""
    @property
    def orthographic(self) -> Optional[float]:
        """Height of a view without perspective [m], or None."""
    @property
    def matrix(self) -> NDArray[np.float64]:
        """Matrix (4, 4) from world to camera coordinates [m]: x to the right, y down, z along the view."""
    def project(self, points: ArrayLike, width: int = 640, height: int = 480) -> NDArray[np.float64]:
        """Returns where a picture shows points (n, 3): (n, 2) pixels from its upper left corner, right and down.

        The centre of the pixel image[row, column] is (column + 0.5, row + 0.5). Points behind the camera become NaN.
        """

class Live:
    """A simulation that viewers watch and pull in the browser, made by sinew.live(). It is a context manager.

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
        """Takes the arguments of sinew.live()."""
    @property
    def on_event(self) -> Optional[Callable[[dict[str, Any]], None]]:
        """Function, or None. It gets a dict after each pull, release, setting, method or curve from a viewer."""
    @on_event.setter
    def on_event(self, value: Optional[Callable[[dict[str, Any]], None]]) -> None: ...
    @property
    def url(self) -> str:
        """Address of the page."""
    @property
    def paused(self) -> bool:
        """Whether a viewer has paused the simulation. sim.step() takes a step even then."""
    @paused.setter
    def paused(self, value: bool) -> None: ...
    def step(self) -> dict[str, Any]:
        """Waits until the view is not paused, then calls sim.step() and returns its row."""
    def run(self, seconds: float = -1.0) -> None:
        """Takes steps in real time for `seconds` of wall-clock time. If seconds is negative, continues until Ctrl-C."""
    def update(self) -> None:
        """Applies the viewers' requests and shows the current state, without a step."""
    def close(self) -> None:
        """Ends the view. The simulation can still be used."""
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

    sim.step() applies the viewers' requests and shows the new state. In a notebook the page appears inline. With
    port=0, a free port is chosen. An address other than 127.0.0.1 needs a token. Recordings go to the folders
    `output`_1, `output`_2, ... Raises InputError if the port is taken.
    """

def read_mesh(path: _Path) -> TetMesh:
    """Reads and validates a tetrahedral mesh. Raises an InputError that names the file and the fault."""

def write_mesh(path: _Path, mesh: TetMesh, binary: Optional[bool] = None) -> None:
    """Writes a mesh in the format of the extension: .msh, .vtu, .inp, .unv, .bdf, .nas, or .obj (its boundary).

    With binary=True the file is binary (.msh, .vtu), with binary=False it is text. With None, .vtu files have base64
    data and others are text. An existing file is replaced completely or not at all. Raises InputError for another
    extension or a missing folder.
    """

def read_surface(path: _Path) -> TriMesh:
    """Reads and validates a surface, or the boundary of a volume mesh. Raises an InputError that names the file and the
    fault.
    """

def tetrahedralize(
    surface: Union[TriMesh, _PointsAndCells, _VerticesAndFaces],
    size: Optional[float] = None,
    distance: Optional[float] = None,
    feature_angle: Optional[float] = None,
    robust: bool = False,
) -> TetMesh:
    """Fills a closed surface with tets by the program sinew-mesh, and returns a TetMesh.

    surface is a TriMesh, or a surface of trimesh or meshio.

    - size: edge length [m]; default: 1/40 of the diagonal of the bounding box, less for thin bodies
    - distance: largest distance of the mesh from the surface [m]; default: size / 20
    - feature_angle: edges where the surface turns by more than this stay sharp [degrees]; default: 60
    - robust: meshes by winding numbers, for surfaces with holes, self-intersections or inconsistent normals

    Raises InputError if sinew-mesh is missing or the surface has faults.
    """

def box(size: ArrayLike, cells: Optional[ArrayLike] = None, edge: Optional[float] = None) -> TetMesh:
    """Returns a box of extents size (3,) [m], centred at the origin, a TetMesh.

    cells (3,) is the number of cells along each axis, each of five tets. Or give edge [m], the edge length of the cells;
    default: a quarter of the shortest extent.
    """

def sphere(radius: float, edge: Optional[float] = None) -> TetMesh:
    """Returns a ball of a radius [m], centred at the origin, a TetMesh.

    edge is the edge length of its tets [m]; default: a fifth of the radius.
    """

def cylinder(radius: float, height: float, edge: Optional[float] = None, axis: str = "y") -> TetMesh:
    """Returns a solid cylinder of a radius and height [m] around "x", "y" or "z", centred at the origin, a TetMesh.

    edge is the edge length of its tets [m]; default: a quarter of the smaller of radius and height.
    """

def torus(radius: float, tube: float, edge: Optional[float] = None, axis: str = "y") -> TetMesh:
    """Returns a solid torus around "x", "y" or "z", centred at the origin, a TetMesh.

    radius [m] is that of the centre line, tube [m] that of the tube. edge is the edge length of its tets [m]; default:
    half the radius of the tube.
    """

def sheet(
    size: ArrayLike, cells: Optional[ArrayLike] = None, edge: Optional[float] = None, axis: str = "y"
) -> TriMesh:
    """Returns a flat rectangle with the normal "x", "y" or "z", centred at the origin, a TriMesh.

    size (2,) [m] holds its extents along the other two axes, in alphabetical order. cells (2,) is the number of cells
    along each side, each of two triangles. Or give edge [m], the edge length of the cells; default: a twentieth of the
    shorter side.
    """

def heightfield(heights: ArrayLike, size: ArrayLike, axis: str = "y") -> TriMesh:
    """Returns the surface of a terrain that rises along "x", "y" or "z", a TriMesh.

    heights (rows, columns) [m] are those of a sheet() of extents size (2,) [m]. Columns count along the first side, rows
    along the second. Vertices are numbered row by row.
    """

def _plain_scene(scene: Any) -> Any: ...
def _read_scene(path: _Path) -> dict[str, Any]: ...
def _write_scene(path: _Path, scene: Any) -> None: ...
