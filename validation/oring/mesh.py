import numpy as np

from meshes import merged, grid


def meshes():
    """Middle radius 11.6 mm, section 3.53 mm: the upper half of a square, mapped to a disc and swept by a quarter."""
    u, v, turn = np.linspace(-1, 1, 11), np.linspace(0, 1, 6), np.linspace(0, np.pi / 2, 25)
    vertices, tets = grid(u, v, turn)
    x, y, angle = vertices.T
    outer = np.maximum(np.abs(x), np.abs(y))
    length = np.hypot(x, y)
    factor = np.divide(outer, length, out=np.ones_like(length), where=length > 0)
    factor = 1 + (factor - 1) * outer  # round outside, square inside
    x, y = 1.765e-3 * x * factor, 1.765e-3 * y * factor
    mapped = np.stack([(0.0116 + x) * np.cos(angle), y, (0.0116 + x) * np.sin(angle)], -1)
    return {"ring.msh": merged(mapped, tets, 0.0116)}
