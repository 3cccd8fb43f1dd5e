"""Results of a run as Mesh Cache modifiers of the simulated objects."""

import json
import pathlib

import bpy
import numpy

from . import pc2, scene_file, surfaces
from .errors import SetupError

MODIFIER = "sinew"


def load(context, folder, stage):
    """Shows the frames of a run on its objects. Returns their number and warnings."""
    folder = pathlib.Path(folder)
    known = folder / scene_file.OBJECTS.format(stage)
    if not known.exists():
        raise SetupError(f"{folder}: holds no run of the add-on; press Run first, or choose the folder of an earlier run")
    run = json.loads(known.read_text())
    frames, warnings = [], []
    for body in run["bodies"]:
        blender_object = bpy.data.objects.get(body["object"])
        path = folder / stage / "pc2" / f'{body["name"]}.pc2'
        if blender_object is None or blender_object.type != "MESH":
            warnings.append(f'{body["object"]}: the run has this object, but the scene has not; its result is left out')
        elif not path.exists():
            warnings.append(f'{body["object"]}: the run has no frames yet')
        else:
            frames.append(_load_body(context, blender_object, body, path, folder / f"{stage}_cache", run))
    return min(frames, default=0), warnings


def _load_body(context, blender_object, body, path, caches, run):
    found = len(blender_object.data.vertices)
    if found != body["vertices"]:
        raise SetupError(f'{body["object"]}: the run has {body["vertices"]} vertices, the mesh {found}; undo the change of the '
                         "mesh, or run again")
    positions = pc2.read(path)
    if positions.shape[1] != found:
        raise SetupError(f"{path}: expected {found} vertices, found {positions.shape[1]}; run again")
    caches.mkdir(exist_ok=True)
    cache = caches / f'{body["name"]}.pc2'
    pc2.write(str(cache), len(positions), found, _local(positions, body["worlds"], run["metres"]))
    _show(context, blender_object, str(cache), run["first_frame"])
    return len(positions)


def _local(positions, worlds, metres):
    """Positions in the object's own axes in each frame, so that the object may move."""
    for frame, sample in enumerate(positions):
        inverse = numpy.linalg.inv(numpy.array(worlds[min(frame, len(worlds) - 1)]))
        yield surfaces.to_world(sample.astype(float) / metres, inverse, 1.0)


def _show(context, blender_object, cache, first_frame):
    modifier = blender_object.modifiers.get(MODIFIER)
    if modifier is None or modifier.type != "MESH_CACHE":
        modifier = blender_object.modifiers.new(MODIFIER, "MESH_CACHE")
        with context.temp_override(object=blender_object):  # others, such as Subdivision Surface, work on the moving mesh
            bpy.ops.object.modifier_move_to_index(modifier=modifier.name, index=0)
    modifier.cache_format = "PC2"
    modifier.filepath = bpy.path.relpath(cache) if bpy.data.is_saved else cache
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"  # positions as they are stored
    modifier.frame_start = first_frame


def clear(blender_objects):
    """Removes the modifiers. Returns how many there were."""
    count = 0
    for one in blender_objects:
        modifier = one.modifiers.get(MODIFIER)
        if modifier is not None and modifier.type == "MESH_CACHE":
            one.modifiers.remove(modifier)
            count += 1
    return count
