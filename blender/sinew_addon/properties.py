"""Properties of objects and scenes, and the state of the current run."""

import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty,
                       StringProperty)

from .presets import MODELS, PRESETS

ROLES = (
    ("NONE", "None", "The object takes no part"),
    ("BODY", "Body", "A soft solid. Its closed surface is filled with tets"),
    ("CLOTH", "Cloth", "A sheet with springs on its edges. Its vertices are those of the simulation"),
    ("OBSTACLE", "Obstacle", "Bodies touch its surface, which may be animated. Modifiers count"),
    ("GROUND", "Ground", "A half-space below the object's XY plane"),
)

METHODS = (
    ("auto", "Automatic", "The faster of Newton and multilevel"),
    ("newton", "Newton", "Newton's method with a direct factorisation"),
    ("newton-pcg", "Newton, CG", "Newton's method with conjugate gradients"),
    ("multilevel", "Multilevel", "For large meshes"),
    ("adaptive", "Adaptive", "A subspace that grows within a step"),
    ("quasi_newton", "Quasi-Newton", "One matrix that is factored once"),
    ("mixed", "Mixed", "Mixed finite elements in a subspace, for real time"),
    ("reduced", "Reduced", "Finite elements in a subspace"),
)
PREVIEW_METHODS = tuple(method for method in METHODS if method[0] in ("reduced", "mixed"))


def _take_preset(settings, _context):
    if settings.preset != "CUSTOM":
        _, settings.model, settings.young, settings.poisson, settings.density = PRESETS[settings.preset]


class SinewObject(bpy.types.PropertyGroup):
    role: EnumProperty(name="Role", items=ROLES, default="NONE")
    preset: EnumProperty(name="Preset", update=_take_preset, default="CUSTOM", description="Material to start from",
                         items=[("CUSTOM", "Custom", "The values below"),
                                *((name, row[0], f"{row[1]}, {row[2]:g} Pa, {row[3]:g}, {row[4]:g} kg/m^3")
                                  for name, row in PRESETS.items())])  # yapf: disable
    model: EnumProperty(name="Model", items=[(name, label, "") for name, label in MODELS.items()], default="neo_hookean")
    young: FloatProperty(name="Young [Pa]", min=1e-3, max=1e15, default=1e5, precision=0, description="Young's modulus")
    poisson: FloatProperty(name="Poisson's ratio", min=-0.9, max=0.499, default=0.4, precision=3)
    density: FloatProperty(name="Density [kg/m³]", min=1e-3, max=1e6, default=1000)
    friction: FloatProperty(name="Friction", min=0, max=10, default=0.3,
                            description="Coefficient. A pair has the geometric mean of its two coefficients")
    thickness: FloatProperty(name="Thickness [m]", min=1e-6, max=1, default=5e-4, precision=5)
    bending: FloatProperty(name="Bending", min=0, max=10, default=0.05, precision=3,
                           description="Stiffness of the springs for bending, as a share of that of the edges")
    resolution: IntProperty(name="Resolution", min=2, max=200, default=10,
                            description="Tets along the longest side of the body")
    robust: BoolProperty(name="Robust", default=False,
                         description="Also fills surfaces with holes, self-intersections or inconsistent normals")
    pins: StringProperty(name="Pinned", description="Vertex group whose vertices follow the object, not the simulation")
    velocity: FloatVectorProperty(name="Velocity", size=3, default=(0, 0, 0), description="At the start [m/s]")


class SinewScene(bpy.types.PropertyGroup):
    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//sinew",
                           description="Folder of meshes, runs and caches. // is the folder of the saved .blend file")
    substeps: IntProperty(name="Steps per frame", min=1, max=1000, default=4)
    method: EnumProperty(name="Method", items=METHODS, default="auto")
    preview_method: EnumProperty(name="Preview", items=PREVIEW_METHODS, default="reduced")


class SinewRun(bpy.types.PropertyGroup):
    """State of the current run, for the panel."""
    active: BoolProperty()
    progress: FloatProperty(name="Progress", min=0, max=100, subtype="PERCENTAGE", precision=0)
    message: StringProperty()


CLASSES = (SinewObject, SinewScene, SinewRun)


def register():
    bpy.types.Object.sinew = PointerProperty(type=SinewObject)
    bpy.types.Scene.sinew = PointerProperty(type=SinewScene)
    bpy.types.WindowManager.sinew = PointerProperty(type=SinewRun)


def unregister():
    del bpy.types.WindowManager.sinew, bpy.types.Scene.sinew, bpy.types.Object.sinew
