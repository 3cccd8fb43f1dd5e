"""Small implicit Euler steps in numpy, for variants of the paper that sinew does not have: other first Hessians of
L-BFGS, conjugate gradients in place of a factor, stiffness warping, Projective Dynamics with strain limits. Matrices
are dense, so meshes have a few hundred vertices. Only iterations are compared, never seconds. Energies, stresses and
Hessians of tets come from sinew's materials."""

import pathlib

import numpy as np

GAMMA = 0.3  # Armijo constant of the paper


def box(size, cells):
    """A box of five tets per cell, centred at the origin."""
    counts = [c + 1 for c in cells]
    axes = [np.linspace(-0.5 * s, 0.5 * s, c) for s, c in zip(size, counts)]
    vertices = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    fives = {0: ((0, 1, 2, 4), (3, 1, 7, 2), (5, 1, 4, 7), (6, 2, 7, 4), (1, 2, 4, 7)),
             1: ((1, 0, 5, 3), (2, 0, 3, 6), (4, 0, 6, 5), (7, 3, 5, 6), (0, 3, 6, 5))}
    tets = []
    for i in range(cells[0]):
        for j in range(cells[1]):
            for k in range(cells[2]):
                corner = [((i + a) * counts[1] + j + b) * counts[2] + k + c
                          for a in (0, 1) for b in (0, 1) for c in (0, 1)]
                tets += [[corner[v] for v in five] for five in fives[(i + j + k) % 2]]
    tets = np.array(tets)
    edges = vertices[tets[:, 1:]] - vertices[tets[:, :1]]
    turned = np.linalg.det(edges) < 0
    tets[turned] = tets[turned][:, [0, 2, 1, 3]]
    return vertices, tets


def write_box(sinew, folder, size, cells):
    vertices, tets = box(size, cells)
    path = pathlib.Path(folder) / "box.msh"
    sinew.write_mesh(path, sinew.Mesh(vertices, tets))
    return path, vertices, tets


def rotations(F):
    """Nearest rotations of 3 x 3 matrices."""
    u, _, v = np.linalg.svd(F)
    u[:, :, 2] *= (np.linalg.det(u) * np.linalg.det(v))[:, None]
    return u @ v


class Solid:
    """Tets of one material, h and lumped masses."""

    def __init__(self, vertices, tets, material, step, fixed, density=1000.0):
        self.rest, self.tets, self.material, self.h = vertices, tets, material, step
        edges = np.swapaxes(vertices[tets[:, 1:]] - vertices[tets[:, :1]], 1, 2)
        self.volumes = np.linalg.det(edges) / 6
        inverse = np.linalg.inv(edges)
        # Of the shape functions, (m, 4, 3).
        self.gradients = np.concatenate([-inverse.sum(1, keepdims=True), inverse], 1)
        self.count = len(vertices)
        self.mass = np.bincount(tets.ravel(), np.repeat(density * self.volumes / 4, 4), self.count)
        self.free = np.ones((self.count, 3), bool)
        self.free[fixed] = False
        self.mask = self.free.ravel()

    def deformation(self, x):
        return np.einsum("mai,maj->mij", x[self.tets], self.gradients)

    def gather(self, element):
        """Adds forces (m, 4, 3) of the tets at vertices."""
        out = np.empty((self.count, 3))
        for axis in range(3):
            out[:, axis] = np.bincount(self.tets.ravel(), element[:, :, axis].ravel(), self.count)
        return out

    def elastic(self, x):
        return float(self.volumes @ self.material.energy(self.deformation(x)))

    def elastic_gradient(self, x):
        P = self.material.stress(self.deformation(x))
        return self.gather(np.einsum("m,mij,maj->mai", self.volumes, P, self.gradients))

    def value(self, x, y):
        """E over h^2."""
        energy = self.elastic(x)
        return energy + 0.5 / self.h**2 * float(self.mass @ ((x - y)**2).sum(1)) if np.isfinite(energy) else np.inf

    def gradient(self, x, y):
        g = self.elastic_gradient(x) + (self.mass / self.h**2)[:, None] * (x - y)
        g[~self.free] = 0
        return g

    def matrix(self, blocks):
        """M / h^2 and blocks (m, 4, 4, 3, 3), dense."""
        n = 3 * self.count
        ids = 3 * self.tets[:, :, None] + np.arange(3)
        rows = np.broadcast_to(ids[:, :, None, :, None], blocks.shape)
        columns = np.broadcast_to(ids[:, None, :, None, :], blocks.shape)
        matrix = np.bincount((rows * n + columns).ravel(), blocks.ravel(), n * n).reshape(n, n)
        matrix[np.arange(n), np.arange(n)] += np.repeat(self.mass, 3) / self.h**2
        return matrix

    def assemble(self, blocks):
        """Rows of fixed coordinates are those of the identity."""
        return self.constrain(self.matrix(blocks))

    def constrain(self, matrix):
        matrix[~self.mask] = 0
        matrix[:, ~self.mask] = 0
        matrix[~self.mask, ~self.mask] = 1
        return matrix

    def blocks(self, x, psd):
        hessian = self.material.hessian(self.deformation(x), psd=psd).reshape(-1, 3, 3, 3, 3)
        return np.einsum("m,maj,mijkl,mbl->mabik", self.volumes, self.gradients, hessian, self.gradients, optimize=True)

    def hessian(self, x, psd=True):
        return self.assemble(self.blocks(x, psd))

    def constant_matrix(self, stiffness):
        """M / h^2 + L of the paper."""
        part = np.einsum("m,maj,mbj->mab", self.volumes * stiffness, self.gradients, self.gradients)
        return self.assemble(part[..., None, None] * np.eye(3))

    def vertex_rotations(self, x):
        """Rotations of vertices: nearest to the mean deformation of their tets (Mueller et al. 2002)."""
        F = self.volumes[:, None, None] * self.deformation(x)
        total = np.zeros((self.count, 3, 3))
        for a in range(4):
            np.add.at(total, self.tets[:, a], F)
        return rotations(total)


def effective_stiffness(material, low=0.5, high=1.5):
    """Slope of the line that fits the stress over stretches best (equation 10)."""
    s = np.linspace(low, high, 401)
    F = np.zeros((len(s), 3, 3))
    F[:, 0, 0], F[:, 1, 1], F[:, 2, 2] = s, 1, 1
    return float(np.polyfit(s, material.stress(F)[:, 0, 0], 1)[0])


def factored(matrix):
    inverse = np.linalg.inv(matrix)
    return lambda q: (inverse @ q.ravel()).reshape(q.shape)


def conjugate_gradients(matrix, q, most, tolerance=1e-10):
    """Jacobi-preconditioned CG; it ends at `most` iterations or at negative curvature (Gast et al. 2015)."""
    q = q.ravel()
    diagonal = np.diag(matrix)
    x, r = np.zeros_like(q), q.copy()
    z = r / diagonal
    p, rz = z.copy(), float(r @ z)
    for k in range(most):
        Ap = matrix @ p
        curvature = float(p @ Ap)
        if curvature <= 0:
            return (p if k == 0 else x).reshape(-1, 3)
        alpha = rz / curvature
        x += alpha * p
        r -= alpha * Ap
        if np.linalg.norm(r) < tolerance * np.linalg.norm(q):
            break
        z = r / diagonal
        rz, before = float(r @ z), rz
        p = z + rz / before * p
    return x.reshape(-1, 3)


def lbfgs(history, q, first):
    """Algorithm 2."""
    q, kept = q.copy(), []
    for s, t in reversed(history):
        rho = float((s * t).sum())
        zeta = float((s * q).sum()) / rho
        q -= zeta * t
        kept.append((s, t, rho, zeta))
    r = first(q)
    for s, t, rho, zeta in reversed(kept):
        r = r + s * (zeta - float((t * r).sum()) / rho)
    return r


def descend(solid, y, direction, iterations):
    """Algorithm 1 from x_0 = y with direction(x, g); the values of all iterates."""
    x = y.copy()
    values = [solid.value(x, y)]
    for _ in range(iterations):
        g = solid.gradient(x, y)
        d = direction(x, g)
        d[~solid.free] = 0
        slope = float((g * d).sum())
        alpha = 1.0
        for _ in range(40):
            new = x + alpha * d
            value = solid.value(new, y)
            if value <= values[-1] + GAMMA * alpha * slope:
                x = new
                values.append(value)
                break
            alpha /= 2
        else:
            values.append(values[-1])
    return x, values


class Secants:
    """direction(x, g) of L-BFGS with window m around first(q) = A_0^-1 q."""

    def __init__(self, first, m):
        self.first, self.m, self.history, self.last = first, m, [], None

    def __call__(self, x, g):
        if self.last is not None:
            s, t = x - self.last[0], g - self.last[1]
            if float((s * t).sum()) > 0:
                self.history = (self.history + [(s, t)])[-self.m:] if self.m else []
        self.last = (x.copy(), g.copy())
        return lbfgs(self.history, -g, self.first)
