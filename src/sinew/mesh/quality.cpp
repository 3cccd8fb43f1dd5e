#include "sinew/mesh/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"

namespace sinew {
namespace {

template <class Statistics>
void add_bounds(const Points& vertices, Statistics& s) {
  if (vertices.cols() == 0) return;
  s.lower = vertices.rowwise().minCoeff();
  s.upper = vertices.rowwise().maxCoeff();
}

template <class Statistics>
void add_edges(const Points& vertices, const Edges& edges, Statistics& s) {
  s.edges = static_cast<Index>(edges.cols());
  if (edges.cols() == 0) return;
  s.edge_min = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (Eigen::Index e = 0; e < edges.cols(); ++e) {
    const double length = (vertices.col(edges(0, e)) - vertices.col(edges(1, e))).norm();
    s.edge_min = std::min(s.edge_min, length);
    s.edge_max = std::max(s.edge_max, length);
    sum += length;
  }
  s.edge_mean = sum / static_cast<double>(edges.cols());
}

void add_edge_valences(const Triangles& triangles, SurfaceStatistics& s) {
  std::vector<std::pair<Index, Index>> sides;
  sides.reserve(3 * triangles.cols());
  for (Eigen::Index f = 0; f < triangles.cols(); ++f) {
    for (int k = 0; k < 3; ++k) sides.push_back(std::minmax({triangles(k, f), triangles((k + 1) % 3, f)}));
  }
  std::sort(sides.begin(), sides.end());
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i;
    while (end < sides.size() && sides[end] == sides[i]) ++end;
    s.boundary_edges += end - i == 1;
    s.nonmanifold_edges += end - i > 2;
    i = end;
  }
}

SurfaceStatistics surface_statistics(const Points& vertices, const Triangles& triangles) {
  SurfaceStatistics s;
  s.vertices = static_cast<Index>(vertices.cols());
  s.triangles = static_cast<Index>(triangles.cols());
  s.unused_vertices = s.vertices - static_cast<Index>(used_vertices(triangles).size());
  s.components = connected_components(triangles).count;
  add_bounds(vertices, s);
  add_edges(vertices, unique_edges(triangles), s);
  add_edge_valences(triangles, s);
  const Vec3 centre = 0.5 * (s.lower + s.upper);  // keeps the volume's terms small far from the origin
  for (Eigen::Index f = 0; f < triangles.cols(); ++f) {
    const Vec3 a = vertices.col(triangles(0, f)) - centre, b = vertices.col(triangles(1, f)) - centre,
               c = vertices.col(triangles(2, f)) - centre;
    s.area += 0.5 * (b - a).cross(c - a).norm();
    s.volume += a.dot(b.cross(c)) / 6;
  }
  return s;
}

}  // namespace

double triangle_area(const Points& vertices, const Triangles& triangles, Eigen::Index f) {
  const Vec3 a = vertices.col(triangles(0, f));
  const Vec3 e1 = vertices.col(triangles(1, f)) - a, e2 = vertices.col(triangles(2, f)) - a;
  return e1.cross(e2).norm() / 2;
}

double tet_volume(const Points& vertices, const Tets& tets, Eigen::Index t) {
  const Vec3 a = vertices.col(tets(0, t));
  const Vec3 e1 = vertices.col(tets(1, t)) - a, e2 = vertices.col(tets(2, t)) - a, e3 = vertices.col(tets(3, t)) - a;
  return e1.dot(e2.cross(e3)) / 6;
}

double tet_quality(const Points& vertices, const Tets& tets, Eigen::Index t) {
  double squares = 0;
  for (const auto& [i, j] : tet_edges) squares += (vertices.col(tets(i, t)) - vertices.col(tets(j, t))).squaredNorm();
  const double mean = squares / 6;
  return 6 * std::numbers::sqrt2 * std::abs(tet_volume(vertices, tets, t)) / (mean * std::sqrt(mean));
}

Eigen::Matrix<double, 6, 1> tet_dihedral_angles(const Points& vertices, const Tets& tets, Eigen::Index t) {
  Mat3 corners[4];
  Vec3 normal[4];
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) corners[i].col(k) = vertices.col(tets(tet_faces[i][k], t));
    normal[i] = (corners[i].col(1) - corners[i].col(0)).cross(corners[i].col(2) - corners[i].col(0));
  }
  // At the edge (i, j) meet the two faces that are opposite to the other two vertices.
  constexpr int faces[6][2] = {{2, 3}, {1, 3}, {1, 2}, {0, 3}, {0, 2}, {0, 1}};
  Eigen::Matrix<double, 6, 1> angles;
  for (int e = 0; e < 6; ++e) {
    const Vec3 &a = normal[faces[e][0]], &b = normal[faces[e][1]];
    angles[e] = std::atan2(a.cross(b).norm(), -a.dot(b));
  }
  return angles;
}

double tet_edge_ratio(const Points& vertices, const Tets& tets, Eigen::Index t) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (const auto& [i, j] : tet_edges) {
    const double square = (vertices.col(tets(i, t)) - vertices.col(tets(j, t))).squaredNorm();
    shortest = std::min(shortest, square);
    longest = std::max(longest, square);
  }
  return std::sqrt(longest / shortest);
}

SurfaceStatistics statistics(const TriMesh& mesh) {
  return surface_statistics(mesh.vertices, mesh.triangles);
}

MeshStatistics statistics(const TetMesh& mesh) {
  MeshStatistics s;
  s.vertices = mesh.vertex_count();
  s.tets = mesh.tet_count();
  s.unused_vertices = s.vertices - static_cast<Index>(used_vertices(mesh.tets).size());
  s.components = connected_components(mesh.tets).count;
  add_bounds(mesh.vertices, s);
  add_edges(mesh.vertices, unique_edges(mesh.tets), s);
  s.surface = surface_statistics(mesh.vertices, boundary_triangles(mesh.tets));
  if (s.tets == 0) return s;

  std::map<Index, RegionStatistics> regions;
  std::vector<double> quality(s.tets), angle(s.tets);
  double largest = 0;
  for (Index t = 0; t < s.tets; ++t) {
    const double volume = tet_volume(mesh.vertices, mesh.tets, t);
    s.volume += volume;
    s.negative_tets += volume < 0;
    if (!mesh.regions.empty()) {
      RegionStatistics& region = regions[mesh.regions[t]];
      ++region.tets;
      region.volume += volume;
    }
    quality[t] = tet_quality(mesh.vertices, mesh.tets, t);
    s.flat_tets += quality[t] < nearly_flat_quality;
    const auto angles = tet_dihedral_angles(mesh.vertices, mesh.tets, t);
    angle[t] = angles.minCoeff();
    largest = std::max(largest, angles.maxCoeff());
    const double ratio = tet_edge_ratio(mesh.vertices, mesh.tets, t);
    s.edge_ratio_max = std::max(s.edge_ratio_max, ratio);
    s.edge_ratio_mean += ratio / s.tets;
  }
  for (auto& [id, region] : regions) {
    region.id = id;
    s.regions.push_back(region);
  }
  constexpr double degrees = 180 / std::numbers::pi;
  s.dihedral_min = *std::min_element(angle.begin(), angle.end()) * degrees;
  s.dihedral_max = largest * degrees;
  const auto low = angle.begin() + static_cast<std::ptrdiff_t>(angle.size() / 100);
  std::nth_element(angle.begin(), low, angle.end());
  s.dihedral_low = *low * degrees;
  s.quality_min = *std::min_element(quality.begin(), quality.end());
  const auto middle = quality.begin() + static_cast<std::ptrdiff_t>(quality.size() / 2);
  std::nth_element(quality.begin(), middle, quality.end());
  s.quality_median = quality.size() % 2 ? *middle : 0.5 * (*middle + *std::max_element(quality.begin(), middle));
  return s;
}

std::string quality_text(const MeshStatistics& s) {
  std::string text = fmt::format("edge lengths: {:.4g} to {:.4g}, mean {:.4g}\n", s.edge_min, s.edge_max, s.edge_mean);
  text += fmt::format("longest edge over shortest of a tet: mean {:.3g}, largest {:.4g}\n", s.edge_ratio_mean,
                      s.edge_ratio_max);
  text +=
      fmt::format("quality (1 for regular tets): smallest {:.4g}, median {:.4g}\n", s.quality_min, s.quality_median);
  text += fmt::format("dihedral angles: {:.4g} to {:.4g} degrees; 99 % of the tets have none below {:.4g}\n",
                      s.dihedral_min, s.dihedral_max, s.dihedral_low);
  return text;
}

std::string region_text(const TetMesh& mesh, const MeshStatistics& s) {
  constexpr std::size_t listed = 100;
  std::map<Index, std::string> names;
  for (const ElementGroup& group : mesh.groups) {
    if (group.dim == 3 && !group.name.empty()) names[group.id] = " (" + group.name + ")";
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(listed, s.regions.size()); ++i) {
    const RegionStatistics& region = s.regions[i];
    text +=
        fmt::format("region {}{}: {} tets, volume {:.6g}\n", region.id, names[region.id], region.tets, region.volume);
  }
  if (s.regions.size() > listed) text += fmt::format("and {} more regions\n", s.regions.size() - listed);
  return text;
}

}  // namespace sinew
