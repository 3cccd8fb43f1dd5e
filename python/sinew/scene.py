"""Scenes made in memory."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from numpy.typing import ArrayLike

from . import _engine
from ._engine import Material, TetMesh, TriMesh
from ._meshes import MeshLike, fail
from ._scene_parts import (
    Body,
    MaterialLike,
    Path,
    SceneEntry,
    SceneItem,
    Selection,
    Transform,
    body_material,
    given,
    material_keys,
    mesh_value,
    numbers,
    selection_keys,
    sensor_value,
)
from ._scene_paths import with_paths
from ._transform import transform_dict


class Scene:
    """A scene made in memory. Its parts have the keys of a scene file (docs/scene.md), in SI units.

    Meshes are a TetMesh, a TriMesh, a mesh of meshio, pyvista or trimesh, the path of a file, or a dict such as
    {"sphere": {"radius": 0.1}}. Simulation(scene) takes the scene as it is at this moment.
    """

    def __init__(self, scene: Union[None, Path, Mapping[str, Any], Scene] = None, base_dir: Path = ".") -> None:
        """Makes an empty scene, or a copy of a scene file, a dict or a Scene.

        Relative paths of files start at base_dir, or at the folder of the scene file.
        """
        self._base = os.path.abspath(base_dir)
        self._data: dict[str, Any] = {}
        if isinstance(scene, Scene):
            self._base, self._data = scene._base, with_paths(scene._data, str)
        elif isinstance(scene, Mapping):
            self._data = with_paths(dict(scene), str)
        elif scene is not None:
            if not isinstance(scene, (str, os.PathLike)):
                fail(f"Scene: found a value of type {type(scene).__name__}, expected a path, a dict or a Scene")
            path = os.fspath(scene)
            self._data = _engine._read_scene(path)
            self._base = os.path.dirname(os.path.abspath(path))
            self._data.setdefault("name", os.path.splitext(os.path.basename(path))[0])

    @staticmethod
    def load(path: Path) -> Scene:
        """Reads a scene file."""
        return Scene(path)

    # ---- what is not a list

    @property
    def data(self) -> dict[str, Any]:
        """All keys of the scene, with meshes and materials as they were given, a dict that you may change."""
        return self._data

    def _section(self, key: str) -> dict[str, Any]:
        section: dict[str, Any] = self._data.setdefault(key, {})
        return section

    def _set_section(self, key: str, value: Mapping[str, Any]) -> None:
        if not isinstance(value, Mapping):
            fail(f"Scene: {key}: found a value of type {type(value).__name__}, expected a dict")
        self._data[key] = dict(value)

    @property
    def name(self) -> str:
        """Name of the scene."""
        return str(self._data.get("name", ""))

    @name.setter
    def name(self, value: str) -> None:
        self._data["name"] = value

    @property
    def gravity(self) -> list[float]:
        """Gravity (3,) [m/s^2]; default: [0, -9.81, 0]."""
        return list(self._data.get("gravity", [0.0, -9.81, 0.0]))

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        self._data["gravity"] = numbers(value, (3,), "Scene: gravity")

    @property
    def time(self) -> dict[str, Any]:
        """Time steps, a dict such as {"step": 0.01, "integrator": "bdf2"}."""
        return self._section("time")

    @time.setter
    def time(self, value: Mapping[str, Any]) -> None:
        self._set_section("time", value)

    @property
    def contact(self) -> dict[str, Any]:
        """Contact, a dict such as {"distance": 1e-3, "friction": 0.3}."""
        return self._section("contact")

    @contact.setter
    def contact(self, value: Mapping[str, Any]) -> None:
        self._set_section("contact", value)

    @property
    def solver(self) -> dict[str, Any]:
        """Method and its settings, a dict such as {"method": "mixed", "handles": 16}."""
        return self._section("solver")

    @solver.setter
    def solver(self, value: Mapping[str, Any]) -> None:
        self._set_section("solver", value)

    @property
    def output(self) -> dict[str, Any]:
        """What `sinew run` writes, a dict such as {"formats": ["vtu"]}."""
        return self._section("output")

    @output.setter
    def output(self, value: Mapping[str, Any]) -> None:
        self._set_section("output", value)

    @property
    def bodies(self) -> list[SceneItem]:
        """The bodies of the scene."""
        return self._items("bodies", "body")

    @property
    def obstacles(self) -> list[SceneItem]:
        """The obstacles of the scene."""
        return self._items("obstacles", "obstacle")

    def _items(self, key: str, prefix: str) -> list[SceneItem]:
        return [SceneItem(item.get("name", f"{prefix}{i}"), item) for i, item in enumerate(self._data.get(key, []))]

    # ---- what is added

    def add_material(self, name: str, model: MaterialLike = "neo_hookean", **parameters: Any) -> str:
        """Adds a material under a name, which it returns.

        model is a Material, a dict, or the name of a model. parameters are keys of a scene file, such as young=1e6,
        density=1000 or viscosity=[...]; they replace those of a Material.
        """
        self._section("materials")[name] = material_keys(model, parameters)
        return name

    def add_body(
        self,
        mesh: MeshLike,
        material: Optional[MaterialLike] = None,
        name: Optional[str] = None,
        transform: Optional[Transform] = None,
        velocity: Optional[ArrayLike] = None,
        **keys: Any,
    ) -> SceneItem:
        """Adds a body: a mesh of tets, or a surface as cloth.

        - material: a name, a Material, a dict of parameters, or {"regions": {region: material}} with one of these for
          each region. Default: the only material of the scene
        - name: default "body0", "body1", ... in order
        - transform: a dict, or a matrix (4, 4) that scales, then rotates, then translates
        - velocity: initial velocity (3,) [m/s]
        - keys: other keys of a body, such as collision=surface or damping={"mass": 0.1}
        """
        place = f"bodies[{len(self._data.get('bodies', []))}]"
        data: dict[str, Any] = {"mesh": mesh_value(mesh)}
        if material is not None:
            data["material"] = material if isinstance(material, str) else body_material(material)
        if transform is not None:
            data["transform"] = transform_dict(transform, f"Scene: {place}.transform")
        if velocity is not None:
            data["velocity"] = numbers(velocity, (3,), f"Scene: {place}.velocity")
        for key in ("collision", "render"):
            if key in keys:
                keys[key] = mesh_value(keys[key])
        item = self._add_item("bodies", "body", name, {**data, **keys})
        self._name_materials(item)
        return item

    def add_obstacle(
        self,
        mesh: Optional[MeshLike] = None,
        plane: Union[None, Mapping[str, Any], Sequence[ArrayLike]] = None,
        name: Optional[str] = None,
        transform: Optional[Transform] = None,
        motion: Optional[Mapping[str, Any]] = None,
        material: Optional[str] = None,
    ) -> SceneItem:
        """Adds a rigid obstacle: a surface, the boundary of tets, or a plane.

        - plane: {"point": (3,) [m], "normal": (3,)}, or the pair (point, normal)
        - name: default "obstacle0", "obstacle1", ... in order
        - transform: a dict, or a matrix (4, 4) that scales, then rotates, then translates
        - motion: keyframes, a dict such as {"translate": {"times": [0, 1], "values": [[0, 0, 0], [0, 1, 0]]}}
        - material: name for pairs of friction
        """
        if (mesh is None) == (plane is None):
            fail("add_obstacle: expected exactly one of mesh and plane")
        data: dict[str, Any] = {}
        if mesh is not None:
            data["mesh"] = mesh_value(mesh)
        elif isinstance(plane, Mapping):
            data["plane"] = dict(plane)
        else:
            point, normal = numbers(plane, (2, 3), "add_obstacle: plane")
            data["plane"] = {"point": point, "normal": normal}
        if transform is not None:
            data["transform"] = transform_dict(transform, f"Scene: obstacles[{len(self.obstacles)}].transform")
        if motion is not None:
            data["motion"] = dict(motion)
        if material is not None:
            data["material"] = material
        return self._add_item("obstacles", "obstacle", name, data)

    def add_fix(
        self,
        body: Body,
        selection: Selection = "all",
        motion: Optional[Mapping[str, Any]] = None,
        axes: Optional[str] = None,
        until: Optional[float] = None,
        name: Optional[str] = None,
    ) -> SceneEntry:
        """Prescribes vertices of a body.

        - selection: "all", a dict such as {"box": [[...], [...]]}, vertex ids, or a mask (n,) of the vertices
        - motion: keyframes of a scene file; default: at rest
        - axes: prescribed coordinates; default "xyz"
        - until: release time [s]; default: never
        - name: for sim.fixes[name]; default BODY.NUMBER, such as "arm.0"
        """
        keys = given(name=name, motion=motion, axes=axes, until=until)
        data = {**self._selection(body, selection, "add_fix"), **keys}
        return self._add_entry("fix", "fix", body, data)

    def add_load(self, body: Body, selection: Selection, name: Optional[str] = None, **keys: Any) -> SceneEntry:
        """Loads the selected faces of a body: exactly one of force= (3,) [N], pressure= [Pa], traction= (3,) [Pa] and
        moment= (3,) [N m], each a constant or keyframes {"times": [...], "values": [...]}.

        at= (3,) [m] is the point of a force. follows=True turns a force or moment with the faces. name is for
        sim.loads[name]; default BODY.NUMBER, such as "arm.0".
        """
        data = {**self._selection(body, selection, "add_load"), **given(name=name), **keys}
        return self._add_entry("load", "loads", body, data)

    def add_spring(
        self,
        body: Body,
        selection: Selection,
        to: Union[Body, ArrayLike],
        stiffness: float,
        to_selection: Optional[Selection] = None,
        name: Optional[str] = None,
        **keys: Any,
    ) -> SceneEntry:
        """Adds a spring to each selected vertex of a body.

        - to: a point (3,) [m], "nearest" (the nearest point of other bodies), or a body with to_selection
        - stiffness: of each spring [N/m]
        - name: for sim.springs[name]; default BODY.NUMBER, such as "arm.0"
        - keys: length= [m], until= [s], motion= of the point, at="mean" or "nearest" on the other body
        """
        end: Any
        if to_selection is not None:
            if not isinstance(to, (str, SceneItem)):
                fail("add_spring: found to_selection without a body, expected its name or item as `to`")
            at = {"at": keys.pop("at")} if "at" in keys else {}
            end = {"body": self._body(to, "add_spring")[0], **self._selection(to, to_selection, "add_spring"), **at}
        elif isinstance(to, SceneItem):
            fail(f"add_spring: found the body \"{to.name}\" without to_selection, expected the vertices at its end")
        else:
            end = to if isinstance(to, str) else numbers(to, (3,), "add_spring: to")
        data = {**self._selection(body, selection, "add_spring"), **given(name=name), "to": end, "stiffness": stiffness,
                **keys}  # yapf: disable
        return self._add_entry("spring", "springs", body, data)

    def add_tie(
        self,
        body: Body,
        selection: Selection,
        to: Body,
        to_selection: Selection,
        until: Optional[float] = None,
        breaks_at: Optional[float] = None,
        name: Optional[str] = None,
    ) -> SceneEntry:
        """Glues the selected faces of a body, which follow, to selected faces of another body.

        - until: release time [s]; default: never
        - breaks_at: mean traction [Pa] at which the tie breaks; default: never
        - name: for sim.ties[name]; default: those of the bodies, such as "skin-bone"
        """
        own, other = self._body(body, "add_tie")[0], self._body(to, "add_tie")[0]
        data = {**given(name=name), "body": own, **self._selection(body, selection, "add_tie"),
                "to": {"body": other, **self._selection(to, to_selection, "add_tie")},
                **given(until=until, breaks_at=breaks_at)}  # yapf: disable
        ties: list[Any] = self._data.setdefault("ties", [])
        ties.append(data)
        return SceneEntry("tie", own, len(ties) - 1, data)

    def add_sensor(self, name: str, quantities: Optional[Iterable[str]] = None, **keys: Any) -> str:
        """Adds a sensor under a name, which it returns. Simulation.sensors() reads it.

        keys say what is measured, such as fix=entry, body=item, obstacle=item, contact=(item, item), or
        point={"body": name, "at": (3,) [m]}; items and entries are those that add_body() and others returned.
        """
        data = {key: sensor_value(value) for key, value in keys.items()}
        if quantities is not None:
            data["quantities"] = [quantities] if isinstance(quantities, str) else list(quantities)
        self._section("sensors")[name] = data
        return name

    def _add_item(self, key: str, prefix: str, name: Optional[str], data: dict[str, Any]) -> SceneItem:
        items: list[Any] = self._data.setdefault(key, [])
        name = f"{prefix}{len(items)}" if name is None else name
        for item in (*self.bodies, *self.obstacles):
            if item.name == name:
                fail(f"Scene: found the name \"{name}\" of {item!r}, expected another name for each body and obstacle")
        items.append({"name": name, **data})
        return SceneItem(name, items[-1])

    def _name_materials(self, body: SceneItem) -> None:
        """Adds materials that were given for regions to the scene, as a scene file needs it: "arm_2" for region 2."""
        material = body.data.get("material")
        regions = material.get("regions", {}) if isinstance(material, dict) else {}
        for region, value in regions.items():
            if isinstance(value, (Material, Mapping)):
                name = f"{body.name}_{region}"
                while name in self._data.get("materials", {}):
                    name += "_"
                regions[region] = self.add_material(name, value)

    def _add_entry(self, kind: str, key: str, body: Body, data: dict[str, Any]) -> SceneEntry:
        name, owner = self._body(body, f"add_{kind}")
        entries: list[Any] = owner.setdefault(key, [])
        entries.append(data)
        return SceneEntry(kind, name, len(entries) - 1, data)

    def _selection(self, body: Body, selection: Selection, place: str) -> dict[str, Any]:
        mesh = self._body(body, place)[1].get("mesh")
        return selection_keys(selection, place, len(mesh.vertices) if isinstance(mesh, (TetMesh, TriMesh)) else None)

    def _body(self, body: Body, place: str) -> tuple[str, dict[str, Any]]:
        name = body.name if isinstance(body, SceneItem) else body
        for item in self.bodies:
            if item.name == name:
                return name, item.data
        known = ", ".join(f"\"{item.name}\"" for item in self.bodies) or "none"
        fail(f"{place}: found the body {name!r}; bodies of the scene: {known}")

    # ---- what is made of it

    def to_json(self) -> dict[str, Any]:
        """Returns the scene as plain JSON values. Arrays of meshes are base64 text, paths of files are absolute."""
        plain: dict[str, Any] = _engine._plain_scene(self)
        return plain

    def save(self, path: Path) -> None:
        """Writes a scene file, which `sinew run` takes. Meshes in memory are written into it.

        Paths of other files become relative to the new file. Raises InputError if the folder does not exist.
        """
        folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
        _engine._write_scene(path, self._with_paths(lambda file: os.path.relpath(os.path.realpath(file), folder)))

    def _with_paths(self, change: Callable[[str], str]) -> dict[str, Any]:
        moved: dict[str, Any] = with_paths(self._data, lambda path: change(os.path.join(self._base, path)))
        return moved

    def _scene_data(self) -> dict[str, Any]:
        """For the engine."""
        return self._with_paths(str)

    def __deepcopy__(self, memo: Any) -> Scene:
        return Scene(self)

    def __repr__(self) -> str:
        return f"<sinew.Scene of {len(self.bodies)} bodies, {len(self.obstacles)} obstacles>"
