import numpy as np

from meshes import second_order, sector

RADIUS, RISE, THICKNESS = 0.1, 0.006, 0.002


def meshes():
    """A quarter of a parabolic cap of ten-node tets."""
    vertices, tets = second_order(*sector(np.linspace(0, RADIUS, 11), np.linspace(0, np.pi / 2, 7),
                                          [-THICKNESS / 2, THICKNESS / 2]), on_circles)
    vertices[:, 2] += RISE * (1 - (vertices[:, 0]**2 + vertices[:, 1]**2) / RADIUS**2)
    return {"dome.msh": (vertices, tets)}


def on_circles(middle, a, b):
    """Moves nodes to the mean distance of the edges' ends from the axis."""
    wanted = (np.hypot(a[:, 0], a[:, 1]) + np.hypot(b[:, 0], b[:, 1])) / 2
    now = np.hypot(middle[:, 0], middle[:, 1])
    moved = middle.copy()
    moved[:, :2] *= np.where(now > 0, wanted / np.where(now > 0, now, 1), 1)[:, None]
    return moved
