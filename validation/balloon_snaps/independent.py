"""Pressure in a hollow ball of an incompressible Mooney-Rivlin material over the stretch l of its inner radius.

With W(l) = C1 (2 l^2 + 1/l^4 - 3) + C2 (l^4 + 2/l^2 - 3), p = int W'(l) / (l^3 - 1) dl from the outer stretch to the inner
one (Green and Zerna 1954). Prints where p turns, and the stretch beyond at the full pressure.
"""

C1, C2, INNER, OUTER, FULL = 151515.151515, 15151.515152, 0.05, 0.06, 8.6e4


def antiderivative(s):
    return -4 * C1 * (1 / s + 1 / (4 * s**4)) + 4 * C2 * (s - 1 / (2 * s * s))


def pressure(stretch):
    outer = (OUTER**3 - INNER**3 + (stretch * INNER)**3)**(1 / 3) / OUTER
    return antiderivative(stretch) - antiderivative(outer)


if __name__ == "__main__":
    stretches = [1 + i * 1e-4 for i in range(70000)]
    p = [pressure(s) for s in stretches]
    for i in range(1, len(p) - 1):
        if (p[i] - p[i - 1]) * (p[i + 1] - p[i]) < 0:
            print(f"p = {p[i]:.1f} Pa = {p[i] / FULL:.5f} of {FULL:g} Pa at a stretch of {stretches[i]:.3f}")
    last = next(s for s, q in zip(reversed(stretches), reversed(p)) if q <= FULL)
    print(f"the full pressure at a stretch of {last:.4f}")
