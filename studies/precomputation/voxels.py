"""Meshes of cubes: a tree whose branches part in three."""

import numpy

CORNERS = numpy.stack(numpy.meshgrid((0, 1), (0, 1), (0, 1), indexing="ij"), -1).reshape(-1, 3)


def cube_mesh(module, cells, edge):
    """Tets of cubes of an edge [m] at integer places (m, 3), six around a diagonal of each."""
    vertices, number = numpy.unique((cells[:, None, :] + CORNERS).reshape(-1, 3), axis=0, return_inverse=True)
    number = number.reshape(-1, 8)
    tets = []
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)):
        path = [numpy.zeros(3, dtype=int)]
        for axis in order:
            path.append(path[-1] + numpy.eye(3, dtype=int)[axis])
        if numpy.linalg.det(numpy.array(path[1:])) < 0:
            path[1:3] = path[2:0:-1]
        tets.append(numpy.stack([number[:, 4 * c[0] + 2 * c[1] + c[2]] for c in path], -1))
    return module.Mesh(vertices * edge, numpy.concatenate(tets))


def cells_near(segments, edge):
    """The largest connected piece of all cubes within a radius of segments (from, to, radius)."""
    found = []
    for a, b, radius in segments:
        low = numpy.floor((numpy.minimum(a, b) - radius) / edge).astype(int)
        high = numpy.ceil((numpy.maximum(a, b) + radius) / edge).astype(int)
        grid = numpy.stack(numpy.meshgrid(*(numpy.arange(l, h) for l, h in zip(low, high)), indexing="ij"), -1).reshape(-1, 3)
        centers = (grid + 0.5) * edge
        along = numpy.clip((centers - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        found.append(grid[numpy.linalg.norm(centers - a - along[:, None] * (b - a), axis=1) <= radius])
    return largest_piece(numpy.unique(numpy.concatenate(found), axis=0))


def largest_piece(cells):
    number = {tuple(cell): k for k, cell in enumerate(cells)}
    label = [-1] * len(cells)
    for start in range(len(cells)):
        if label[start] >= 0:
            continue
        label[start], stack = start, [start]
        while stack:
            cell = cells[stack.pop()]
            for axis in range(3):
                for sign in (-1, 1):
                    place = cell.copy()
                    place[axis] += sign
                    other = number.get(tuple(place))
                    if other is not None and label[other] < 0:
                        label[other] = start
                        stack.append(other)
    values, counts = numpy.unique(label, return_counts=True)
    return cells[numpy.array(label) == values[counts.argmax()]]


def tree(module, tets, depth=5):
    """Branches that part in three, `depth` times: 1 + 3 + ... of them, of about so many tets."""
    random = numpy.random.default_rng(3)
    segments = []

    def grow(at, direction, length, radius, left):
        end = at + length * direction
        segments.append((at, end, radius))
        if left == 0:
            return
        side = numpy.cross(direction, random.normal(size=3))
        side /= numpy.linalg.norm(side)
        for k in range(3):
            angle = 2 * numpy.pi * k / 3
            out = numpy.cos(angle) * side + numpy.sin(angle) * numpy.cross(direction, side)
            way = 0.75 * direction + 0.66 * out
            grow(end, way / numpy.linalg.norm(way), 0.72 * length, 0.66 * radius, left - 1)

    grow(numpy.zeros(3), numpy.array([0.0, 1.0, 0.0]), 1.6, 0.16, depth)
    # Bisection in the edge length: thin branches are at least one cube thick, so tets are no simple function of it.
    low, high = 0.01, 0.4
    for _ in range(7):
        edge = (low * high)**0.5
        cells = cells_near([(a, b, max(r, 0.9 * edge)) for a, b, r in segments], edge)
        low, high = (edge, high) if 6 * len(cells) > tets else (low, edge)
    return cube_mesh(module, cells, edge)
