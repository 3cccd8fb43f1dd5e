#include "sinew/io/blender_script.h"

#include <numbers>

#include <nlohmann/json.hpp>

#include "sinew/core/error.h"

namespace sinew {
namespace {

// Only calls that Blender 2.9 to 4 share; the .obj is read here because importers turn axes as they like.
constexpr const char* text =
    R"(# Brings this run into Blender: blender --python import.py, or open and run it in Blender's text editor.
# Every body and obstacle becomes an object whose Mesh Cache modifier plays its .pc2 file; frame 0 is the start.
import os
import struct

import bpy

PARTS = {parts}
TURN = {turn}  # Euler angles that turn the scene upright


def folder():
    if os.path.isfile(__file__):
        return os.path.dirname(os.path.abspath(__file__))
    return os.path.dirname(bpy.path.abspath(bpy.data.texts[os.path.basename(__file__)].filepath))


# Vertices, polygons, texture coordinates of each corner, and names of materials with the number of each polygon's.
def surface(path):
    vertices, polygons, places, corners, names, slots, slot = [], [], [(0, 0)], [], [], [], 0
    with open(path) as lines:
        for line in lines:
            words = line.split()
            if words and words[0] == "v":
                vertices.append([float(word) for word in words[1:]])
            elif words and words[0] == "vt":
                places.append((float(words[1]), float(words[2]) if len(words) > 2 else 0))
            elif words and words[0] == "usemtl":
                name = line.split(None, 1)[1].strip()
                if name not in names:
                    names.append(name)
                slot = names.index(name)
            elif words and words[0] == "f":
                of = [word.split("/") for word in words[1:]]
                polygons.append([int(corner[0]) - 1 for corner in of])
                corners += [int(corner[1]) if len(corner) > 1 and corner[1] else 0 for corner in of]
                slots.append(slot)
    return vertices, polygons, [places[corner] for corner in corners] if len(places) > 1 else [], names, slots


def samples(path):
    with open(path, "rb") as file:
        return struct.unpack("<12siiffi", file.read(32))[5]


last = 0
for name in PARTS:
    base = os.path.join(folder(), name)
    vertices, polygons, places, names, slots = surface(base + ".obj")
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], polygons)
    if places:
        mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", [x for place in places for x in place])
    for material in names:
        mesh.materials.append(bpy.data.materials.get(material) or bpy.data.materials.new(material))
    if names:
        mesh.polygons.foreach_set("material_index", slots)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    part = bpy.data.objects.new(name, mesh)
    part.rotation_euler = TURN
    bpy.context.scene.collection.objects.link(part)
    cache = part.modifiers.new("sinew", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = base + ".pc2"
    cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"  # positions as they are stored
    cache.frame_start = 0
    last = max(last, samples(base + ".pc2") - 1)
bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, last
)";

void replace(std::string& script, std::string_view name, const std::string& value) {
  script.replace(script.find(name), name.size(), value);
}

// Euler angles (XYZ) that turn the axis nearest to -gravity to +z.
Vec3 upright(const Vec3& gravity) {
  if (gravity.isZero(0)) return Vec3::Zero();
  constexpr double right = std::numbers::pi / 2;
  Eigen::Index axis = 0;
  gravity.cwiseAbs().maxCoeff(&axis);
  const double up = gravity[axis] > 0 ? -1 : 1;
  if (axis == 0) return {0, -up * right, 0};
  if (axis == 1) return {up * right, 0, 0};
  return {up > 0 ? 0 : 2 * right, 0, 0};
}

}  // namespace

std::string blender_script(const std::vector<std::string>& names, const Vec3& gravity) {
  std::string script = text;
  const Vec3 turn = upright(gravity);
  replace(script, "{parts}", nlohmann::json(names).dump());
  replace(script, "{turn}", fmt::format("({}, {}, {})", turn[0], turn[1], turn[2]));
  return script;
}

}  // namespace sinew
