"""Meshes of other packages."""

from __future__ import annotations

import os
from typing import Any, Mapping, NoReturn, Protocol, Union

import numpy as np

from ._engine import InputError, TetMesh, TriMesh


class PointsAndCells(Protocol):
    """A mesh of meshio or pyvista: points (n, 3), and the cells: by type in cells_dict, or as blocks."""

    @property
    def points(self) -> Any: ...

    @property
    def cells(self) -> Any: ...


class VerticesAndFaces(Protocol):
    """A surface of trimesh: vertices (n, 3) and faces (f, 3)."""

    @property
    def vertices(self) -> Any: ...

    @property
    def faces(self) -> Any: ...


MeshObject = Union[TetMesh, TriMesh, PointsAndCells, VerticesAndFaces]
MeshLike = Union[MeshObject, str, "os.PathLike[str]", Mapping[str, Any]]

# Names of meshio, and numbers of VTK in pyvista.
_TETS: tuple[Any, ...] = ("tetra", 10)
_TRIANGLES: tuple[Any, ...] = ("triangle", 5)
_REGIONS = ("gmsh:physical", "medit:ref")


def fail(text: str) -> NoReturn:
    """Raises an InputError as the engine does."""
    error = InputError(f"{text} [E-argument]")
    error.code = "E-argument"
    raise error


def as_mesh(mesh: MeshObject) -> Union[TetMesh, TriMesh]:
    """Returns a mesh of another package as a TetMesh or TriMesh; those of sinew are returned as they are.

    - meshio, pyvista: points and cells_dict, or the blocks `cells` with type and data. Tets are used if there are any,
      otherwise triangles. Regions come from the cell data "gmsh:physical" or "medit:ref", fields from other cell data.
    - trimesh: vertices and faces
    """
    if isinstance(mesh, (TetMesh, TriMesh)):
        return mesh
    if hasattr(mesh, "points") and (hasattr(mesh, "cells_dict") or hasattr(mesh, "cells")):
        return _of_cells(mesh)
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return TriMesh(np.asarray(mesh.vertices), np.asarray(mesh.faces))
    fail(f"as_mesh: found a value of type {type(mesh).__name__}, expected a mesh of sinew, meshio, pyvista or trimesh")


def _of_cells(mesh: Any) -> Union[TetMesh, TriMesh]:
    cells, data = _by_type(mesh)
    points = np.asarray(mesh.points)
    for kind in _TETS:
        if kind in cells:
            regions, fields = _cell_data(data, kind)
            return TetMesh(points, np.asarray(cells[kind]), regions, fields)
    for kind in _TRIANGLES:
        if kind in cells:
            return TriMesh(points, np.asarray(cells[kind]))
    fail(f"as_mesh: found cells {', '.join(map(str, cells)) or 'of no type'}, expected tetra or triangle")


def _by_type(mesh: Any) -> tuple[Mapping[Any, Any], Mapping[str, Mapping[Any, Any]]]:
    """Cells {type: ids}, and cell data {name: {type: values}}, as meshio's cells_dict and cell_data_dict."""
    if hasattr(mesh, "cells_dict"):
        return mesh.cells_dict, getattr(mesh, "cell_data_dict", {})
    blocks = [(block.type, block.data) if hasattr(block, "type") else tuple(block) for block in mesh.cells]
    if any(len(block) != 2 for block in blocks):
        fail("as_mesh: found cells that are no list of blocks, expected blocks with type and data, as of meshio")

    def joined(values: Any) -> dict[Any, Any]:
        kinds = [kind for kind, _ in blocks]
        return {kind: np.concatenate([np.asarray(values[k]) for k, other in enumerate(kinds) if other == kind])
                for kind in dict.fromkeys(kinds)}  # yapf: disable

    data = {name: joined(values) for name, values in (getattr(mesh, "cell_data", None) or {}).items()}
    return joined([ids for _, ids in blocks]), data


def _cell_data(data: Mapping[str, Mapping[Any, Any]], kind: Any) -> tuple[Any, dict[str, Any]]:
    """Regions, or None, and fields of the cells of a type."""
    regions, fields = None, {}
    for name, by_type in data.items():
        if kind not in by_type:
            continue
        values = np.asarray(by_type[kind])
        if name in _REGIONS:
            regions = values
        elif values.dtype.kind in "fiu" and values.ndim <= 2:
            fields[name] = values
    return regions, fields
