import numpy as np

from meshes import turned_grid


def meshes():
    """Half a turn about z from radius 50.1 mm, 1 mm thick, with straight ends of 20 mm."""
    ends, bend = 5, 48

    def place(u, v):
        n = np.rint(u * (bend + 2 * ends))
        angle = np.pi * np.clip((n - ends) / bend, 0, 1)
        down = 0.02 * np.where(n < ends, 1 - n / ends, np.where(n > bend + ends, (n - bend - ends) / ends, 0))
        r = 0.0501 + 0.001 * v
        return -r * np.cos(angle), r * np.sin(angle) - down
    return {"belt.msh": turned_grid(place, (bend + 2 * ends, 1), [0.0, 0.005])}
