"""Bounded biharmonic weights (Jacobson et al. 2011), as a file of modes for sinew."""


def laplacian(vertices, tets, volumes, inverses):
    """The stiffness matrix of linear elements, dense."""
    import numpy

    slopes = numpy.concatenate([-inverses.sum(axis=2, keepdims=True), inverses], axis=2)  # (tets, 3, 4)
    local = numpy.einsum("tai,taj,t->tij", slopes, slopes, volumes)
    matrix = numpy.zeros((len(vertices), len(vertices)))
    numpy.add.at(matrix, (tets[:, :, None].repeat(4, 2), tets[:, None, :].repeat(4, 1)), local)
    return matrix


def farthest_points(vertices, count):
    """Vertices, each as far as possible from those before; the first is farthest from the centre."""
    chosen = [int(((vertices - vertices.mean(axis=0))**2).sum(axis=1).argmax())]
    distance = ((vertices - vertices[chosen[0]])**2).sum(axis=1)
    while len(chosen) < count:
        chosen.append(int(distance.argmax()))
        distance = distance.clip(max=((vertices - vertices[chosen[-1]])**2).sum(axis=1))
    return chosen


ROUNDS = 8  # of the active set; more change weights by less than 1e-3


def bounded(matrix, fixed, values):
    """Minimises w^T matrix w / 2 in [0, 1] with fixed entries, by a primal-dual active set."""
    import numpy

    n = len(matrix)
    w, lower, upper = numpy.zeros(n), numpy.zeros(n, bool), numpy.zeros(n, bool)
    held = numpy.zeros(n, bool)
    held[fixed] = True
    for _ in range(ROUNDS):
        w[:] = 0
        w[upper] = 1
        w[fixed] = values
        known = held | lower | upper
        free = ~known
        w[free] = numpy.linalg.solve(matrix[numpy.ix_(free, free)], -(matrix[numpy.ix_(free, known)] @ w[known]))
        slope = matrix @ w
        low = ~held & ((free & (w < 0)) | (lower & (slope > 0)))
        high = ~held & ((free & (w > 1)) | (upper & (slope < 0)))
        if (low == lower).all() and (high == upper).all():
            break
        lower, upper = low, high
    return w.clip(0, 1)


def weights(vertices, tets, count):
    """Weights (n, count) of handles at farthest points, divided by their sum."""
    import numpy

    from .bodies import frames_of, lumped

    volumes, inverses = frames_of(vertices, tets)
    L = laplacian(vertices, tets, volumes, inverses)
    biharmonic = L @ (L / lumped(vertices, tets)[:, None])
    handles = farthest_points(vertices, count)
    found = numpy.stack([bounded(biharmonic, handles, numpy.eye(count)[k]) for k in range(count)], axis=1)
    return found / found.sum(axis=1, keepdims=True)


def skinning_modes(path, vertices, tets, masses, count):
    """Writes the span of w_i [1, X] in all directions, orthonormal in the mass, without the rigid motions that sinew adds."""
    import numpy

    found = weights(vertices, tets, count)
    scalar = (found[:, :, None] * numpy.concatenate([numpy.ones((len(vertices), 1)), vertices], axis=1)[:, None, :]).reshape(len(vertices), -1)
    basis = numpy.kron(scalar, numpy.eye(3))
    root = numpy.repeat(masses, 3)**0.5
    x, y, z = (vertices - (masses @ vertices) / masses.sum()).T
    o, i = 0 * x, 0 * x + 1
    rigid = numpy.stack([numpy.stack(field, axis=1).ravel() for field in (
        (i, o, o), (o, i, o), (o, o, i), (o, -z, y), (z, o, -x), (-y, x, o))], axis=1) * root[:, None]
    rigid, _ = numpy.linalg.qr(rigid)
    basis = basis * root[:, None]
    basis -= rigid @ (rigid.T @ basis)
    left, sizes, _ = numpy.linalg.svd(basis, full_matrices=False)
    modes = left[:, sizes > 1e-8 * sizes[0]] / root[:, None]
    numpy.savez(path, modes=modes, values=numpy.ones(modes.shape[1]), rest=vertices, kind=numpy.array("linear"))
