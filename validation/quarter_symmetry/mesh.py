import numpy as np

from meshes import sector


def meshes():
    """A quarter, 5 mm long."""
    return {"tube.msh": sector(np.geomspace(0.05, 0.1, 9), np.linspace(0, np.pi / 2, 17), [0.0, 0.005])}
