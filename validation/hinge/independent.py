"""The angle of a rigid rod about the middle of its end, by RK4 with steps of 1 us: prints degrees after 0.2 s."""

import math

LENGTH, WIDTH, GRAVITY, END = 0.3, 0.03, 9.81, 0.2
INERTIA = LENGTH**2 / 3 + WIDTH**2 / 12  # over the mass


def rate(state):
    angle, speed = state
    return speed, -GRAVITY * LENGTH / 2 / INERTIA * math.cos(angle)


def moved(state, change, by):
    return tuple(s + by * c for s, c in zip(state, change))


state, step = (0.0, 0.0), 1e-6
for _ in range(round(END / step)):
    a = rate(state)
    b = rate(moved(state, a, step / 2))
    c = rate(moved(state, b, step / 2))
    d = rate(moved(state, c, step))
    state = tuple(s + step / 6 * (p + 2 * q + 2 * r + t) for s, p, q, r, t in zip(state, a, b, c, d))
print(f"{math.degrees(state[0]):.2f}")
