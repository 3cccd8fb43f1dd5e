"""Grasps the ball, lifts it and holds it: the script moves the bases of both fingers step by step."""

import numpy as np

import sinew
from gripper import OPEN, make_scene

CLOSE, LIFT, HOLD = 30, 30, 10  # steps
CLOSED = 0.029  # distance of a base from the middle when closed [m]
HEIGHT = 0.05  # of the lift [m]

sim = sinew.Simulation(make_scene())
ball = sim.bodies["ball"]
weight = 9.81 * ball.mass
start = ball.center_of_mass


def move(closed, lifted):
    for name, side in (("left", -1), ("right", 1)):
        target = np.eye(4)
        target[:3, 3] = -side * closed * (OPEN - CLOSED), lifted * HEIGHT, 0
        sim.fixes[f"{name}.0"].set_target(transform=target)
    row = sim.step()
    assert row["converged"], row["reason"]


for step in range(CLOSE):
    move((step + 1) / CLOSE, 0)
grip = sim.wrench("ball", by="left")[0]
for step in range(LIFT):
    move(1, (step + 1) / LIFT)
for step in range(HOLD):
    move(1, 1)

force = sim.wrench("ball")[0]
print(f"grip {abs(grip[0]):.2f} N; lifted by {1000 * (ball.center_of_mass - start)[1]:.1f} mm")
print(f"contacts carry {force[1] / weight:.2f} of the weight of the ball")
