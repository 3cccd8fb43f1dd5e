"""Plans by random shooting: copies of a simulation try random controls, and the best one is taken.

A beam hangs from a wall. Gravity, which the script may turn, swings its tip to a goal.
"""

import numpy as np

import sinew

STEPS, TRIES, ROUNDS = 6, 12, 4
GOAL = np.array([0.15, -0.03, 0.06])

scene = sinew.Scene()
scene.time = {"step": 0.02}
scene.contact = {"enabled": False}
scene.add_material("rubber", young=1e5, poisson=0.4)
beam = scene.add_body(sinew.box([0.3, 0.03, 0.03], cells=(10, 1, 1)), "rubber", name="beam")
scene.add_fix(beam, {"halfspace": {"point": [-0.149, 0, 0], "normal": [-1, 0, 0]}})
sim = sinew.Simulation(scene)
tip = int(np.argmax(sim.bodies["beam"].rest_positions[:, 0]))


def apply(copy, angle):
    copy.set_gravity([0, -9.81 * np.cos(angle), 9.81 * np.sin(angle)])


def observe(copy):
    return copy.bodies["beam"].positions[tip]


rng = np.random.default_rng(0)
for number in range(ROUNDS):
    plans = list(rng.uniform(-np.pi, np.pi, (TRIES, STEPS)))
    ways = sinew.rollout(sim, plans, apply, observe=observe)  # (tries, steps, 3)
    distances = np.linalg.norm(ways[:, -1] - GOAL, axis=1)
    best = int(np.argmin(distances))
    for angle in plans[best]:
        apply(sim, angle)
        sim.step()
    assert np.array_equal(observe(sim), ways[best, -1])  # what the copy did, bit for bit
    print(f"round {number}: the best of {TRIES} plans ends {1000 * distances[best]:.0f} mm from the goal")
