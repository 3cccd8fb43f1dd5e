import numpy as np

from meshes import sector


def meshes():
    """A round bar."""
    return {"shaft.msh": sector(np.linspace(0, 0.05, 4), np.linspace(0, 2 * np.pi, 33), np.linspace(-0.25, 0.25, 13))}
