"""Transforms of a scene file from matrices."""

from __future__ import annotations

from typing import Any, Mapping, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._meshes import fail

_ROUNDING = 1e-9  # relative, for matrices that were multiplied together


def transform_dict(transform: Union[Mapping[str, Any], ArrayLike], place: str) -> dict[str, Any]:
    """A transform as a scene file holds it: from such a dict, or from a matrix (4, 4) = translation rotation scale."""
    if isinstance(transform, Mapping):
        return dict(transform)
    matrix = np.asarray(transform)
    if matrix.dtype.kind not in "fiu":
        fail(f"{place}: found {transform!r}, expected a dict or a matrix (4, 4) of numbers")
    matrix = matrix.astype(float)
    if matrix.shape != (4, 4):
        fail(f"{place}: found an array of shape {matrix.shape}, expected a dict or a matrix (4, 4)")
    if not np.isfinite(matrix).all():
        fail(f"{place}: found a number that is not finite, expected a matrix (4, 4)")
    if not np.array_equal(matrix[3], [0, 0, 0, 1]):
        fail(f"{place}: found the last row {matrix[3].tolist()}, expected [0, 0, 0, 1]")
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if not (scale > 0).all():
        fail(f"{place}: found a matrix of determinant 0, expected scale, rotation and translation")
    rotation = matrix[:3, :3] / scale
    _refuse_shear(rotation, place)
    if np.linalg.det(rotation) < 0:  # a mirror image
        scale[0], rotation[:, 0] = -scale[0], -rotation[:, 0]
    result: dict[str, Any] = {"translate": matrix[:3, 3].tolist()}
    if not np.allclose(scale, 1, rtol=_ROUNDING, atol=0):
        result["scale"] = scale.tolist()
    axis, degrees = _axis_and_angle(rotation)
    if degrees != 0:
        result["rotate"] = {"axis": axis.tolist(), "degrees": degrees}
    return result


def _refuse_shear(rotation: NDArray[np.float64], place: str) -> None:
    cosines = rotation.T @ rotation
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if abs(cosines[i, j]) > _ROUNDING:
            degrees = np.degrees(np.arccos(np.clip(cosines[i, j], -1, 1)))
            fail(f"{place}: found a matrix with shear: its columns {i} and {j} are at {degrees:.6g} degrees, expected "
                 "90. Apply the matrix to the vertices of the mesh instead")


def _axis_and_angle(rotation: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Axis, a unit vector, and angle [degrees] of a rotation matrix."""
    # (w, x, y, z) is the eigenvector of the largest eigenvalue (Bar-Itzhack 2000), accurate for all angles.
    r = rotation
    k = np.array([[r[0, 0] + r[1, 1] + r[2, 2], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
                  [r[2, 1] - r[1, 2], r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0]],
                  [r[0, 2] - r[2, 0], r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1]],
                  [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1]]])
    quaternion = np.linalg.eigh(k)[1][:, -1]
    if quaternion[0] < 0:
        quaternion = -quaternion
    length = float(np.linalg.norm(quaternion[1:]))
    if length < 1e-15:
        return np.array([0.0, 1.0, 0.0]), 0.0
    return quaternion[1:] / length, float(np.degrees(2 * np.arctan2(length, quaternion[0])))
