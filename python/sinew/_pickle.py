"""Pickles and copies of materials and cameras."""

import copyreg
from typing import Any, Dict

from ._engine import Camera, Material


def _material(parameters: Dict[str, Any]) -> Material:
    return Material(**parameters)


def _camera_parts(camera: Camera) -> Any:
    return Camera, (camera.position, camera.target, camera.up, camera.fov, camera.orthographic)


copyreg.pickle(Material, lambda material: (_material, (material.parameters,)))
copyreg.pickle(Camera, _camera_parts)
