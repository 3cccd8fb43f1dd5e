"""The stiffness of a disc bonded to two rigid plates, by axisymmetric finite elements that do not lock."""

import numpy as np

GAUSS = np.sqrt(0.6) * np.array([-1.0, 0.0, 1.0])
WEIGHTS = np.array([5.0, 8.0, 5.0]) / 9


def shape(x):
    """Values and slopes of the three quadratic functions on [-1, 1]."""
    return np.array([x * (x - 1) / 2, 1 - x * x, x * (x + 1) / 2]), np.array([x - 0.5, -2 * x, x + 0.5])


def graded(length, cells):
    """Nodes of so many quadratic cells, which get finer towards the end."""
    nodes = length * np.sin(np.linspace(0, np.pi / 2, 2 * cells + 1))
    nodes[1::2] = (nodes[:-1:2] + nodes[2::2]) / 2
    return nodes


def element(r, z, elasticity):
    """The stiffness of a cell between two radii and two heights; displacements u_r, u_z of 3 x 3 nodes."""
    hr, hz, matrix = r[1] - r[0], z[1] - z[0], np.zeros((18, 18))
    for i in range(3):
        for j in range(3):
            (fr, dr), (fz, dz) = shape(GAUSS[i]), shape(GAUSS[j])
            radius = r[0] + hr * (GAUSS[i] + 1) / 2
            strain = np.zeros((4, 18))  # rr, zz, hoop, rz
            strain[0, 0::2] = strain[3, 1::2] = np.outer(dr * 2 / hr, fz).ravel()
            strain[1, 1::2] = strain[3, 0::2] = np.outer(fr, dz * 2 / hz).ravel()
            strain[2, 0::2] = np.outer(fr, fz).ravel() / radius
            matrix += strain.T @ elasticity @ strain * (WEIGHTS[i] * WEIGHTS[j] * hr * hz / 4 * 2 * np.pi * radius)
    return matrix


def apparent_modulus(radius, height, poisson, cells=(24, 6)):
    """Mean stress over mean strain, over Young's modulus, for small strains; half of the height is meshed."""
    lam, mu = poisson / ((1 + poisson) * (1 - 2 * poisson)), 1 / (2 * (1 + poisson))
    elasticity = lam * np.pad(np.ones((3, 3)), (0, 1)) + np.diag([2 * mu, 2 * mu, 2 * mu, mu])
    r, z = graded(radius, cells[0]), graded(height / 2, cells[1])
    stiffness = np.zeros((2 * len(r) * len(z), 2 * len(r) * len(z)))
    for i in range(0, len(r) - 1, 2):
        for k in range(0, len(z) - 1, 2):
            nodes = np.array([(i + a) * len(z) + k + b for a in range(3) for b in range(3)])
            dofs = np.stack([2 * nodes, 2 * nodes + 1], axis=1).ravel()
            stiffness[np.ix_(dofs, dofs)] += element(r[[i, i + 2]], z[[k, k + 2]], elasticity)
    # The axis stays on itself, the middle plane in itself; the top goes down by half of the height.
    u, fixed = np.zeros((len(r), len(z), 2)), np.zeros((len(r), len(z), 2), bool)
    fixed[0, :, 0] = fixed[:, 0, 1] = fixed[:, -1, :] = True
    u[:, -1, 1] = -height / 2
    u, fixed = u.ravel(), fixed.ravel()
    free = ~fixed
    u[free] = np.linalg.solve(stiffness[np.ix_(free, free)], -stiffness[np.ix_(free, fixed)] @ u[fixed])
    return 2 * (u @ stiffness @ u) / height / (np.pi * radius**2)  # twice the energy of both halves, at strain 1
