"""Renders a picture of a run of scenes/hoop.json with the output format pc2:

    sinew run scenes/hoop.json -o out/hoop --set 'output.formats=["pc2"]'
    blender -b --factory-startup --python out/hoop/pc2/import.py --python examples/blender/hoop.py -- hoop.jpg

import.py brings the moving surfaces. This script adds their materials, a backboard, lights and a camera. Cycles renders
frame 85 in some minutes. Blender's axes are (x, -z, y) of the scene.
"""

import math
import os
import sys

import bpy
from mathutils import Vector

FRAME, SAMPLES, WIDTH, HEIGHT = 85, 100, 1080, 608
RING_RADIUS, TUBE_RADIUS, BRACKET_FRONT = 0.2458, 0.0185, -0.257  # of the steel part of the hoop [m]


def material(name, colour, roughness, clearcoat=0.0):
    result = bpy.data.materials.new(name)
    result.use_nodes = True
    inputs = result.node_tree.nodes["Principled BSDF"].inputs
    inputs["Base Color"].default_value = (*colour, 1)
    inputs["Roughness"].default_value = roughness
    inputs["Clearcoat"].default_value = clearcoat
    return result


def look_at(object, target):
    object.rotation_euler = (Vector(target) - object.location).to_track_quat("-Z", "Y").to_euler()


def bodies():
    hoop, ball = bpy.data.objects["hoop"], bpy.data.objects["ball"]
    for object in (hoop, ball):
        object.data.polygons.foreach_set("use_smooth", [True] * len(object.data.polygons))
        subdivision = object.modifiers.new("smooth", "SUBSURF")
        subdivision.levels = subdivision.render_levels = 2
    ball.data.materials.append(material("ball", (0.90, 0.21, 0.02), 0.42))
    hoop.data.materials.append(material("nylon", (0.82, 0.80, 0.76), 0.55))
    hoop.data.materials.append(material("paint", (0.75, 0.07, 0.012), 0.28, clearcoat=0.6))
    for face in hoop.data.polygons:  # the mesh has the scene's axes
        x, y, z = face.center
        in_ring = math.hypot(math.hypot(x, z) - RING_RADIUS, y) < TUBE_RADIUS
        face.material_index = 1 if in_ring or z < BRACKET_FRONT else 0


def box(name, centre, size, surface, bevel=0.0):
    bpy.ops.mesh.primitive_cube_add(location=centre)
    object = bpy.context.object
    object.name, object.scale = name, [length / 2 for length in size]
    bpy.ops.object.transform_apply(scale=True)
    if bevel:
        rounded = object.modifiers.new("bevel", "BEVEL")
        rounded.width, rounded.segments = bevel, 4
    object.data.materials.append(surface)


def backboard():
    box("board", (0, 0.352, 0.22), (1.24, 0.032, 0.9), material("board", (0.055, 0.075, 0.11), 0.3, 0.3), bevel=0.008)
    white, wide = material("lines", (0.85, 0.85, 0.85), 0.5), 0.022
    for width, height, middle in ((0.42, 0.32, 0.24), (1.17, 0.83, 0.22)):
        for side in (-1, 1):
            box("line", (0, 0.3348, middle + side * height / 2), (width + wide, 0.003, wide), white)
            box("line", (side * width / 2, 0.3352, middle), (wide, 0.003, height), white)
    bpy.ops.mesh.primitive_plane_add(size=30, location=(0, 3.2, 0), rotation=(math.radians(90), 0, 0))
    bpy.context.object.data.materials.append(material("wall", (0.30, 0.34, 0.40), 0.9))


def light(place, target, power, size, colour):
    bpy.ops.object.light_add(type="AREA", location=place)
    lamp = bpy.context.object
    look_at(lamp, target)
    lamp.data.energy, lamp.data.size, lamp.data.color = power, size, colour


def lights(world):
    light((-1.5, -1.6, 1.5), (0, 0, -0.1), 80, 0.9, (1, 0.95, 0.88))
    light((1.8, -0.9, 0.3), (0, 0, -0.15), 34, 1.0, (0.75, 0.86, 1))
    light((0.3, 1.4, -1.4), (0, 0.1, -0.1), 16, 0.8, (1, 0.8, 0.6))
    light((0, 2.0, 2.2), (0, 3.2, 0.3), 70, 2.0, (0.8, 0.9, 1))
    background = world.node_tree.nodes["Background"].inputs
    background["Strength"].default_value, background["Color"].default_value = 0.25, (0.75, 0.85, 1, 1)


def camera(scene):
    bpy.ops.object.camera_add(location=(0.60, -1.42, -0.25))
    scene.camera = bpy.context.object
    look_at(scene.camera, (0, 0.03, -0.205))
    lens = scene.camera.data
    lens.lens, lens.dof.use_dof, lens.dof.aperture_fstop = 50, True, 5.6
    lens.dof.focus_distance = (Vector((0, -0.05, -0.15)) - scene.camera.location).length


def render(scene, path):
    scene.render.engine, scene.cycles.samples, scene.cycles.max_bounces = "CYCLES", SAMPLES, 5
    scene.cycles.use_denoising = False
    scene.view_settings.view_transform, scene.view_settings.look = "Filmic", "Medium High Contrast"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = WIDTH, HEIGHT, 100
    scene.render.image_settings.file_format = "JPEG"
    scene.frame_set(FRAME)
    scene.render.filepath = os.path.abspath(path)
    bpy.ops.render.render(write_still=True)


for name in ("Cube", "Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
bodies()
backboard()
lights(bpy.context.scene.world)
camera(bpy.context.scene)
render(bpy.context.scene, sys.argv[-1])
