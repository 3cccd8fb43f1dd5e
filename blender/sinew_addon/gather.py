"""Reads the plan of a run from the Blender scene."""

import numpy

from . import looks, motion, pins, surfaces, units
from .errors import SetupError
from .plan import Body, Obstacle, Plan, file_name
from .presets import PRESETS

# Modifiers that would deform a simulated surface a second time.
SECOND_DEFORMERS = {"ARMATURE", "CLOTH", "CURVE", "HOOK", "LATTICE", "MESH_DEFORM", "SOFT_BODY", "SURFACE_DEFORM"}


def participants(context):
    """Objects with a role."""
    context.view_layer.update()  # scripts may have added some
    found = [one for one in context.view_layer.objects if one.type == "MESH" and one.sinew.role != "NONE"]
    if not any(one.sinew.role in ("BODY", "CLOTH") for one in found):
        raise SetupError("no object is a body; select a mesh and choose the role Body in the sidebar's tab sinew")
    return sorted(found, key=lambda one: one.name)


def gather(context, preview=False, with_textures=False):
    """The plan of the scene, in the order of the objects' names. `preview`: coarser and with the preview's method.
    `with_textures`: the images of materials belong to it."""
    scene = context.scene
    frames = units.frames(scene)
    if len(frames) < 2:
        raise SetupError(f"the scene has the frames {scene.frame_start} to {scene.frame_end}; a run needs two frames or more")
    found = participants(context)
    for one in found:
        if one.mode == "EDIT":
            one.update_from_editmode()
    obstacles = [one for one in found if one.sinew.role == "OBSTACLE"]
    tracks = motion.record(context, found, {one.name for one in obstacles}, frames)
    settings = scene.sinew
    plan = Plan([], [], units.gravity(scene), units.metres(scene), scene.frame_start, len(frames) - 1,
                1 / units.frames_per_second(scene), settings.substeps, settings.preview_method if preview else settings.method)
    taken = set()
    for one in found:
        name = file_name(one.name, taken)
        if one.sinew.role in ("BODY", "CLOTH"):
            plan.bodies.append(_body(one, name, tracks[one.name], plan, preview, with_textures))
        elif one.sinew.role == "OBSTACLE":
            plan.obstacles.append(_obstacle(one, name, tracks[one.name], plan))
        else:
            plan.obstacles.append(_ground(one, name, tracks[one.name], plan))
    return plan


def _material(settings):
    cloth = settings.role == "CLOTH"
    names = ("young", "density", "thickness", "bending") if cloth else ("young", "poisson", "density")
    values = {name: units.number(getattr(settings, name)) for name in names}
    return {"model": "mass_spring" if cloth else settings.model, **values}


def _material_name(blender_object):
    settings = blender_object.sinew
    if blender_object.active_material:
        return blender_object.active_material.name
    return PRESETS[settings.preset][0] if settings.preset in PRESETS else blender_object.name


def _check_deformers(one):
    for modifier in one.modifiers:
        if modifier.show_viewport and modifier.type in SECOND_DEFORMERS:
            raise SetupError(f'{one.name}: the modifier "{modifier.name}" would deform the body a second time; apply it, or '
                             "disable it in the viewport")
    keys = one.data.shape_keys
    if keys and any(key.value != 0 for key in keys.key_blocks[1:]):
        raise SetupError(f"{one.name}: shape keys change the body's rest shape; apply them or set their values to 0")


def _affine_maps(one, track, surface, plan):
    """Rigid maps of an object's axes. None if it is still, an error if it does not move rigidly."""
    extent = surface.extent() / plan.metres if surface else 1.0
    axes = [[0, 0, 0], [extent, 0, 0], [0, extent, 0], [0, 0, extent]]
    points = motion.positions(motion.Track(track.worlds, [numpy.array(axes, float)]), plan.metres)
    if motion.is_still(points):
        return None
    maps = motion.rigid_maps(points)
    if maps is None:
        raise SetupError(f"{one.name}: its scale is animated, expected only location and rotation; remove the keyframes of the "
                         "scale")
    return maps


def _body(one, name, track, plan, preview, with_textures):
    settings = one.sinew
    cloth = settings.role == "CLOTH"
    _check_deformers(one)
    texture = looks.texture(one, plan.warnings) if with_textures else None
    surface = surfaces.surface(one.data, track.worlds[0], plan.metres, with_places=texture is not None and not cloth)
    surfaces.check_has_faces(one.name, surface)
    surfaces.check_no_loose_vertices(one.name, surface)
    if not cloth and not settings.robust:
        surfaces.check_closed(one.name, surface)
    pinned = pins.pinned_vertices(one, settings.pins) if settings.pins else []
    resolution = max(3, settings.resolution // 2) if preview else settings.resolution
    maps = _affine_maps(one, track, surface, plan)
    if maps and not pinned:
        plan.warnings.append(f"{one.name}: the simulation ignores its animation, since no vertices are pinned")
    return Body(
        object=one.name,
        name=name,
        surface=surface,
        worlds=track.worlds if maps else track.worlds[:1],
        material=_material(settings),
        look=looks.look(one),
        material_name=_material_name(one),
        friction=units.number(settings.friction),
        velocity=[units.number(component) for component in settings.velocity],
        cloth=cloth,
        size=surface.extent() / resolution,
        robust=settings.robust,
        pins=pinned,
        pin_motion=motion.poses(maps, plan.seconds_per_frame) if maps else None,
        texture=texture,
    )


def _obstacle(one, name, track, plan):
    triangles = track.triangles
    if numpy.linalg.det(track.worlds[0][:3, :3]) < 0:
        triangles = triangles[:, ::-1]
    first = surfaces.to_world(track.shapes[0], track.worlds[0], plan.metres)
    surface = surfaces.Surface(first, triangles)
    surfaces.check_has_faces(one.name, surface)
    result = Obstacle(one.name, name, units.number(one.sinew.friction), surface)
    if len(track.shapes) == 1:
        try:
            maps = _affine_maps(one, track, surface, plan)
            result.motion = motion.poses(maps, plan.seconds_per_frame) if maps else None
            return result
        except SetupError:
            pass  # an animated scale deforms it
    points = motion.positions(track, plan.metres)
    if motion.is_still(points):
        return result
    maps = motion.rigid_maps(points)
    if maps:
        result.motion = motion.poses(maps, plan.seconds_per_frame)
    else:
        result.positions = points
    return result


def _ground(one, name, track, plan):
    world = track.worlds[0]
    point, normal = world[:3, 3] * plan.metres, numpy.cross(world[:3, 0], world[:3, 1])
    length = numpy.linalg.norm(normal)
    if length == 0:
        raise SetupError(f"{one.name}: a ground needs an XY plane, found the scale 0; set its scale to 1")
    plane = {"point": point.tolist(), "normal": (normal / length).tolist()}
    maps = _affine_maps(one, track, None, plan)
    return Obstacle(one.name, name, units.number(one.sinew.friction), plane=plane,
                    motion=motion.poses(maps, plan.seconds_per_frame) if maps else None)
