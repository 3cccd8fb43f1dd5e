"""Snap-through of a clamped shallow cap as an axisymmetric shell (Marguerre 1938), by Ritz elements and Newton's method.

With the radial displacement u and the deflection w, downwards, of the parabolic cap z = H (1 - r^2/a^2):

  e_r = u' + 2 H r/a^2 w' + w'^2/2,   e_t = u/r,   k_r = w'',   k_t = w'/r,

  E = pi C int (e_r^2 + 2 nu e_r e_t + e_t^2) r dr + pi D int (k_r^2 + 2 nu k_r k_t + k_t^2) r dr - 2 pi q int w r dr,

C = E t / (1 - nu^2), D = C t^2 / 12. Cubic Hermite elements for u and w. The deflection of the middle is prescribed, the
load q an unknown. Prints the loads at which q turns.
"""

import numpy as np

YOUNG, NU, RADIUS, RISE, THICKNESS, CELLS = 1e9, 0.3, 0.1, 0.006, 0.002, 40
C = YOUNG * THICKNESS / (1 - NU**2)
D = C * THICKNESS**2 / 12
H = RADIUS / CELLS
GAUSS = np.polynomial.legendre.leggauss(5)


def shapes(s):
    """Values, first and second derivatives of the four Hermite functions at s in [0, 1]."""
    return (np.array([1 - 3*s*s + 2*s**3, H*(s - 2*s*s + s**3), 3*s*s - 2*s**3, H*(s**3 - s*s)]),
            np.array([-6*s + 6*s*s, H*(1 - 4*s + 3*s*s), 6*s - 6*s*s, H*(3*s*s - 2*s)]) / H,
            np.array([-6 + 12*s, H*(-4 + 6*s), 6 - 12*s, H*(6*s - 2)]) / H**2)


def assemble(x):
    """Gradient and Hessian of E without the load, and the load's vector for q = 1. Unknowns of a node: u, u', w, w'."""
    n = 4 * (CELLS + 1)
    g, K, f = np.zeros(n), np.zeros((n, n)), np.zeros(n)
    for e in range(CELLS):
        of_u, of_w = np.array([0, 1, 4, 5]) + 4*e, np.array([2, 3, 6, 7]) + 4*e
        both = np.concatenate([of_u, of_w])
        for point, weight in zip(*GAUSS):
            s = (point + 1) / 2
            r, N, N1, N2 = (e + s) * H, *shapes(s)
            measure = 2 * np.pi * r * weight * H / 2
            slope = N1 @ x[of_w]
            tilt = 2 * RISE * r / RADIUS**2
            er, et = N1 @ x[of_u] + tilt * slope + slope**2 / 2, N @ x[of_u] / r
            Br = np.concatenate([N1, (slope + tilt) * N1])
            Bt = np.concatenate([N / r, np.zeros(4)])
            nr, nt = C * (er + NU * et), C * (et + NU * er)
            g[both] += measure * (nr * Br + nt * Bt)
            part = C * (np.outer(Br, Br) + np.outer(Bt, Bt) + NU * (np.outer(Br, Bt) + np.outer(Bt, Br)))
            part[4:, 4:] += nr * np.outer(N1, N1)
            Kr, Kt = N2, N1 / r
            bending = D * (np.outer(Kr, Kr) + np.outer(Kt, Kt) + NU * (np.outer(Kr, Kt) + np.outer(Kt, Kr)))
            part[4:, 4:] += bending
            g[of_w] += measure * bending @ x[of_w]
            K[np.ix_(both, both)] += measure * part
            f[of_w] += measure * N
    return g, K, f


def path(deflections):
    """The load for each deflection of the middle."""
    n = 4 * (CELLS + 1)
    free = np.setdiff1d(np.arange(n), [0, 3, n - 4, n - 2, n - 1])  # u and w' at the middle; u, w, w' at the edge
    x, q, loads = np.zeros(n), 0.0, []
    for wanted in deflections:
        for _ in range(50):
            g, K, f = assemble(x)
            m = len(free)
            A = np.zeros((m + 1, m + 1))
            A[:m, :m], A[:m, m] = K[np.ix_(free, free)], -f[free]
            A[m, list(free).index(2)] = 1
            d = np.linalg.solve(A, np.concatenate([q * f[free] - g[free], [wanted - x[2]]]))
            x[free] += d[:m]
            q += d[m]
            if np.abs(d[:m]).max() < 1e-12:
                break
        loads.append(q)
    return np.array(loads)


if __name__ == "__main__":
    deflections = np.linspace(0, 2.2 * RISE, 89)[1:]
    q = path(deflections)
    for i in range(1, len(q) - 1):
        if (q[i] - q[i - 1]) * (q[i + 1] - q[i]) < 0:
            a, b, c = np.polyfit(deflections[i - 1:i + 2], q[i - 1:i + 2], 2)
            print(f"q = {c - b*b/(4*a):.1f} Pa at a deflection of {-b/(2*a)/RISE:.3f} of the rise")
