import numpy as np

from meshes import turned_grid


def meshes():
    """The panel of 48 x 44 to 16 and a thickness of 1."""
    def place(u, v):
        low, high = 44 * u, 44 + 16 * u
        return 48 * u, low + (high - low) * v
    return {"panel.msh": turned_grid(place, (20, 20), [0.0, 1.0])}
