"""Preferences of the add-on."""

import bpy


class SinewPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: bpy.props.StringProperty(name="Program", subtype="FILE_PATH", default="",
                                      description="Path of the program sinew. Empty: sinew on the PATH")
    threads: bpy.props.IntProperty(name="Threads", min=0, max=1024, default=0,
                                   description="Threads of a run. 0: all cores")

    def draw(self, _context):
        self.layout.prop(self, "program")
        self.layout.prop(self, "threads")


def preferences(context):
    return context.preferences.addons[__package__].preferences


CLASSES = (SinewPreferences,)
