import numpy as np

from meshes import turned_grid


def meshes():
    """A strip 0.2 m long whose middle rises by 30 mm, 2 mm thick and 10 mm wide."""
    def place(u, v):
        x = 0.2 * (u - 0.5)
        return x, 0.03 * (1 - (x / 0.1)**2) + 0.002 * v
    return {"arch.msh": turned_grid(place, (40, 2), np.linspace(0, 0.01, 4))}
