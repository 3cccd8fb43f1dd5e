import numpy as np

from meshes import grid


def meshes():
    """A rod whose end has a line of vertices in its middle."""
    return {"rod.msh": grid(np.linspace(0, 0.3, 21), np.linspace(-0.015, 0.015, 5), np.linspace(-0.015, 0.015, 5))}
