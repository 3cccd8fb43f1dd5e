"""Panels in the sidebar of the 3D view and in the object's properties."""

import bpy

from . import units

ROLES = (("BODY", "MESH_ICOSPHERE"), ("CLOTH", "MOD_CLOTH"), ("OBSTACLE", "MESH_CUBE"), ("GROUND", "MESH_GRID"), ("NONE", "X"))


def draw_object(layout, one):
    settings = one.sinew
    layout.use_property_split = True
    layout.prop(settings, "role")
    if settings.role == "NONE":
        return
    if settings.role in ("BODY", "CLOTH"):
        column = layout.column(align=True)
        if settings.role == "BODY":
            column.prop(settings, "preset")
            column.prop(settings, "model")
        column.prop(settings, "young")
        if settings.role == "BODY":
            column.prop(settings, "poisson")
        column.prop(settings, "density")
        if settings.role == "CLOTH":
            column.prop(settings, "thickness")
            column.prop(settings, "bending")
    layout.prop(settings, "friction")
    if settings.role == "BODY":
        layout.prop(settings, "resolution")
        layout.prop(settings, "robust")
    if settings.role in ("BODY", "CLOTH"):
        layout.prop_search(settings, "pins", one, "vertex_groups")
        layout.prop(settings, "velocity")


def draw_run(layout, context):
    scene, state = context.scene, context.window_manager.sinew
    settings = scene.sinew
    layout.use_property_split = True
    for name in ("folder", "substeps", "method", "preview_method"):
        layout.prop(settings, name)
    gravity = units.gravity(scene)
    layout.label(text="Gravity {:.3g} {:.3g} {:.3g} m/s²".format(*gravity))
    layout.label(text=f"Frames {scene.frame_start} to {scene.frame_end}, {units.frames_per_second(scene):g} a second")
    if state.active:
        column = layout.column(align=True)
        column.enabled = False
        column.prop(state, "progress", slider=True)
        layout.label(text=state.message)
        layout.operator("sinew.cancel", icon="CANCEL")
        return
    row = layout.row(align=True)
    for label, icon, preview, resume in (("Preview", "PLAY", True, False), ("Run", "RENDER_ANIMATION", False, False),
                                         ("Resume", "FF", False, True)):
        operator = row.operator("sinew.run", text=label, icon=icon)
        operator.preview, operator.resume = preview, resume
    row = layout.row(align=True)
    row.operator("sinew.load", text="Load Results").preview = False
    row.operator("sinew.load", text="Load Preview").preview = True
    layout.operator("sinew.clear")
    if state.message:
        layout.label(text=f"Last run: {state.message}")


class SINEW_PT_sidebar(bpy.types.Panel):
    bl_label, bl_category, bl_space_type, bl_region_type = "sinew", "sinew", "VIEW_3D", "UI"

    def draw(self, context):
        layout = self.layout
        layout.label(text="Selected meshes are:")
        row = layout.row(align=True)
        for role, icon in ROLES:
            row.operator("sinew.role", text=role.capitalize(), icon=icon).role = role
        one = context.object
        if one is not None and one.type == "MESH":
            draw_object(layout.box(), one)
        draw_run(layout.column(), context)


class SINEW_PT_object(bpy.types.Panel):
    bl_label, bl_space_type, bl_region_type, bl_context = "sinew", "PROPERTIES", "WINDOW", "object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context):
        draw_object(self.layout, context.object)


CLASSES = (SINEW_PT_sidebar, SINEW_PT_object)
