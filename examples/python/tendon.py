"""A finger that bends three ways between steps: by a tendon, by air in a chamber's wall, and by a muscle."""

import numpy as np

import sinew

SIZE = np.array([0.12, 0.02, 0.02])  # [m]


def make(kind):
    scene = sinew.Scene()
    scene.time = {"step": 0.02}
    scene.gravity = [0, 0, 0]
    scene.contact = {"enabled": False}
    scene.add_material("silicone", young=2e5, poisson=0.4, density=1000)
    muscle = kind == "muscle"
    if muscle:  # the upper half contracts along the finger
        scene.add_material("muscle", young=2e5, poisson=0.4, density=1000,
                           fiber={"stiffness": 0, "direction": [1, 0, 0], "tension": 1e5})  # yapf: disable
    box = sinew.box(SIZE, cells=(12, 2, 2))
    upper = box.vertices[box.tets][:, :, 1].mean(axis=1) > 0
    mesh = sinew.TetMesh(box.vertices, box.tets, regions=upper.astype(int))
    material = {"regions": {"0": "silicone", "1": "muscle" if muscle else "silicone"}}
    finger = scene.add_body(mesh, material, name="finger", damping={"mass": 10})
    scene.add_fix(finger, {"halfspace": {"point": [-0.0599, 0, 0], "normal": [-1, 0, 0]}})
    if kind == "tendon":
        scene.add_spring(finger, {"nearest": [0.06, 0.01, 0]}, [-0.06, 0.03, 0], 400, length=0.12)
    if kind == "pressure":
        scene.add_load(finger, {"halfspace": {"point": [0, -0.0099, 0], "normal": [0, -1, 0]}}, pressure=0.0)
    return sinew.Simulation(scene)


def bend(kind, act):
    sim = make(kind)
    tip = int(np.argmax(sim.bodies["finger"].rest_positions[:, 0]))
    start = sim.positions[tip]
    for step in range(25):
        act(sim, (step + 1) / 25)
        assert sim.step()["converged"]
    print(f"{kind} lifts the tip by {1000 * (sim.positions[tip] - start)[1]:.1f} mm")


bend("tendon", lambda sim, s: sim.springs[0].set_length(0.12 - 0.04 * s))
bend("pressure", lambda sim, s: sim.set_pressure("finger", 0, 100 * s))
bend("muscle", lambda sim, s: sim.materials["muscle"].set_activation(s / 2))
