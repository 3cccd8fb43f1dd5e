"""A robot's camera: pictures, depth and segmentation of a scene without a display.

Usage: camera.py [FOLDER]   writes color.png there; otherwise only prints what the camera sees
"""

import sys

import numpy as np

import sinew
from gripper import make_scene

sim = sinew.Simulation(make_scene())
camera = sinew.Camera(position=[0.12, 0.16, 0.3], target=[0, 0.04, 0], fov=35)
color = sim.render(320, 240, camera)
depth = sim.render_depth(320, 240, camera)
objects = sim.render_segmentation(320, 240, camera)[:, :, 0]
if len(sys.argv) > 1:
    sim.write_frame(sys.argv[1] + "/color.png")
names = [*sim.bodies.names, *sim.obstacles.names]
for number in np.unique(objects[objects >= 0]):
    seen = objects == number
    print(f"{names[number]}: {seen.sum()} pixels, nearest point {depth[seen].min():.3f} m away")
print(f"picture of shape {color.shape}")
