"""Pinned vertices of the mesh of tets: those where the surface of the object is pinned."""

import numpy
from mathutils import Vector
from mathutils.bvhtree import BVHTree
from mathutils.geometry import barycentric_transform

from .errors import SetupError

PINNED = 0.99  # share of a point's weights that belong to pinned vertices of its triangle
CORNERS = [Vector((1, 0, 0)), Vector((0, 1, 0)), Vector((0, 0, 1))]


def pinned_vertices(blender_object, group_name):
    """Numbers of the object's vertices with a weight above 0.5 in the group."""
    group = blender_object.vertex_groups.get(group_name)
    if group is None:
        raise SetupError(f'{blender_object.name}: has no vertex group "{group_name}"; choose the pinned group again')
    found = [
        vertex.index for vertex in blender_object.data.vertices
        if any(entry.group == group.index and entry.weight > 0.5 for entry in vertex.groups)
    ]
    if not found:
        raise SetupError(f'{blender_object.name}: no vertex has a weight above 0.5 in the vertex group "{group_name}"; assign '
                         "vertices to it, or clear the pinned group")
    return found


def on_tets(surface, pinned, vertices, boundary, size):
    """Numbers of the pinned vertices among those on the boundary of a mesh of tets.

    A vertex is pinned where the nearest point of the surface is: on a triangle of pinned vertices, on an edge between
    two, or at one. A pinned vertex of the surface that has no such vertex within `size` pins the nearest one.
    """
    weights = numpy.zeros(len(surface.vertices))
    weights[pinned] = 1
    points = [Vector(point) for point in surface.vertices]
    tree = BVHTree.FromPolygons(points, [[int(v) for v in triangle] for triangle in surface.triangles], all_triangles=True)
    chosen = set()
    for v in boundary:
        place, _, face, _ = tree.find_nearest(Vector(vertices[v]))
        corners = surface.triangles[face]
        shares = barycentric_transform(place, *(points[corner] for corner in corners), *CORNERS)
        if sum(share * weights[corner] for share, corner in zip(shares, corners)) >= PINNED:
            chosen.add(int(v))
    near = vertices[sorted(chosen)]
    for v in pinned:
        if len(near) == 0 or numpy.linalg.norm(near - surface.vertices[v], axis=1).min() > size:
            distance = numpy.linalg.norm(vertices[boundary] - surface.vertices[v], axis=1)
            chosen.add(int(boundary[distance.argmin()]))
    return sorted(chosen)
