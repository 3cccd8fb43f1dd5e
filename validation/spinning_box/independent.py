"""Euler's equations of a rigid box with masses lumped at the vertices of its mesh, by RK4: prints the time at which its middle
axis is first at right angles to where it was, and the angular momentum.

    PYTHONPATH=scripts/validation /usr/bin/python3 validation/spinning_box/independent.py
"""

import pathlib
import runpy

import numpy as np

vertices, tets = runpy.run_path(str(pathlib.Path(__file__).parent / "mesh.py"))["meshes"]()["box.msh"]
masses = np.zeros(len(vertices))
for corner in range(4):
    np.add.at(masses, tets[:, corner], 1000 / 4 * np.linalg.det(vertices[tets[:, 1:]] - vertices[tets[:, :1]]) / 6)
vertices = vertices - masses @ vertices / masses.sum()
inertia = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, vertices))
inverse = np.linalg.inv(inertia)


def rate(turn, momentum):
    """Of the rotation; the angular momentum is fixed in space."""
    speed = turn @ inverse @ turn.T @ momentum
    return np.cross(speed, turn.T).T


turn, step, time = np.eye(3), 1e-5, 0.0
momentum = inertia @ np.array([0.5, 20.0, 0.0])
while turn[1, 1] > 0:
    a = rate(turn, momentum)
    b = rate(turn + step / 2 * a, momentum)
    c = rate(turn + step / 2 * b, momentum)
    d = rate(turn + step * c, momentum)
    turn, time = turn + step / 6 * (a + 2 * b + 2 * c + d), time + step
print(f"{time:.4f} s, {np.linalg.norm(momentum):.6g} kg m^2/s")
