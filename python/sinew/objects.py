"""The parts of a simulation by name: bodies, obstacles, fixes, loads, springs, ties and materials.

Arrays are copies of the present state: ask again after a step. Arrays of meshes (tets, surface, rest positions, masses)
never change. All are read-only.
"""

import operator
import weakref
from typing import Any, Callable, Dict, Generic, Iterator, List, Optional, Tuple, Type, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._engine import InputError, Simulation

Floats = NDArray[np.float64]
Ids = NDArray[np.int32]
Part = TypeVar("Part")


class _NoSuchPart(InputError, IndexError):
    """A number beyond the last part."""


def _wrong(text: str, kind: Type[InputError] = InputError) -> InputError:
    error = kind(f"{text} [E-argument]")
    error.code = "E-argument"
    return error


def _fixed(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


class Collection(Generic[Part]):
    """Parts of a simulation, in the order of the scene. An index is a name or a number.

    A loop goes over the parts; keys(), values() and items() are those of a dict by name.
    """

    def __init__(self, kind: str, names: List[str], make: Callable[[int], Part]) -> None:
        self._kind, self._names, self._make = kind, names, make

    @property
    def names(self) -> List[str]:
        """Names in the order of the scene."""
        return list(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[Part]:
        return (self._make(number) for number in range(len(self._names)))

    def keys(self) -> List[str]:
        """Names, as `names`."""
        return self.names

    def values(self) -> List[Part]:
        """The parts."""
        return list(self)

    def items(self) -> List[Tuple[str, Part]]:
        """Pairs of a name and its part."""
        return list(zip(self._names, self))

    def __getitem__(self, key: Union[str, int]) -> Part:
        """Raises InputError for an unknown name or number; that of a number is an IndexError, too."""
        if isinstance(key, str):
            if key not in self._names:
                known = ", ".join(f'"{name}"' for name in self._names) or "none"
                raise _wrong(f'{self._kind}: found "{key}", expected one of: {known}')
            return self._make(self._names.index(key))
        try:
            number = operator.index(key)
        except TypeError:
            raise _wrong(f"{self._kind}: found {key!r}, expected a name or a number") from None
        count = len(self._names)
        if not -count <= number < count:
            raise _wrong(f"{self._kind}: found {key}, expected a number below {count}", _NoSuchPart)
        return self._make(number % count)

    def __repr__(self) -> str:
        return f"<{self._kind}: {', '.join(self._names)}>"


class _Part:

    def __init__(self, simulation: Simulation, number: int, facts: Dict[str, Any]) -> None:
        self._simulation, self._number, self._facts = simulation, number, facts

    @property
    def name(self) -> str:
        """Name in the scene."""
        return str(self._facts["name"])

    @property
    def number(self) -> int:
        """Number in the order of the scene."""
        return self._number


class Body(_Part):
    """A body of a simulation."""

    @property
    def vertices(self) -> slice:
        """Its vertices among those of the simulation: sim.positions[body.vertices] are its positions."""
        begin = self._facts["begin"]
        return slice(begin, begin + self._facts["count"])

    def _mesh(self) -> Dict[str, Any]:
        meshes = _known(self._simulation).meshes
        if self._number not in meshes:
            meshes[self._number] = self._simulation._body_mesh(self._number)
        return meshes[self._number]

    @property
    def rest_positions(self) -> Floats:
        """Positions at rest (n, 3) [m], read-only."""
        return self._mesh()["rest"]  # type: ignore[no-any-return]

    @property
    def tets(self) -> Ids:
        """Its tets (m, 4), whose vertex ids are those of its mesh, read-only. (0, 4) for a cloth."""
        return self._mesh()["tets"]  # type: ignore[no-any-return]

    @property
    def surface(self) -> Ids:
        """Triangles of its surface (f, 3), counter-clockwise seen from outside, vertex ids of its mesh, read-only."""
        return self._mesh()["surface"]  # type: ignore[no-any-return]

    @property
    def masses(self) -> Floats:
        """Masses of its vertices (n,) [kg], read-only. Zero at vertices that follow others."""
        return self._mesh()["mass"]  # type: ignore[no-any-return]

    @property
    def positions(self) -> Floats:
        """Positions (n, 3) [m], a read-only copy."""
        return self._simulation._body_positions(self._number)

    @property
    def velocities(self) -> Floats:
        """Velocities (n, 3) [m/s], a read-only copy."""
        return self._simulation._body_velocities(self._number)

    @property
    def mass(self) -> float:
        """Mass [kg]."""
        return self._simulation._body_mass(self._number)

    @property
    def center_of_mass(self) -> Floats:
        """Center of mass (3,) [m], read-only."""
        return _fixed(self._simulation._body_place(self._number)[0])

    @property
    def linear_momentum(self) -> Floats:
        """Sum of m v over its vertices (3,) [kg m/s], read-only."""
        return _fixed(self._simulation._body_momenta(self._number)[0])

    @property
    def angular_momentum(self) -> Floats:
        """Sum of m (x - c) x v over its vertices, about the center of mass c, (3,) [kg m^2/s], read-only."""
        return _fixed(self._simulation._body_momenta(self._number)[1])

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy [J]."""
        return self._simulation._body_momenta(self._number)[2]

    @property
    def rotation(self) -> Floats:
        """The rotation R (3, 3) that fits best: the polar part of sum m (x - c) (X - C)^T, X and C at rest; read-only."""
        return self.transform[:3, :3]

    def _has_masses(self) -> bool:
        """Whether vertices of the mesh have masses: those of affine bodies have none."""
        mesh = self._mesh()
        if "has_masses" not in mesh:
            mesh["has_masses"] = bool(mesh["mass"].any())
        return bool(mesh["has_masses"])

    @property
    def transform(self) -> Floats:
        """The rigid motion (4, 4) from rest that fits best in the mass: x = R (X - C) + c; read-only."""
        if self._has_masses():
            now, center, moments = self._simulation._body_place(self._number)
        else:
            rest, positions = self.rest_positions, self.positions
            center, now = rest.mean(axis=0), positions.mean(axis=0)
            moments = (positions - now).T @ (rest - center)
        u, _, vt = np.linalg.svd(moments)
        u[:, 2] *= np.sign(np.linalg.det(u @ vt))
        result = np.eye(4)
        result[:3, :3] = u @ vt
        result[:3, 3] = now - result[:3, :3] @ center
        return _fixed(result)

    def __repr__(self) -> str:
        return f"<body '{self.name}' of {self._facts['count']} vertices>"


class Obstacle(_Part):
    """An obstacle of a simulation: a mesh, or a plane."""

    @property
    def is_plane(self) -> bool:
        """Whether it is a plane."""
        return bool(self._facts["plane"])

    @property
    def positions(self) -> Floats:
        """Positions of its vertices (n, 3) [m], a read-only copy. Raises InputError for a plane."""
        if self.is_plane:
            raise _wrong(f'obstacle "{self.name}" is a plane: it has a point and a normal, but no vertices')
        return self._simulation._obstacle(self._number)  # type: ignore[return-value]

    @property
    def triangles(self) -> Ids:
        """Triangles of its mesh (f, 3), vertex ids of its mesh, read-only. (0, 3) for a plane."""
        return self._simulation._obstacle_triangles(self._number)

    @property
    def plane(self) -> Tuple[Floats, Floats]:
        """A point (3,) [m] and the normal (3,) of a plane. Raises InputError for a mesh."""
        if not self.is_plane:
            raise _wrong(f'obstacle "{self.name}" is a mesh: it has positions, but no plane')
        return self._simulation._obstacle(self._number)  # type: ignore[return-value]

    def set_pose(self, matrix: ArrayLike) -> None:
        """Moves it in the next step to a pose (4, 4), as Simulation.set_obstacle_pose()."""
        self._simulation.set_obstacle_pose(self._number, matrix)

    def set_vertices(self, vertices: ArrayLike) -> None:
        """Deforms it in the next step, to vertices (n, 3) [m], as Simulation.set_obstacle_vertices()."""
        self._simulation.set_obstacle_vertices(self._number, vertices)

    def set_velocity(self, velocity: ArrayLike) -> None:
        """Moves it from now on with a velocity (3,) [m/s], as Simulation.set_obstacle_velocity()."""
        self._simulation.set_obstacle_velocity(self._number, velocity)

    def __repr__(self) -> str:
        return f"<obstacle '{self.name}'>"


class _Entry(_Part):
    """An entry of a body's list in the scene."""

    _kind = ""

    @property
    def body(self) -> str:
        """Name of its body."""
        return str(self._facts["body"])

    @property
    def entry(self) -> int:
        """Number in the list of its body."""
        return int(self._facts["entry"])

    @property
    def name(self) -> str:
        """Its name: that of the scene, or BODY.NUMBER."""
        return _entry_name(self._facts)

    def __repr__(self) -> str:
        return f"<{self._kind} '{self.name}'>"


class Fix(_Entry):
    """Vertices of a body that the scene prescribes."""

    _kind = "fix"

    @property
    def vertices(self) -> Ids:
        """Vertices among those of the simulation (k,), in the order of its selection, read-only."""
        return self._facts["vertices"]  # type: ignore[no-any-return]

    @property
    def positions(self) -> Floats:
        """Positions of its vertices (k, 3) [m], read-only."""
        return _fixed(self._simulation.positions[self.vertices])

    @property
    def reaction(self) -> Floats:
        """Sum of the forces on its vertices (3,) [N] at the end of the last step."""
        total: Floats = self._simulation.forces(["reaction"])["reaction"][self.vertices].sum(axis=0)
        return total

    def set_target(self, positions: Optional[ArrayLike] = None, transform: Optional[ArrayLike] = None,
                   velocity: Optional[ArrayLike] = None) -> None:
        """Moves it in the next step to positions (k, 3), by a transform (4, 4) of the rest positions, or from now on with a
        velocity (3,), as Simulation.set_fix_target().
        """
        self._simulation.set_fix_target(self.body, self.entry, positions, transform, velocity)


class Load(_Entry):
    """A load of the scene."""

    _kind = "load"

    @property
    def kind(self) -> str:
        """"force", "traction", "moment", "pressure", "gas", or "wind"."""
        return self._simulation._load(int(self._facts["numbers"][0]))[0]

    @property
    def value(self) -> Union[Floats, float]:
        """Its present value: a vector (3,) [N], [Pa], [N m] or [m/s], or a pressure [Pa]. Keyframes and ramps count."""
        value = self._simulation._load(int(self._facts["numbers"][0]))[1]
        return self.pressure if value is None else value

    def set(self, vector: Optional[ArrayLike] = None, pressure: Optional[float] = None) -> None:
        """Changes its vector (3,), in the unit of the load, or its pressure [Pa], as Simulation.set_load()."""
        self._simulation.set_load(int(self._facts["numbers"][0]), vector, pressure)

    def _gas(self) -> Tuple[float, float, float, float]:
        return self._simulation._gas(int(self._facts["numbers"][0]))

    @property
    def volume(self) -> float:
        """Volume of a gas [m^3]. Raises InputError for other loads."""
        return self._gas()[0]

    @property
    def pressure(self) -> float:
        """Pressure of a gas above the ambient one [Pa]. Raises InputError for other loads."""
        return self._gas()[1]

    @property
    def amount(self) -> float:
        """Amount of a gas over that at the start. Raises InputError for other loads."""
        return self._gas()[2]

    @property
    def energy(self) -> float:
        """Energy of a gas and of the ambient pressure [J], 0 at rest. Raises InputError for other loads."""
        return self._gas()[3]

    def set_amount(self, amount: float) -> None:
        """Sets the amount of a gas over that at the start, as Simulation.set_gas_amount()."""
        self._simulation.set_gas_amount(self.body, self.entry, amount)


class Spring(_Entry):
    """Springs of one entry of the scene: one for each of its vertices."""

    _kind = "spring"

    @property
    def numbers(self) -> Ids:
        """Numbers of its springs, for Simulation.set_spring(), (k,), read-only."""
        return self._facts["numbers"]  # type: ignore[no-any-return]

    @property
    def vertices(self) -> Ids:
        """Vertices among those of the simulation (k,), one for each spring, read-only."""
        return self._simulation._springs(self.numbers.tolist())[0]

    @property
    def lengths(self) -> Floats:
        """Rest lengths of its springs (k,) [m], read-only."""
        return self._simulation._springs(self.numbers.tolist())[1]

    @property
    def stiffnesses(self) -> Floats:
        """Stiffnesses of its springs (k,) [N/m], read-only."""
        return self._simulation._springs(self.numbers.tolist())[2]

    @property
    def points(self) -> Floats:
        """Fixed ends of its springs (k, 3) [m], read-only. NaN for an end at another body."""
        return self._simulation._springs(self.numbers.tolist())[3]

    def set_length(self, length: float) -> None:
        """Sets the rest length [m] of all of them. A shorter length tightens a tendon."""
        self._simulation.set_spring_length(self.body, self.entry, length)

    def set_stiffness(self, stiffness: float) -> None:
        """Sets the stiffness [N/m] of each of them."""
        self._simulation.set_spring_stiffness(self.body, self.entry, stiffness)

    def set_point(self, point: ArrayLike) -> None:
        """Sets the fixed end (3,) [m] of all of them."""
        self._simulation.set_spring_point(self.body, self.entry, point)


class Tie:
    """A tie between two bodies."""

    def __init__(self, simulation: Simulation, number: int, facts: Tuple[str, str, str]) -> None:
        self._simulation, self._number, self._facts = simulation, number, facts

    @property
    def name(self) -> str:
        """Its name: that of the scene, or the names of its bodies, such as "skin-bone"."""
        return _tie_name(self._facts)

    @property
    def number(self) -> int:
        """Number in the order of the scene."""
        return self._number

    @property
    def bodies(self) -> Tuple[str, str]:
        """Names of the body that follows and of the body that it follows."""
        return self._facts[:2]

    def release(self) -> None:
        """Releases it before the next step, as Simulation.release_tie()."""
        self._simulation.release_tie(self._number)

    def __repr__(self) -> str:
        return f"<tie '{self.name}'>"


class MaterialOfScene:
    """A material of a simulation. Its parameters are attributes that can be set: material.young = 2e5.

    Other keys of the scene, such as density and model, are attributes that cannot change. `activation` is that of
    fibers with a tension, and can be set.
    """

    _simulation: Simulation
    _name: str

    def __init__(self, simulation: Simulation, name: str) -> None:
        object.__setattr__(self, "_simulation", simulation)
        object.__setattr__(self, "_name", name)

    @property
    def name(self) -> str:
        """Name in the scene."""
        return self._name

    @property
    def parameters(self) -> Dict[str, Any]:
        """Parameters that have one value for the whole material, by name."""
        prefix = f"materials.{self._name}."
        found = self._simulation.settings()
        return {key[len(prefix):]: value for key, value in found.items() if key.startswith(prefix)}

    def set(self, **parameters: Any) -> None:
        """Changes several parameters at once, as Simulation.set_material()."""
        self._simulation.set_material(self._name, **parameters)

    def set_activation(self, activation: float) -> None:
        """Sets the activation of its fibers, 0 to 1, as Simulation.set_activation()."""
        self._simulation.set_activation(self._name, activation)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        key = key.rstrip("_").replace("fiber_", "fiber.")
        found = self.parameters
        if key not in found:
            found = {**self._simulation._material(self._name), **found}
        if key not in found:
            known = ", ".join(sorted(found))
            raise AttributeError(f'material "{self._name}": found "{key}", expected one of: {known}')
        return found[key]

    def __setattr__(self, key: str, value: Any) -> None:
        if key == "activation":
            self.set_activation(value)
        else:
            self._simulation.set_material(self._name, **{key: value})

    def __dir__(self) -> List[str]:
        names = {**self._simulation._material(self._name), **self.parameters}
        return [*super().__dir__(), *(name.replace(".", "_") for name in names)]

    def __repr__(self) -> str:
        return f"<material '{self._name}': {self.parameters}>"


class _Known:
    """What never changes in a simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self.outline = simulation._outline()
        self.meshes: Dict[int, Dict[str, Any]] = {}


_all_known: "weakref.WeakKeyDictionary[Simulation, _Known]" = weakref.WeakKeyDictionary()


def _known(simulation: Simulation) -> _Known:
    found = _all_known.get(simulation)
    if found is None:
        found = _all_known[simulation] = _Known(simulation)
    return found


def _entry_name(facts: Dict[str, Any]) -> str:
    return str(facts["name"]) if facts.get("name") else f"{facts['body']}.{facts['entry']}"


def _tie_name(facts: Tuple[str, str, str]) -> str:
    return facts[2] or f"{facts[0]}-{facts[1]}"


def bodies(self: Simulation) -> Collection[Body]:
    """Bodies by name or number: sim.bodies["finger"].positions."""
    facts = _known(self).outline["bodies"]
    return Collection("bodies", [one["name"] for one in facts], lambda k: Body(self, k, facts[k]))


def obstacles(self: Simulation) -> Collection[Obstacle]:
    """Obstacles by name or number."""
    facts = _known(self).outline["obstacles"]
    return Collection("obstacles", [one["name"] for one in facts], lambda k: Obstacle(self, k, facts[k]))


def fixes(self: Simulation) -> Collection[Fix]:
    """Fixes of the scene by name or number. Without a name in the scene it is BODY.NUMBER, such as "arm.0"."""
    facts = _known(self).outline["fixes"]
    return Collection("fixes", [_entry_name(one) for one in facts], lambda k: Fix(self, k, facts[k]))


def loads(self: Simulation) -> Collection[Load]:
    """Loads of the scene by name or number; names as in fixes."""
    facts = _known(self).outline["loads"]
    return Collection("loads", [_entry_name(one) for one in facts], lambda k: Load(self, k, facts[k]))


def springs(self: Simulation) -> Collection[Spring]:
    """Springs of the scene by name or number; names as in fixes."""
    facts = _known(self).outline["springs"]
    return Collection("springs", [_entry_name(one) for one in facts], lambda k: Spring(self, k, facts[k]))


def ties(self: Simulation) -> Collection[Tie]:
    """Ties by name or number. Without a name in the scene it is that of the bodies, such as "skin-bone"."""
    facts = _known(self).outline["ties"]
    return Collection("ties", [_tie_name(one) for one in facts], lambda k: Tie(self, k, facts[k]))


def materials(self: Simulation) -> Collection[MaterialOfScene]:
    """Materials by name, whose parameters can be set: sim.materials["rubber"].young = 2e5."""
    names = _known(self).outline["materials"]
    return Collection("materials", names, lambda k: MaterialOfScene(self, names[k]))


def description(self: Simulation) -> str:
    """For repr()."""
    outline = _known(self).outline
    vertices = sum(one["count"] for one in outline["bodies"])
    clock = "share of the load" if outline["static"] else "time"
    return (f"<sinew.Simulation of {len(outline['bodies'])} bodies, {len(outline['obstacles'])} obstacles, {vertices} "
            f"vertices, at {clock} {self.time:g}>")
