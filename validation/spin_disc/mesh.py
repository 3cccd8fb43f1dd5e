import numpy as np

from meshes import sector


def meshes():
    """A quarter of an annulus, 5 mm thick."""
    return {"disc.msh": sector(np.linspace(0.1, 0.3, 17), np.linspace(0, np.pi / 2, 25), [-0.0025, 0.0025])}
