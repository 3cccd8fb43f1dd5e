#include "sinew/model/gas_faces.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// Of the area to the power 3/2: with less, faces enclose nothing but rounding.
constexpr double least_volume = 1e-9;

double total_area(const Triangles& faces, const Points& x) {
  double sum = 0;
  for (Index f = 0; f < faces.cols(); ++f) {
    const Vec3 a = x.col(faces(0, f));
    sum += (x.col(faces(1, f)) - a).cross(x.col(faces(2, f)) - a).norm() / 2;
  }
  return sum;
}

// By components that share vertices.
std::vector<Triangles> parts_of(const Triangles& all) {
  const Components parts = connected_components(all);
  std::vector<std::vector<Index>> faces_of(static_cast<std::size_t>(parts.count));
  for (Index f = 0; f < all.cols(); ++f) faces_of[parts.labels[f]].push_back(f);
  std::vector<Triangles> result;
  for (const std::vector<Index>& part : faces_of) result.emplace_back(all(Eigen::all, part));
  return result;
}

// Edges of a single face, and edges whose faces wind against each other.
std::pair<Index, Index> open_edges(const Triangles& faces) {
  std::map<std::pair<Index, Index>, std::pair<int, int>> sides;  // by edge: how many faces, and the sum of directions
  for (Index f = 0; f < faces.cols(); ++f)
    for (int k = 0; k < 3; ++k) {
      const Index a = faces(k, f), b = faces((k + 1) % 3, f);
      auto& [count, balance] = sides[std::minmax(a, b)];
      ++count;
      balance += a < b ? 1 : -1;
    }
  std::pair<Index, Index> result{0, 0};
  for (const auto& [edge, side] : sides) {
    if (side.second == 0) continue;
    ++(side.first % 2 == 1 ? result.first : result.second);
  }
  return result;
}

}  // namespace

double signed_volume(const Triangles& faces, const Points& x) {
  if (faces.cols() == 0) return 0;
  const Vec3 origin = x.col(faces(0, 0));
  double sum = 0;
  for (Index f = 0; f < faces.cols(); ++f) {
    const Vec3 a = x.col(faces(0, f)) - origin, b = x.col(faces(1, f)) - origin, c = x.col(faces(2, f)) - origin;
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

Triangles windward_faces(const BodySetup& body, std::size_t entry) {
  const Triangles& all = body.loads[entry].faces;
  const TetMesh& mesh = body.user_mesh();
  if (mesh.is_cloth()) return all;
  Triangles result(3, 0);
  for (const Triangles& part : parts_of(all)) {
    if (open_edges(part) == std::pair<Index, Index>{0, 0} && signed_volume(part, mesh.vertices) < 0) continue;
    result.conservativeResize(3, result.cols() + part.cols());
    result.rightCols(part.cols()) = part;
  }
  return result.cols() > 0 ? result : all;
}

// By parts that share vertices: an outer surface has a positive volume, a cavity a negative one.
Triangles gas_faces(const BodySetup& body, std::size_t entry) {
  const Triangles& all = body.loads[entry].faces;
  const TetMesh& mesh = body.user_mesh();
  const std::string owner = fmt::format("body '{}': loads[{}].gas", body.name, entry);
  const auto [open, against] = open_edges(all);
  if (open > 0)
    fail_input(code::load, "{}: the faces are not closed, {} edges have one face; select all faces around the gas{}",
               owner, open, mesh.is_cloth() ? "" : ", or \"all\": true");
  if (against > 0)
    fail_input(code::load, "{}: at {} edges the faces wind against each other; turn the triangles of the mesh alike",
               owner, against);
  std::vector<std::array<Index, 3>> kept;
  for (Triangles& faces : parts_of(all)) {
    const double volume = signed_volume(faces, mesh.vertices), area = total_area(faces, mesh.vertices);
    if (!(std::abs(volume) > least_volume * std::pow(area, 1.5)))
      fail_input(code::load, "{}: {} of the faces enclose no volume; select a surface around the gas", owner,
                 faces.cols());
    if (!mesh.is_cloth() && volume > 0) continue;
    if (volume < 0 && mesh.is_cloth()) faces.row(1).swap(faces.row(2));
    for (Index f = 0; f < faces.cols(); ++f) kept.push_back({faces(0, f), faces(1, f), faces(2, f)});
  }
  if (kept.empty())
    fail_input(code::load,
               "{}: the faces enclose the body itself and no cavity; expected a hollow body, whose inner surface is "
               "closed",
               owner);
  Triangles result(3, static_cast<Index>(kept.size()));
  for (Index f = 0; f < result.cols(); ++f)
    for (int k = 0; k < 3; ++k) result(k, f) = kept[static_cast<std::size_t>(f)][static_cast<std::size_t>(k)];
  return result;
}

}  // namespace sinew
