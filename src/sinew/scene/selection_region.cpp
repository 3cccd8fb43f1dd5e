#include "sinew/scene/selection_region.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

// A direction of any length except zero, as a unit vector.
Vec3 direction(const Node& node, const char* what) {
  const Vec3 vector = node.vector();
  const double length = vector.stableNorm();
  if (!(length > 0)) node.fail(code::selection, "found {} of length zero, expected a length above 0", what);
  return vector / length;
}

RegionDistance box(const Node& node) {
  const Vec3 a = node[0].vector(), b = node[1].vector();
  const Vec3 low = a.cwiseMin(b), high = a.cwiseMax(b);
  return [low, high](const Vec3& x) { return (low - x).cwiseMax(x - high).maxCoeff(); };
}

RegionDistance ball(const Node& node) {
  const Vec3 center = node["center"].vector();
  const double radius = node["radius"].number();
  return [center, radius](const Vec3& x) { return (x - center).norm() - radius; };
}

RegionDistance halfspace(const Node& node) {
  const Vec3 point = node["point"].vector(), normal = direction(node["normal"], "a normal");
  return [point, normal](const Vec3& x) { return (point - x).dot(normal); };
}

RegionDistance slab(const Node& node) {
  const Vec3 point = node["point"].vector(), normal = direction(node["normal"], "a normal");
  const double distance = node["distance"].number();
  return [point, normal, distance](const Vec3& x) { return std::abs((x - point).dot(normal)) - distance; };
}

RegionDistance cylinder(const Node& node) {
  const Vec3 point = node["point"].vector(), axis = direction(node["axis"], "an axis");
  const double radius = node["radius"].number(), inner = node["inner_radius"].number();
  const double length = node.has("length") ? node["length"].number() : std::numeric_limits<double>::infinity();
  if (!(inner <= radius))
    node["inner_radius"].fail(code::selection, "found {}, expected at most the radius, {}", inner, radius);
  return [=](const Vec3& x) {
    const double along = (x - point).dot(axis), across = (x - point - along * axis).norm();
    const double beyond = length < std::numeric_limits<double>::infinity() ? std::max(-along, along - length)
                                                                           : -std::numeric_limits<double>::infinity();
    return std::max({across - radius, inner - across, beyond});
  };
}

}  // namespace

std::optional<RegionDistance> selection_region(const std::string& key, const Node& node) {
  if (key == "box") return box(node);
  if (key == "sphere") return ball(node);
  if (key == "cylinder") return cylinder(node);
  if (key == "halfspace") return halfspace(node);
  if (key == "plane") return slab(node);
  return {};
}

}  // namespace sinew
