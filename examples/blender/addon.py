"""Simulates a scene with the add-on, without its panel: a head of jelly falls into a ring, and a roller pushes both.

    scripts/blender_addon
    blender -b --factory-startup --python examples/blender/addon.py -- build/sinew_blender.zip build/release/bin/sinew out/addon

The last argument is a folder for the run and for scene.blend, which Blender opens with the result on the same objects.
With --render, it also renders a frame with Cycles: --render 30 out/addon.jpg.
"""

import math
import pathlib
import sys

import bpy

zip_file, program, folder, *rest = sys.argv[sys.argv.index("--") + 1:]
folder = pathlib.Path(folder).absolute()
bpy.ops.preferences.addon_install(filepath=str(pathlib.Path(zip_file).absolute()))
bpy.ops.preferences.addon_enable(module="sinew_addon")
bpy.context.preferences.addons["sinew_addon"].preferences.program = str(pathlib.Path(program).absolute())
scene = bpy.context.scene
bpy.data.objects.remove(bpy.data.objects["Cube"])


def paint(one, name, colour, roughness, **inputs):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    surface = material.node_tree.nodes["Principled BSDF"].inputs
    surface["Base Color"].default_value, surface["Roughness"].default_value = (*colour, 1), roughness
    for key, value in inputs.items():
        surface[key].default_value = value
    one.data.materials.append(material)


def body(name, preset, resolution, smooth=1):
    one = bpy.context.object
    one.name, one.sinew.role = name, "BODY"
    one.sinew.preset, one.sinew.resolution, one.sinew.robust = preset, resolution, True
    bpy.ops.object.shade_smooth()
    if smooth:
        one.modifiers.new("smooth", "SUBSURF").render_levels = smooth
    return one


# The head's eyes and face are separate, open parts: Robust fills them as one body.
bpy.ops.mesh.primitive_monkey_add(size=0.6, location=(0, 0, 0.75), rotation=(-0.5, 0.15, 0.2))
head = body("Head", "JELLY", 13)
paint(head, "Jelly", (0.6, 0.03, 0.08), 0.15)
bpy.ops.mesh.primitive_torus_add(major_radius=0.27, minor_radius=0.09, major_segments=40, minor_segments=16)
bpy.context.object.location = (0, 0, 0.1)
ring = body("Ring", "RUBBER", 14)
ring.sinew.young = 5e4
paint(ring, "Rubber", (0.8, 0.28, 0.02), 0.4)

bpy.ops.mesh.primitive_plane_add(size=6)
floor = bpy.context.object
floor.name, floor.sinew.role, floor.sinew.friction = "Floor", "GROUND", 0.5
paint(floor, "Floor", (0.6, 0.6, 0.6), 0.7)

bpy.ops.mesh.primitive_cylinder_add(radius=0.15, depth=1.2, vertices=64, rotation=(math.pi / 2, 0, 0))
roller = bpy.context.object
roller.name, roller.sinew.role = "Roller", "OBSTACLE"
bpy.ops.object.shade_smooth()
roller.data.use_auto_smooth = True
paint(roller, "Steel", (0.55, 0.57, 0.6), 0.25, Metallic=1.0)
for frame, x in ((1, -0.95), (12, -0.95), (36, -0.2)):
    roller.location = (x, 0, 0.17)
    roller.keyframe_insert("location", frame=frame)

scene.frame_start, scene.frame_end = 1, 36
scene.sinew.folder, scene.sinew.substeps = str(folder), 3
if bpy.ops.sinew.run() != {"FINISHED"}:
    sys.exit(1)

bpy.ops.object.light_add(type="AREA", location=(1.2, -1.6, 2.4), rotation=(math.radians(40), 0, math.radians(36)))
bpy.context.object.data.energy, bpy.context.object.data.size = 90, 1.2
bpy.data.objects.remove(bpy.data.objects["Light"])
camera = bpy.data.objects["Camera"]
camera.location, camera.rotation_euler = (1.15, -1.6, 0.9), (math.radians(70), 0, math.radians(36))
world = scene.world.node_tree.nodes["Background"].inputs
world["Color"].default_value, world["Strength"].default_value = (0.75, 0.85, 1, 1), 0.4
bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"))

if "--render" in rest:
    frame, path = rest[rest.index("--render") + 1:][:2]
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 128, False
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 640, 400, 100
    if path.endswith(".jpg"):
        scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 88
    scene.frame_set(int(frame))
    scene.render.filepath = str(pathlib.Path(path).absolute())
    bpy.ops.render.render(write_still=True)
