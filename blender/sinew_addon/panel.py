"""Panels in the sidebar of the 3D view and in the object's properties."""

import bpy

from . import units

ROLES = (("BODY", "MESH_ICOSPHERE"), ("CLOTH", "MOD_CLOTH"), ("OBSTACLE", "MESH_CUBE"), ("GROUND", "MESH_GRID"), ("NONE", "X"))


def draw_object(layout, one):
    settings = one.sinew
    layout.prop(settings, "role", text="")
    if settings.role == "NONE":
        return
    if settings.role in ("BODY", "CLOTH"):
        column = layout.column(align=True)
        if settings.role == "BODY":
            column.prop(settings, "preset", text="")
            column.prop(settings, "model", text="")
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
        layout.row().prop(settings, "velocity")


def draw_buttons(layout, state):
    if state.active:
        row = layout.row()
        row.enabled = False
        row.prop(state, "progress", slider=True)
        layout.label(text=state.message)
        layout.operator("sinew.cancel", icon="CANCEL")
        return
    row = layout.row(align=True)
    for label, preview, resume in (("Preview", True, False), ("Run", False, False), ("Resume", False, True)):
        operator = row.operator("sinew.run", text=label)
        operator.preview, operator.resume = preview, resume
    row = layout.row(align=True)
    row.operator("sinew.load", text="Load Run").preview = False
    row.operator("sinew.load", text="Load Preview").preview = True
    layout.operator("sinew.clear")
    if state.message:
        layout.label(text=f"Last run: {state.message}")


def draw_settings(layout, scene):
    settings = scene.sinew
    layout.prop(settings, "folder", text="")
    layout.prop(settings, "substeps")
    layout.prop(settings, "method", text="")
    row = layout.split(factor=0.4)
    row.label(text="Preview:")
    row.prop(settings, "preview_method", text="")
    layout.label(text="Gravity {:.3g} {:.3g} {:.3g} m/s²".format(*units.gravity(scene)))
    layout.label(text=f"Frames {scene.frame_start} to {scene.frame_end}, {units.frames_per_second(scene):g} a second")


class SINEW_PT_roles(bpy.types.Panel):
    bl_label, bl_category, bl_space_type, bl_region_type = "Objects", "sinew", "VIEW_3D", "UI"

    def draw(self, context):
        layout = self.layout
        layout.label(text="Selected meshes become:")
        grid = layout.grid_flow(columns=2, even_columns=True, align=True)
        for role, icon in ROLES:
            grid.operator("sinew.role", text=role.capitalize(), icon=icon).role = role
        one = context.object
        if one is not None and one.type == "MESH":
            layout.label(text=one.name, icon="OBJECT_DATA")
            draw_object(layout, one)


class SINEW_PT_run(bpy.types.Panel):
    bl_label, bl_category, bl_space_type, bl_region_type = "Simulation", "sinew", "VIEW_3D", "UI"

    def draw(self, context):
        draw_buttons(self.layout, context.window_manager.sinew)
        draw_settings(self.layout, context.scene)


class SINEW_PT_object(bpy.types.Panel):
    bl_label, bl_space_type, bl_region_type, bl_context = "sinew", "PROPERTIES", "WINDOW", "object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context):
        draw_object(self.layout, context.object)


CLASSES = (SINEW_PT_roles, SINEW_PT_run, SINEW_PT_object)
