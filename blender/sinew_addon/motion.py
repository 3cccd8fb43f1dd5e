"""Motion of objects over the frames of a run: rigid where the mesh does not deform, else a position for each vertex."""

from dataclasses import dataclass, field
from typing import Optional

import numpy

from . import surfaces
from .errors import SetupError

RIGID = 1e-5  # largest deviation from a rigid motion, relative to the extent
STILL = 1e-7


@dataclass
class Track:
    """Place and shape of an object in each frame."""
    worlds: list = field(default_factory=list)  # 4 x 4 of each frame, in Blender units
    shapes: list = field(default_factory=list)  # evaluated vertices (n x 3) in the object's own axes; one if all are equal
    triangles: Optional[numpy.ndarray] = None  # of the first shape


def evaluated_mesh(blender_object, depsgraph):
    """Vertices and triangles with all modifiers."""
    evaluated = blender_object.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        return surfaces.local_vertices(mesh), surfaces.mesh_triangles(mesh)
    finally:
        evaluated.to_mesh_clear()


def may_deform(blender_object):
    return bool(blender_object.modifiers or blender_object.data.shape_keys or blender_object.data.animation_data)


def record(context, objects, deforming, frames):
    """Tracks of the objects, by name. The shapes of those in `deforming` are recorded, too. Keeps the current frame."""
    scene, tracks = context.scene, {one.name: Track() for one in objects}
    current, subframe = scene.frame_current, scene.frame_subframe
    try:
        for frame in frames:
            scene.frame_set(frame)
            depsgraph = context.evaluated_depsgraph_get()
            for one in objects:
                track = tracks[one.name]
                track.worlds.append(surfaces.matrix(one.evaluated_get(depsgraph).matrix_world))
                if one.name in deforming and (not track.shapes or may_deform(one)):
                    _add_shape(track, one, depsgraph, frame)
    finally:
        scene.frame_set(current, subframe=subframe)
    for track in tracks.values():
        if track.shapes and all(numpy.array_equal(track.shapes[0], shape) for shape in track.shapes[1:]):
            del track.shapes[1:]
    return tracks


def _add_shape(track, blender_object, depsgraph, frame):
    shape, triangles = evaluated_mesh(blender_object, depsgraph)
    if not track.shapes:
        track.triangles = triangles
    if track.shapes and len(shape) != len(track.shapes[0]):
        raise SetupError(f"{blender_object.name}: expected {len(track.shapes[0])} vertices in each frame, found {len(shape)} "
                         f"in frame {frame}; disable the modifier that changes their number")
    track.shapes.append(shape)


def positions(track, metres):
    """World positions of the shapes: frames x n x 3 [m]."""
    shapes = track.shapes if len(track.shapes) > 1 else track.shapes * len(track.worlds)
    return numpy.array([surfaces.to_world(shape, world, metres) for shape, world in zip(shapes, track.worlds)])


def rigid_maps(points):
    """Rotations R (k x 3 x 3) and shifts d (k x 3) with R X + d closest to the points of each frame, X those of the first.

    None if a frame is no rigid map of the first one. `points`: frames x n x 3. Kabsch: R = V diag(1, 1, det) U^T of the
    singular vectors of the covariance.
    """
    rest = points[0]
    centre = rest.mean(axis=0)
    extent = max(float(numpy.ptp(rest, axis=0).max()), 1e-30)
    rotations, shifts = [], []
    for now in points:
        to = now.mean(axis=0)
        u, _, v = numpy.linalg.svd((rest - centre).T @ (now - to))
        sign = numpy.sign(numpy.linalg.det(v.T @ u.T)) or 1.0
        rotation = v.T @ numpy.diag([1, 1, sign]) @ u.T
        shift = to - rotation @ centre
        if numpy.abs(rest @ rotation.T + shift - now).max() > RIGID * extent:
            return None
        rotations.append(rotation)
        shifts.append(shift)
    return numpy.array(rotations), numpy.array(shifts)


def is_still(points):
    extent = max(float(numpy.ptp(points[0], axis=0).max()), 1e-30)
    return bool(numpy.abs(points - points[0]).max() <= STILL * extent)


def poses(maps, seconds_per_frame):
    """The `motion` of rigid maps: a key for each frame."""
    rotations, shifts = maps
    rows = numpy.concatenate([rotations, shifts[:, :, None]], axis=2).reshape(-1, 12)
    times = [frame * seconds_per_frame for frame in range(len(rows))]
    return {"poses": {"times": times, "matrices": rows.tolist()}}
