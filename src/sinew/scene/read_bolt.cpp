#include "sinew/scene/read_bolt.h"

#include <fmt/format.h>

#include "sinew/model/sensor.h"
#include "sinew/scene/read_motion.h"

namespace sinew {

BoltSetup read_bolt(const Node& node, std::size_t number, const TetMesh& mesh, const Selector& selector) {
  BoltSetup bolt;
  bolt.name = node.has("name") ? node["name"].text() : fmt::format("bolt{}", number);
  bolt.point = node["point"].vector(largest_length, "m");
  const Vec3 axis = node["axis"].vector();
  const double length = axis.norm();
  if (!(length > 0)) node["axis"].fail(code::scene_value, "found a zero vector, expected the direction of the bolt");
  bolt.normal = axis / length;
  if (node.has("select")) {
    if (mesh.is_cloth()) node.fail(code::bolt, "found a bolt of a cloth, which has no tets; remove it");
    bolt.tets = selected_tets(mesh.tets, selector.vertices(node["select"]), Triangles(3, 0));
  }
  bolt.by_force = node.has("force");
  const Node value = node[bolt.by_force ? "force" : "shortening"];
  if (value.json().is_number()) {
    bolt.value = value.number();
  } else {
    bolt.keys = read_keyframes(value);
  }
  if (bolt.by_force && (bolt.keys.empty() ? bolt.value == 0 : bolt.keys.values.isZero(0)))
    value.fail(code::bolt, "found a force of zero, to which nothing can be tightened; remove the bolt");
  if (!node.has("locked_after")) return bolt;
  if (!bolt.by_force)
    node["locked_after"].fail(code::bolt, "has no meaning beside \"shortening\", which is kept anyway; remove it");
  bolt.locked_after = node["locked_after"].number();
  return bolt;
}

}  // namespace sinew
