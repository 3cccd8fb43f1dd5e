"""Parts of a Scene, and values as a scene file holds them."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from ._engine import Material
from ._meshes import MeshLike, as_mesh, fail

Transform = Union[Mapping[str, Any], ArrayLike]
Selection = Union[str, Mapping[str, Any], ArrayLike]
MaterialLike = Union[str, Material, Mapping[str, Any]]
Path = Union[str, "os.PathLike[str]"]


class SceneItem:
    """A body or obstacle of a Scene."""

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        self.name = name
        """Its name."""
        self.data = data
        """Its keys in the scene, a dict that you may change."""

    def __repr__(self) -> str:
        return f"<sinew.{type(self).__name__} {self.name!r}>"


class SceneEntry:
    """A fix, load, spring or tie of a Scene."""

    def __init__(self, kind: str, body: str, number: int, data: dict[str, Any]) -> None:
        self.kind = kind
        """"fix", "load", "spring" or "tie"."""
        self.body = body
        """Name of its body."""
        self.number = number
        """Its number in the list of the body, or of all ties, from 0 on."""
        self.data = data
        """Its keys in the scene, a dict that you may change."""

    def __repr__(self) -> str:
        return f"<sinew.SceneEntry {self.kind} {self.number} of {self.body!r}>"


Body = Union[str, SceneItem]


def given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def numbers(value: Any, shape: tuple[int, ...], place: str) -> Any:
    array = np.asarray(value)
    if array.shape != shape or array.dtype.kind not in "fiu":
        fail(f"{place}: found {value!r}, expected numbers of shape {shape}")
    return array.tolist()


def mesh_value(mesh: MeshLike) -> Any:
    if isinstance(mesh, (str, os.PathLike)):
        return os.fspath(mesh)
    return mesh if isinstance(mesh, Mapping) else as_mesh(mesh)


def material_keys(model: MaterialLike, parameters: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(model, Material):
        base = model.parameters
    else:
        base = {"model": model} if isinstance(model, str) else dict(model)
    return {**base, **{"lambda" if key == "lambda_" else key: value for key, value in parameters.items()}}


def body_material(material: Union[Material, Mapping[str, Any]]) -> dict[str, Any]:
    if isinstance(material, Mapping) and isinstance(material.get("regions"), Mapping):
        return {**material, "regions": {str(key): value for key, value in material["regions"].items()}}
    return material_keys(material, {})


def selection_keys(selection: Selection, place: str, count: Optional[int]) -> dict[str, Any]:
    """count: vertices of the body, if they are known."""
    if isinstance(selection, Mapping):
        return dict(selection)
    if isinstance(selection, str):
        if selection != "all":
            fail(f"{place}: found the selection {selection!r}, expected \"all\", a dict, or vertex ids")
        return {"all": True}
    ids = np.asarray(selection)
    if ids.dtype == bool and ids.ndim == 1:
        if count is not None and len(ids) != count:
            fail(f"{place}: found a mask of shape {ids.shape}, expected ({count},): one entry for each vertex of the body")
        ids = np.flatnonzero(ids)
        if len(ids) == 0:
            fail(f"{place}: found a mask without a True, expected at least one vertex")
    if ids.dtype.kind not in "iu" or ids.ndim > 1:
        fail(f"{place}: found a selection of shape {ids.shape} and type {ids.dtype}, expected \"all\", a dict, vertex "
             "ids (k,), or a mask (n,)")
    return {"vertices": np.atleast_1d(ids).tolist()}


def sensor_value(value: Any) -> Any:
    if isinstance(value, SceneItem):
        return value.name
    if isinstance(value, SceneEntry):
        return value.number if value.kind == "tie" else {"body": value.body, "entry": value.number}
    return [sensor_value(item) for item in value] if isinstance(value, (list, tuple)) else value
