import numpy as np

from meshes import grid


def meshes():
    """A cube of 1 m, its inner vertices moved by up to a sixth of a cell."""
    steps = np.linspace(-0.5, 0.5, 5)
    vertices, tets = grid(steps, steps, steps)
    inner = np.all(np.abs(vertices) < 0.49, axis=1)
    vertices[inner] += np.random.default_rng(1).uniform(-0.04, 0.04, (inner.sum(), 3))
    return {"cube.msh": (vertices, tets)}
