import numpy as np

from meshes import grid


def meshes():
    """A quarter, finer below the ball."""
    across = 0.02 * np.linspace(0, 1, 10)**1.8
    return {"block.msh": grid(across, -across[::-1], across)}
