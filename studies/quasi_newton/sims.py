"""What the studies with Python simulations share."""

import numpy as np

STEP = 1 / 30


def deformation(vertices, tets, x):
    """Deformation gradients of all tets."""
    rest = np.swapaxes(vertices[tets[:, 1:]] - vertices[tets[:, :1]], 1, 2)
    now = np.swapaxes(x[tets[:, 1:]] - x[tets[:, :1]], 1, 2)
    return now @ np.linalg.inv(rest)


def aligned(rest, x):
    """x after the rigid motion that brings it nearest to rest."""
    a, b = rest - rest.mean(0), x - x.mean(0)
    u, _, v = np.linalg.svd(b.T @ a)
    turn = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ v))]) @ v
    return b @ turn + rest.mean(0)


def rms(a):
    return float(np.sqrt((a**2).sum(1).mean()))


def time():
    return {"step": STEP, "substeps": 0, "max_travel": 0}


def sine(times, direction, amplitude, frequency, ramp=0.0):
    """Keyframes of a shake that starts smoothly."""
    times = [float(t) for t in times]
    values = [[float(c * amplitude * np.sin(2 * np.pi * frequency * t) * (min(1, t / ramp) if ramp else 1))
               for c in direction]
              for t in times]
    return {"translate": {"times": times, "values": values}}
