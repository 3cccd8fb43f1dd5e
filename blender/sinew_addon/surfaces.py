"""Surfaces of Blender objects: their triangles, checks, and files for sinew."""

import hashlib
from dataclasses import dataclass
from typing import Optional

import numpy

from .errors import SetupError


@dataclass
class Surface:
    vertices: numpy.ndarray  # n x 3 [m], world
    triangles: numpy.ndarray  # m x 3, counterclockwise from outside
    places: Optional[numpy.ndarray] = None  # m x 3 x 2, of the corners of triangles in an image

    def extent(self):
        """The longest side of the bounding box [m]."""
        return float(numpy.ptp(self.vertices, axis=0).max())


def matrix(blender_matrix):
    return numpy.array(blender_matrix, float).reshape(4, 4)


def local_vertices(mesh):
    found = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", found)
    return found.reshape(-1, 3).astype(float)


def mesh_triangles(mesh):
    mesh.calc_loop_triangles()
    found = numpy.empty(3 * len(mesh.loop_triangles), numpy.int32)
    mesh.loop_triangles.foreach_get("vertices", found)
    return found.reshape(-1, 3)


def to_world(vertices, world, metres):
    """Positions in metres of an object's vertices. `world`: the object's 4 x 4 matrix."""
    return (vertices @ world[:3, :3].T + world[:3, 3]) * metres


def image_places(mesh):
    """The places of the triangles' corners in an image, by the active UV map; None without one."""
    if mesh.uv_layers.active is None:
        return None
    mesh.calc_loop_triangles()
    loops = numpy.empty(3 * len(mesh.loop_triangles), numpy.int32)
    mesh.loop_triangles.foreach_get("loops", loops)
    places = numpy.empty(2 * len(mesh.loops), numpy.float32)
    mesh.uv_layers.active.data.foreach_get("uv", places)
    return places.reshape(-1, 2)[loops].reshape(-1, 3, 2)


def surface(mesh, world, metres, with_places=False):
    """The surface of a mesh at a place. A mirrored object keeps its outside."""
    triangles = mesh_triangles(mesh)
    places = image_places(mesh) if with_places else None
    if numpy.linalg.det(world[:3, :3]) < 0:
        triangles = triangles[:, ::-1]
        places = None if places is None else places[:, ::-1]
    return Surface(to_world(local_vertices(mesh), world, metres), triangles, places)


def check_has_faces(name, surface):
    if len(surface.triangles) == 0:
        raise SetupError(f"{name}: the mesh has no faces; choose another object, or set its role to None")
    if not numpy.isfinite(surface.vertices).all():
        raise SetupError(f"{name}: the mesh has a vertex that is not a number; delete this vertex")


def check_no_loose_vertices(name, surface):
    loose = len(surface.vertices) - len(numpy.unique(surface.triangles))
    if loose:
        raise SetupError(f"{name}: {loose} vertices belong to no face; in Edit Mode choose Mesh > Clean Up > Delete Loose")


def check_closed(name, surface):
    """Refuses a surface with an edge of one face, the commonest reason why sinew-mesh refuses it, in Blender's words."""
    _, number = numpy.unique(surface.vertices, axis=0, return_inverse=True)
    corners = number.reshape(-1)[surface.triangles]
    edges = numpy.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, count = numpy.unique(edges, axis=0, return_counts=True)
    open_edges = int((count == 1).sum())
    if open_edges:
        raise SetupError(f"{name}: a body needs a closed surface, found {open_edges} edges with one face; in Edit Mode "
                         "choose Select > All by Trait > Non Manifold and fill the holes, or turn on Robust, or set "
                         "the role to Cloth")


def write_obj(path, surface):
    """Writes a surface as .obj, exact to the bit, in the order of its vertices."""
    with open(path, "w") as file:
        for vertex in surface.vertices:
            file.write("v {!r} {!r} {!r}\n".format(*map(float, vertex)))
        if surface.places is None:
            for triangle in surface.triangles + 1:
                file.write("f {} {} {}\n".format(*triangle))
            return
        for place in surface.places.reshape(-1, 2):
            file.write("vt {!r} {!r}\n".format(*map(float, place)))
        for number, triangle in enumerate(surface.triangles + 1):
            file.write("f {}/{} {}/{} {}/{}\n".format(*(v for k in range(3) for v in (triangle[k], 3 * number + k + 1))))


def fingerprint(surface, *settings):
    """Equal for equal surfaces and settings: names the file of a mesh."""
    text = hashlib.sha256(surface.vertices.tobytes() + numpy.ascontiguousarray(surface.triangles, "<i4").tobytes())
    text.update(repr(settings).encode())
    return text.hexdigest()[:12]
