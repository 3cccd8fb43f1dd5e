"""A soft gripper over a ball: the scene of the other examples, made in memory.

Two fingers of silicone hang from their bases, whose positions a script prescribes. Run it to print what the scene holds.
"""

import numpy as np

import sinew

FINGER = np.array([0.016, 0.08, 0.03])  # [m]
OPEN = 0.055  # distance of a finger from the middle [m]
BALL = 0.025  # radius [m]


def shift(x, y, z):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def make_scene(method="newton"):
    scene = sinew.Scene()
    scene.name = "gripper"
    scene.time = {"step": 0.01}
    scene.contact = {"friction": 0.8}
    scene.solver = {"method": method}
    scene.add_material("silicone", young=4e5, poisson=0.45, density=1100)
    scene.add_material("foam", young=8e4, poisson=0.3, density=200)
    finger = sinew.box(FINGER, cells=(2, 8, 3))
    top = 0.005 + FINGER[1]
    for name, side in (("left", -1), ("right", 1)):
        body = scene.add_body(finger, "silicone", name=name, transform=shift(side * OPEN, 0.005 + FINGER[1] / 2, 0))
        scene.add_fix(body, {"halfspace": {"point": [0, top - 0.001, 0], "normal": [0, 1, 0]}})
    scene.add_body(sinew.sphere(BALL, edge=0.01), "foam", name="ball", transform=shift(0, BALL + 0.001, 0))
    scene.add_obstacle(plane=([0, 0, 0], [0, 1, 0]), name="floor")
    return scene


if __name__ == "__main__":
    sim = sinew.Simulation(make_scene())
    for body in sim.bodies:
        print(f"{body.name}: {len(body.rest_positions)} vertices, {len(body.tets)} tets, {1000 * body.mass:.1f} g")
