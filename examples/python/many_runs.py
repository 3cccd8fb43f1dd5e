"""Steps many copies of a gripper's finger at once, each with a stiffness and a gravity of its own."""

import sys
import time

import numpy as np

import sinew

count = int(sys.argv[1]) if len(sys.argv) > 1 else 16

scene = sinew.Scene()
scene.time = {"step": 0.01}
scene.solver = {"method": "reduced", "handles": 8}
scene.add_material("silicone", young=4e5, poisson=0.45, density=1100)
finger = scene.add_body(sinew.box([0.016, 0.08, 0.03], cells=(4, 20, 6)), "silicone", name="finger")
scene.add_fix(finger, {"halfspace": {"point": [0, 0.039, 0], "normal": [0, 1, 0]}})

with sinew.Batch(scene, count, seed=7) as batch:

    def randomise(sim, rng):
        sim.materials["silicone"].young = float(4e5 * np.exp(rng.normal(0, 0.3)))
        direction = rng.normal(size=3)
        sim.set_gravity(9.81 * direction / np.linalg.norm(direction))

    batch.map(randomise, batch.rngs)
    start = time.perf_counter()
    batch.step(20)
    seconds = time.perf_counter() - start
    tips = batch.positions[:, 0]
    print(f"{20 * count / seconds:.0f} steps a second; tips lie within {1000 * np.ptp(tips, axis=0).max():.1f} mm")
