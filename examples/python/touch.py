"""What a tactile skin feels: a ball rests on a pad of rubber. Prints the contacts and a tactile image of the pad."""

import numpy as np

import sinew

scene = sinew.Scene()
scene.time = {"mode": "static", "steps": 2}
scene.contact = {"friction": 0.5}
scene.add_material("skin", young=1e5, poisson=0.4)
scene.add_material("steel", young=2e9, poisson=0.3, density=8000)
pad = scene.add_body(sinew.box([0.08, 0.01, 0.08], cells=(16, 2, 16)), "skin", name="pad",
                     transform={"translate": [0, -0.005, 0]})  # yapf: disable
scene.add_fix(pad, {"halfspace": {"point": [0, -0.0099, 0], "normal": [0, -1, 0]}})
ball = scene.add_body(sinew.sphere(0.02, edge=0.005), "steel", name="ball", transform={"translate": [0.01, 0.0205, 0]})
scene.add_spring(ball, {"nearest": [0.01, 0.04, 0]}, [0.01, 0.1, 0], 0.001)  # keeps it from rolling
sim = sinew.Simulation(scene)
sim.run()

contacts = sim.contacts()
weight = 9.81 * sim.bodies["ball"].mass
image = sinew.tactile(sim, sinew.Pad("pad", center=[0, 0, 0], u=[0, 0, -0.08], v=[-0.08, 0, 0]), shape=(16, 16))
felt = image.pressure.sum() * image.pixel_area
print(f"{len(contacts)} pairs carry {felt / weight:.3f} of the weight")
shades = " .:-=+*#%@"
for row in image.pressure / image.pressure.max():
    print("".join(shades[int(round(9 * np.sqrt(max(0, value))))] for value in row))
