"""The radial equilibrium of a hollow neo-Hookean ball by shooting: stretch of the middle of the wall over pressure.

Unknown r(R); radial stress P_r(F), hoop P_t: d(R^2 P_r)/dR = 2 R P_t, P_r = 0 outside, P_r = -p r^2 / R^2 inside. Starts
outside at a given radius, integrates inwards by RK4, and prints pressure and stretch; the largest pressure is the limit.
"""

import math

YOUNG, NU, INSIDE, OUTSIDE, CELLS = 1e6, 0.45, 0.0475, 0.0525, 400
MU, LAMBDA = YOUNG / (2 * (1 + NU)), YOUNG * NU / ((1 + NU) * (1 - 2 * NU))


def radial(a, b):
    """First Piola stress along the radius for stretches a along and b across it."""
    return MU * (a - 1 / a) + LAMBDA * math.log(a * b * b) / a


def hoop(a, b):
    return MU * (b - 1 / b) + LAMBDA * math.log(a * b * b) / b


def stretch_for(stress, b):
    """The radial stretch that has a radial stress, by bisection."""
    low, high = 1e-3, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if radial(middle, b) < stress else (low, middle)
    return (low + high) / 2


def rate(place, state):
    r, stress = state
    a = stretch_for(stress, r / place)
    return a, (2 * hoop(a, r / place) - 2 * stress) / place


def inwards(outer):
    """Pressure, and stretch of the middle of the wall, of a ball whose outer radius is given."""
    state, place, step = (outer, 0.0), OUTSIDE, (INSIDE - OUTSIDE) / CELLS
    middle = 0.0
    for i in range(CELLS):
        if i == CELLS // 2:
            middle = state[0] / place
        a = rate(place, state)
        b = rate(place + step / 2, [s + step / 2 * k for s, k in zip(state, a)])
        c = rate(place + step / 2, [s + step / 2 * k for s, k in zip(state, b)])
        d = rate(place + step, [s + step * k for s, k in zip(state, c)])
        state = [s + step / 6 * (p + 2 * q + 2 * t + u) for s, p, q, t, u in zip(state, a, b, c, d)]
        place += step
    return -state[1] * (INSIDE / state[0])**2, middle


if __name__ == "__main__":
    for percent in range(2, 80, 2):
        pressure, stretch = inwards(OUTSIDE * (1 + percent / 100))
        print(f"{pressure:.0f} Pa at a stretch of {stretch:.4f}")
