#include "sinew/scene/read_skeleton.h"

#include <cmath>

#include "sinew/formats/npy.h"
#include "sinew/scene/read_motion.h"
#include "sinew/subspace/skinning_weights.h"

namespace sinew {
namespace {

constexpr double sum_tolerance = 1e-3;  // of the weights of a vertex

// Rows of weights in a file: one for each vertex, one column for each bone.
MatX read_weights(const Node& node, const TetMesh& mesh, std::size_t bones, const std::filesystem::path& base_dir) {
  const std::string path = (base_dir / node.text()).string();
  const NumberArray array = read_npy(path);
  const auto vertices = static_cast<std::size_t>(mesh.vertex_count());
  if (array.rows != vertices || array.columns != bones)
    node.fail(code::scene_value,
              "{} has {} x {} numbers, expected {} x {}: a row for each vertex, a column for each bone", path,
              array.rows, array.columns, vertices, bones);
  MatX weights(static_cast<Eigen::Index>(vertices), static_cast<Eigen::Index>(bones));
  for (std::size_t v = 0; v < vertices; ++v) {
    double sum = 0;
    for (std::size_t b = 0; b < bones; ++b) {
      const double w = array.values[v * bones + b];
      if (!(w >= 0 && w <= 1 + sum_tolerance))
        node.fail(code::scene_value, "{}: the weight of vertex {} and bone {} is {:g}, expected a number from 0 to 1",
                  path, v, b, w);
      sum += weights(static_cast<Eigen::Index>(v), static_cast<Eigen::Index>(b)) = w;
    }
    if (!(std::abs(sum - 1) <= sum_tolerance))
      node.fail(code::scene_value, "{}: the weights of vertex {} have the sum {:g}, expected 1", path, v, sum);
    weights.row(static_cast<Eigen::Index>(v)) /= sum;
  }
  return weights;
}

}  // namespace

SkeletonSetup read_skeleton(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir) {
  if (mesh.tets.cols() == 0)
    node.fail(code::scene_value, "found a skeleton of a body without tets, such as cloth; remove it, or use a solid");
  SkeletonSetup skeleton;
  const Node bones = node["bones"];
  std::vector<BoneSegment> segments;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    segments.push_back({bones[b]["from"].vector(), bones[b]["to"].vector()});
    skeleton.bones.push_back(read_motion(bones[b]["motion"]));
  }
  const Node weights = node["weights"];
  skeleton.weights =
      weights.text() == "heat" ? heat_weights(mesh, segments) : read_weights(weights, mesh, bones.size(), base_dir);
  return skeleton;
}

}  // namespace sinew
