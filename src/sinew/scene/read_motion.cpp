#include "sinew/scene/read_motion.h"

#include <numbers>

#include <Eigen/Geometry>

namespace sinew {
namespace {

// x -> linear x + offset
struct Affine {
  Mat3 linear = Mat3::Identity();
  Vec3 offset = Vec3::Zero();

  bool mirrors() const { return linear.determinant() < 0; }
  void apply(Points& x) const { x = (linear * x).colwise() + offset; }
};

Vec3 vector_or_uniform(const Node& node) {
  return node.json().is_number() ? Vec3(Vec3::Constant(node.number())) : node.vector();
}

Affine read_affine(const Node& node) {
  Affine result;
  if (node.has("scale")) {
    const Vec3 scale = vector_or_uniform(node["scale"]);
    if ((scale.array() == 0).any())
      node["scale"].fail(code::scene_value, "found {}, expected factors other than zero",
                         found_text(node["scale"].json()));
    result.linear = scale.asDiagonal();
  }
  if (node.has("rotate")) {
    const double angle = node["rotate"]["degrees"].number() * std::numbers::pi / 180;
    result.linear = Eigen::AngleAxisd(angle, read_axis(node["rotate"]["axis"])).toRotationMatrix() * result.linear;
  }
  if (node.has("translate")) result.offset = node["translate"].vector(largest_length, "m");
  return result;
}

// Exact for the common case of no rotation and no scale: coordinates are not touched.
bool is_identity(const Affine& a) {
  return a.linear == Mat3::Identity() && a.offset == Vec3::Zero();
}

}  // namespace

Keyframes read_keyframes(const Node& node, const char* key) {
  const Node times = node["times"], values = node[key];
  if (times.size() != values.size()) {
    node.fail(code::scene_value, "found {} times and {} {}, expected as many of both", times.size(), values.size(),
              key);
  }
  Keyframes keys;
  bool vectors = false;
  for (std::size_t k = 0; k < times.size(); ++k) {
    keys.times.push_back(times[k].number());
    vectors = vectors || values[k].json().is_array();
    if (k > 0 && keys.times[k] <= keys.times[k - 1]) {
      times[k].fail(code::scene_value, "found {} after {}, expected times that ascend strictly", keys.times[k],
                    keys.times[k - 1]);
    }
  }
  keys.values.resize(vectors ? 3 : 1, static_cast<Eigen::Index>(times.size()));
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    if (vectors) {
      const Vec3 value = vector_or_uniform(values[k]);
      for (int i = 0; i < 3; ++i) keys.values(i, column) = value[i];
    } else {
      keys.values(0, column) = values[k].number();
    }
  }
  return keys;
}

Motion read_motion(const Node& node) {
  Motion motion;
  if (node.has("translate")) motion.translation = read_keyframes(node["translate"]);
  if (node.has("rotate")) {
    const Node rotate = node["rotate"];
    motion.rotation =
        Motion::Rotation{read_axis(rotate["axis"]), rotate["center"].vector(), read_keyframes(rotate, "degrees")};
  }
  if (node.has("scale")) {
    motion.scaling = Motion::Scaling{node["scale"]["center"].vector(), read_keyframes(node["scale"])};
  }
  return motion;
}

Vec3 read_axis(const Node& node) {
  if (node.json().is_string()) return Vec3::Unit(node.text()[0] - 'x');
  const Vec3 axis = node.vector();
  const double length = axis.stableNorm();
  if (!(length > 0))
    node.fail(code::scene_value, "found an axis of length zero, expected \"x\", \"y\", \"z\" or any other direction");
  return axis / length;
}

void apply_transform(const Node& node, TetMesh& mesh) {
  const Affine affine = read_affine(node);
  if (is_identity(affine)) return;
  affine.apply(mesh.vertices);
  if (!affine.mirrors()) return;
  mesh.tets.row(2).swap(mesh.tets.row(3));
  mesh.triangles.row(1).swap(mesh.triangles.row(2));
  for (ElementGroup& group : mesh.groups) group.triangles.row(1).swap(group.triangles.row(2));
}

void apply_transform(const Node& node, TriMesh& mesh) {
  const Affine affine = read_affine(node);
  if (is_identity(affine)) return;
  affine.apply(mesh.vertices);
  if (affine.mirrors()) mesh.triangles.row(1).swap(mesh.triangles.row(2));
}

}  // namespace sinew
