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

void read_number_or_keys(const Node& node, double& number, Keyframes& keys) {
  if (node.json().is_number())
    number = node.number();
  else
    keys = read_keyframes(node);
}

namespace {

// Rotations as quaternions (w, x, y, z), each with the sign that is nearer to the one before, since q and -q are the
// same rotation.
void add_rotation(Eigen::Vector4d q, MatX& rotations, Eigen::Index k) {
  q.normalize();
  if (k > 0 && q.dot(rotations.col(k - 1)) < 0) q = -q;
  rotations.col(k) = q;
}

constexpr double rigid = 1e-4;  // distance of a matrix from a rotation, by entry

Poses read_poses(const Node& node) {
  Poses poses;
  const Node times = node["times"];
  const auto count = static_cast<Eigen::Index>(times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    poses.times.push_back(times[k].number());
    if (k > 0 && poses.times[k] <= poses.times[k - 1])
      times[k].fail(code::scene_value, "found {} after {}, expected times that ascend strictly", poses.times[k],
                    poses.times[k - 1]);
  }
  const auto require_count = [&](const Node& values, const char* key) {
    if (values.size() != times.size())
      node.fail(code::scene_value, "found {} times and {} {}, expected as many of both", times.size(), values.size(),
                key);
  };
  poses.rotations.resize(4, count);
  poses.translations.setZero(3, count);
  if (node.has("matrices")) {
    for (const char* other : {"quaternions", "translations"})
      if (node.has(other))
        node[other].fail(code::scene_value, "found \"{}\" beside \"matrices\"; matrices contain both, keep one", other);
    const Node matrices = node["matrices"];
    require_count(matrices, "matrices");
    for (std::size_t k = 0; k < times.size(); ++k) {
      Mat3 R;
      Vec3 d;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) R(i, j) = matrices[k][static_cast<std::size_t>(4 * i + j)].number();
        d[i] = matrices[k][static_cast<std::size_t>(4 * i + 3)].number();
      }
      if ((R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff() > rigid || R.determinant() < 0)
        matrices[k].fail(code::scene_value,
                         "found a matrix that is no rotation, expected one without scale and mirror");
      const Eigen::Quaterniond q(R);
      const auto column = static_cast<Eigen::Index>(k);
      add_rotation({q.w(), q.x(), q.y(), q.z()}, poses.rotations, column);
      poses.translations.col(column) = d;
    }
    return poses;
  }
  poses.center = node["center"].vector();
  for (Eigen::Index k = 0; k < count; ++k) poses.rotations.col(k) = Eigen::Vector4d::Unit(0);
  if (node.has("quaternions")) {
    const Node quaternions = node["quaternions"];
    require_count(quaternions, "quaternions");
    for (std::size_t k = 0; k < times.size(); ++k) {
      Eigen::Vector4d q;
      for (int i = 0; i < 4; ++i) q[i] = quaternions[k][static_cast<std::size_t>(i)].number();
      if (!(q.norm() > 0))
        quaternions[k].fail(code::scene_value, "found a quaternion of length zero, expected [w, x, y, z] of length 1");
      add_rotation(q, poses.rotations, static_cast<Eigen::Index>(k));
    }
  }
  if (node.has("translations")) {
    const Node translations = node["translations"];
    require_count(translations, "translations");
    for (std::size_t k = 0; k < times.size(); ++k)
      poses.translations.col(static_cast<Eigen::Index>(k)) = translations[k].vector();
  }
  return poses;
}

}  // namespace

Motion read_motion(const Node& node) {
  Motion motion;
  if (node.has("poses")) {
    for (const char* other : {"translate", "rotate", "scale"})
      if (node.has(other))
        node[other].fail(code::scene_value, "found \"{}\" beside \"poses\", which give the whole motion; keep one",
                         other);
    motion.poses = read_poses(node["poses"]);
    return motion;
  }
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
  for (MidNode& node : mesh.mid_nodes) node.position = affine.linear * node.position + affine.offset;
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
