import numpy as np

from meshes import sector


def meshes():
    """Quarters, 2 mm long: a pin of radius 9.99 mm, a hub from 10 to 20 mm with vertices at the same angles."""
    turn, heights = np.linspace(0, np.pi / 2, 13), [0.0, 0.001, 0.002]
    return {"pin.msh": sector(np.linspace(0, 0.00999, 7), turn, heights), "hub.msh": sector(np.geomspace(0.01, 0.02, 9), turn, heights)}
