"""Tet meshes of simple solids for cases that no primitive fits: structured grids, mapped.

A case's `mesh.py` calls these; its files are written beside the scene and are not part of the repository.
"""

import itertools

import numpy as np


def grid_tets(counts):
    """Six tets a cell (Kuhn) of a grid of `counts` cells: vertex (i, j, k) has the number (i (ny+1) + j) (nz+1) + k."""
    nx, ny, nz = counts
    i, j, k = (a.ravel() for a in np.meshgrid(range(nx), range(ny), range(nz), indexing="ij"))

    def number(corner):
        return ((i + corner[0]) * (ny + 1) + j + corner[1]) * (nz + 1) + k + corner[2]

    tets = []
    for order in itertools.permutations(range(3)):
        corner = np.zeros((4, 3), int)
        for place, axis in enumerate(order):
            corner[place + 1:, axis] += 1
        tet = np.stack([number(c) for c in corner], -1)
        tets.append(tet if np.linalg.det(corner[1:] - corner[0]) > 0 else tet[:, [0, 1, 3, 2]])
    return np.concatenate(tets)


def grid(xs, ys, zs):
    """A box whose vertices lie at the given coordinates."""
    vertices = np.stack(np.meshgrid(xs, ys, zs, indexing="ij"), -1).reshape(-1, 3).astype(float)
    return vertices, grid_tets((len(xs) - 1, len(ys) - 1, len(zs) - 1))


def merged(vertices, tets, size):
    """Vertices at one place become one; tets without volume go, those turned inside out are turned back."""
    keys = np.round(np.asarray(vertices) / (1e-7 * size)).astype(np.int64)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    inverse = np.asarray(inverse).reshape(-1)
    order = np.argsort(first)  # keeps the order in which vertices came
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    vertices = np.asarray(vertices)[first[order]]
    tets = rank[inverse][tets]
    edges = vertices[tets[:, 1:]] - vertices[tets[:, :1]]
    volumes = np.linalg.det(edges)
    tets, volumes = tets[np.abs(volumes) > 1e-12 * size**3], volumes[np.abs(volumes) > 1e-12 * size**3]
    tets[volumes < 0] = tets[volumes < 0][:, [0, 1, 3, 2]]
    return vertices, tets


def sector(radii, angles, heights):
    """Of a tube about z: radii, angles [rad] from 0 up, heights. A whole turn closes."""
    vertices, tets = grid(radii, angles, heights)
    r, a, z = vertices.T
    mapped = np.stack([r * np.cos(a), r * np.sin(a), z], -1)
    return merged(mapped, tets, max(radii))


def press_fit():
    """A quarter of a ring, radii 10 and 20 mm, 2 mm long, and the surface of a shaft of radius 9.75 mm about z, whose
    corners lie at those of the ring."""
    around, lines = 48, []
    for z in (-0.002, 0.004):
        lines += [f"v {0.00975 * np.cos(2 * np.pi * j / around):.12g} {0.00975 * np.sin(2 * np.pi * j / around):.12g} {z}"
                  for j in range(around)]
    for j in range(around):
        a, b = j + 1, (j + 1) % around + 1
        lines += [f"f {a} {b} {b + around}", f"f {a} {b + around} {a + around}"]
    return {"ring.msh": sector(np.geomspace(0.01, 0.02, 9), np.linspace(0, np.pi / 2, 13), [0.0, 0.001, 0.002]),
            "shaft.obj": "\n".join(lines) + "\n"}


def overlapping_tubes(interference, taper=0):
    """Quarters of a pin, a tube of radii 4 and 10 mm, and of a hub of 10 to 20 mm, 2 mm long. The pin is too thick by a
    share of its radius. taper: all radii grow by this share over the length."""
    angles, heights = np.linspace(0, np.pi / 2, 13), [0.0, 0.001, 0.002]

    def tapered(radii):
        vertices, tets = sector(radii, angles, heights)
        wider = 1 + taper * vertices[:, 2:] / max(heights)
        return np.hstack([vertices[:, :2] * wider, vertices[:, 2:]]), tets

    return {"pin.msh": tapered(np.geomspace(0.004, 0.01 * (1 + interference), 8)),
            "hub.msh": tapered(np.geomspace(0.01, 0.02, 9))}


def shell_octant(radii, cells):
    """The octant x, y, z >= 0 of a hollow ball: three patches of cells x cells on its sphere, through the given radii."""
    vertices, tets, begin = [], [], 0
    steps = np.linspace(0, 1, cells + 1)
    for axis in range(3):  # patch about one axis: where that coordinate is the largest of the cube's surface
        v, t = grid(steps, steps, radii)
        direction = np.ones((len(v), 3))
        direction[:, (axis + 1) % 3] = np.tan(v[:, 0] * np.pi / 4)
        direction[:, (axis + 2) % 3] = np.tan(v[:, 1] * np.pi / 4)
        direction /= np.linalg.norm(direction, axis=1)[:, None]
        vertices.append(direction * v[:, 2:])
        tets.append(t + begin)
        begin += len(v)
    return merged(np.concatenate(vertices), np.concatenate(tets), max(radii))


def extruded(points, triangles, heights):
    """A plane mesh of triangles, swept along z: three tets a prism, which fit to their neighbours by vertex numbers."""
    points, triangles = np.asarray(points, float), np.sort(np.asarray(triangles), axis=1)
    n = len(points)
    vertices = np.concatenate([np.column_stack([points, np.full(n, z)]) for z in heights])
    tets = []
    for layer in range(len(heights) - 1):
        a, b, c = (triangles + layer * n).T
        d, e, f = (triangles + (layer + 1) * n).T
        tets += [np.stack([a, b, c, f], -1), np.stack([a, b, e, f], -1), np.stack([a, d, e, f], -1)]
    return merged(vertices, np.concatenate(tets), np.abs(vertices).max())


def turned_grid(points_of, counts, heights):
    """A grid of quads in the plane, `points_of(u, v)` for u, v in [0, 1], swept along z."""
    nu, nv = counts
    u, v = (a.ravel() for a in np.meshgrid(np.linspace(0, 1, nu + 1), np.linspace(0, 1, nv + 1), indexing="ij"))
    i, j = (a.ravel() for a in np.meshgrid(range(nu), range(nv), indexing="ij"))
    a, b, c, d = (i * (nv + 1) + j, (i + 1) * (nv + 1) + j, (i + 1) * (nv + 1) + j + 1, i * (nv + 1) + j + 1)
    even = (i + j) % 2 == 0
    first = np.where(even[:, None], np.stack([a, b, c], -1), np.stack([a, b, d], -1))
    second = np.where(even[:, None], np.stack([a, c, d], -1), np.stack([b, c, d], -1))
    return extruded(np.stack(points_of(u, v), -1), np.concatenate([first, second]), heights)


EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3))  # in the order of Gmsh


def second_order(vertices, tets, place=None):
    """Ten-node tets of linear ones. place(middle, a, b): the nodes on the edges between points a and b."""
    vertices, tets = np.asarray(vertices, float), np.asarray(tets)
    ends = np.sort(np.concatenate([tets[:, edge] for edge in EDGES]), axis=1)
    edges, number = np.unique(ends, axis=0, return_inverse=True)
    a, b = vertices[edges[:, 0]], vertices[edges[:, 1]]
    middle = (a + b) / 2
    nodes = len(vertices) + number.reshape(len(EDGES), -1).T
    return np.concatenate([vertices, place(middle, a, b) if place else middle]), np.concatenate([tets, nodes], axis=1)


def on_spheres(middle, a, b):
    """Moves nodes to the mean distance of the edges' ends from the origin."""
    radius = (np.linalg.norm(a, axis=1) + np.linalg.norm(b, axis=1)) / 2
    return middle * (radius / np.linalg.norm(middle, axis=1))[:, None]


def ball_cap(radius, angle, rings, around):
    """The surface of the lower cap of a ball whose lowest point is the origin, out to an angle from there."""
    lines = ["v 0 0 0"]
    for i in range(1, rings + 1):
        tilt = angle * i / rings
        for j in range(around):
            turn = 2 * np.pi * j / around
            lines.append(f"v {radius * np.sin(tilt) * np.cos(turn):.12g} {radius - radius * np.cos(tilt):.12g} "
                         f"{radius * np.sin(tilt) * np.sin(turn):.12g}")
    for j in range(around):
        lines.append(f"f 1 {2 + j} {2 + (j + 1) % around}")
    for i in range(rings - 1):
        for j in range(around):
            a, b = 2 + i * around + j, 2 + i * around + (j + 1) % around
            lines += [f"f {a} {a + around} {b}", f"f {b} {a + around} {b + around}"]
    return "\n".join(lines) + "\n"


def blade(cells):
    """Ten-node tets of a twisted and tapered blade of lenses along x, of `cells` along chord, thickness and length."""
    vertices, tets = second_order(*grid(*(np.linspace(0, 1, n + 1) for n in cells)))
    s, t, x = vertices[:, 0] - 0.5, vertices[:, 1] - 0.5, vertices[:, 2]
    chord, thickness, turn = 0.06 - 0.02 * x, 0.006 - 0.003 * x, np.radians(35) * x
    y, z = chord * s, thickness * t * (1 - 3 * s**2) + 0.15 * chord * (1 - 4 * s**2)
    return np.stack([0.15 * x, np.cos(turn) * y - np.sin(turn) * z, np.sin(turn) * y + np.cos(turn) * z], -1), tets


def gmsh(vertices, tets, regions=None):
    """The text of a .msh file (Gmsh 2.2) of tets with four or ten nodes; regions: a number for each."""
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(vertices))]
    lines += [f"{i + 1} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(np.asarray(vertices, float).tolist())]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    kind = 4 if np.shape(tets)[1] == 4 else 11
    regions = np.ones(len(tets), int) if regions is None else np.asarray(regions, int)
    lines += [f"{i + 1} {kind} 2 {r} {r} " + " ".join(map(str, tet))
              for i, (tet, r) in enumerate(zip((np.asarray(tets) + 1).tolist(), regions.tolist()))]
    return "\n".join(lines + ["$EndElements", ""])
