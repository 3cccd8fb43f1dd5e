"""Blender add-on: simulates meshes with sinew and plays the result on the same objects."""

bl_info = {
    "name": "sinew",
    "description": "Simulates elastic bodies in contact",
    "author": "sinew contributors",
    "version": (1, 0, 0),
    "blender": (3, 2, 0),
    "location": "3D View > Sidebar > sinew",
    "category": "Physics",
}

import bpy  # noqa: E402

from . import operators, panel, preferences, properties  # noqa: E402

MODULES = (properties, preferences, operators, panel)


def register():
    for module in MODULES:
        for one in module.CLASSES:
            bpy.utils.register_class(one)
    properties.register()


def unregister():
    operators.cancel_all()
    properties.unregister()
    for module in reversed(MODULES):
        for one in reversed(module.CLASSES):
            bpy.utils.unregister_class(one)
