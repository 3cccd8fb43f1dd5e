"""Paths of files in a scene."""

from __future__ import annotations

import os
from typing import Any, Callable

_PATHS = ("mesh", "collision", "render", "file", "initial", "vertices", "texture")
_ARRAYS = ("field", "weights")  # a .npy file, or a name
_MODES = ("subspace", "library")  # .npz files, or names


def _is_path(key: str, value: str) -> bool:
    return key in _PATHS or (key in _ARRAYS and value.endswith(".npy")) or (key in _MODES and value.endswith(".npz"))


def with_paths(value: Any, change: Callable[[str], str], key: str = "") -> Any:
    """A copy of a part of a scene with changed paths; meshes and other objects stay the same."""
    if isinstance(value, dict):
        # Keys of `regions` are names of the user's.
        return {k: dict(v) if k == "regions" and isinstance(v, dict) and all(isinstance(i, str) for i in v.values())
                else with_paths(v, change, k) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [with_paths(item, change, key) for item in value]
    if isinstance(value, os.PathLike):
        return change(os.fspath(value))
    if isinstance(value, str) and _is_path(key, value):
        return change(value)
    return value
