#include "surface_mesher.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "complex_mesher.h"
#include "surface_checks.h"
#include "surface_complex.h"
#include "surface_edges.h"
#include "surface_join.h"
#include "surface_repair.h"
#include "surface_scale.h"
#include "surface_solid.h"

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/formats/mesh_file.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesher {
namespace {

constexpr double most_tets = 20e6;
constexpr double most_by_default = 5e5;  // tets of what is thin throughout, where no size is given
constexpr double least_distance = 1e-3;  // of the mesh from the surface, in edge lengths: the limit of the refinement

void check_options(const SurfaceMeshOptions& options) {
  const auto length = [](const char* name, double value) {
    if (!std::isfinite(value) || value < 0)
      fail_input(code::mesher_size, "--{}: found {}, expected a length above 0 [m]", name, value);
  };
  length("size", options.size);
  length("distance", options.distance);
  if (!(options.feature_angle >= 0 && options.feature_angle <= 180)) {
    fail_input(code::mesher_size, "--feature-angle: found {}, expected an angle from 0 (none) to 180 degrees",
               options.feature_angle);
  }
}

double area_of(const std::vector<InputSurface>& surfaces) {
  double area = 0;
  for (const InputSurface& surface : surfaces) area += surface_area(surface.mesh.vertices, surface.mesh.triangles);
  return area;
}

double volume_of(const std::vector<InputSurface>& surfaces, const Vec3& origin) {
  double volume = 0;
  for (const InputSurface& surface : surfaces) {
    std::vector<Index> all(static_cast<std::size_t>(surface.mesh.triangles.cols()));
    for (std::size_t f = 0; f < all.size(); ++f) all[f] = static_cast<Index>(f);
    volume += std::abs(enclosed_volume(surface.mesh.vertices, surface.mesh.triangles, all, origin));
  }
  return volume;
}

// Of a plate of that volume.
double mean_thickness(const std::vector<InputSurface>& surfaces, double volume) {
  const double area = area_of(surfaces);
  return area > 0 ? 2 * volume / area : 0;
}

double thickness_of(const std::vector<InputSurface>& surfaces) {
  return mean_thickness(surfaces, volume_of(surfaces, bounds_of(surfaces).center()));
}

// 1/40 of the diagonal of the bounding box, less for bodies that are thin throughout.
double default_size(const std::vector<InputSurface>& surfaces, double volume) {
  const double diagonal = bounds_of(surfaces).diagonal().norm();
  return std::clamp(1.5 * mean_thickness(surfaces, volume), diagonal / 160, diagonal / 40);
}

// Where the winding number says inside, by counting; of surfaces near the unit size.
double inside_volume(const std::vector<InputSurface>& surfaces) {
  constexpr int count = 40;  // along the longest side
  const Eigen::AlignedBox3d box = bounds_of(surfaces);
  const double pitch = box.sizes().maxCoeff() / count;
  const Solid solid = make_surface_solid(surfaces, 10 * pitch);  // whose cells are not much finer than the points
  const Eigen::Array3i cells = (box.sizes() / pitch).array().ceil().cast<int>();
  double volume = 0;
  for (int i = 0; i < cells[0]; ++i) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int k = 0; k < cells[2]; ++k) {
        if (solid.label(box.min() + pitch * (Vec3(i, j, k) + Vec3::Constant(0.5))) != 0) volume += std::pow(pitch, 3);
      }
    }
  }
  return volume;
}

// About 8 tets a cube of the edge length, and 20 a square of the surface.
double expected_tets(const std::vector<InputSurface>& surfaces, double size) {
  const Vec3 centre = bounds_of(surfaces).center();
  return 8 * volume_of(surfaces, centre) / std::pow(size, 3) + 20 * area_of(surfaces) / (size * size);
}

// Refinement of what is far thinner than the edges takes for ever and cannot keep it.
void check_thickness(const std::vector<InputSurface>& surfaces, double size, bool by_default) {
  const double area = area_of(surfaces), thickness = thickness_of(surfaces);
  const double edge = std::min(size, thickness), tets = 4 * area * thickness / std::pow(edge, 3);
  if (by_default && thickness > 0 && tets > most_by_default) {
    fail_input(code::mesher_size,
               "the solid is only {:.3g} m thick on average (twice its volume over its surface), which needs about "
               "{:.2g} tets; make it thicker, or confirm with --size {:.3g}",
               thickness, tets, 2 * thickness);
  }
  if (thickness >= 0.2 * size) return;
  fail_input(
      code::mesher_size,
      "--size {}: the solid is only {:.3g} m thick on average (twice its volume over its surface); expected edges of "
      "at "
      "most five times that: use --size {:.3g}",
      size, thickness, 2 * thickness);
}

// Of surfaces that are scaled down.
void check_size(const std::vector<InputSurface>& surfaces, double size, double scale) {
  const double diagonal = scale * bounds_of(surfaces).diagonal().norm();
  const double tets = expected_tets(surfaces, size / scale);
  if (tets > most_tets) {
    fail_input(code::mesher_size,
               "--size {:.4g}: about {:.2g} tets, expected at most {:.2g}; use --size {:.2g} or more", size, tets,
               most_tets, 1.1 * std::sqrt(tets / most_tets) * size);
  }
  if (size > diagonal / 2) {
    fail_input(
        code::mesher_size,
        "--size {:.4g}: the surfaces have a bounding box of diagonal {:.4g} m, expected less than half of that, for "
        "example --size {:.2g}",
        size, diagonal, diagonal / 40);
  }
}

// The boundary and the interfaces of a mesh.
TriMesh skin(const TetMesh& mesh) {
  const Tets neighbours = tet_neighbours(mesh.tets);
  std::vector<Index> corners;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    for (int k = 0; k < 4; ++k) {
      const Index other = neighbours(k, t);
      if (other >= 0 && mesh.regions[static_cast<std::size_t>(other)] <= mesh.regions[static_cast<std::size_t>(t)])
        continue;
      for (const int v : tet_faces[static_cast<std::size_t>(k)]) corners.push_back(mesh.tets(v, t));
    }
  }
  return {mesh.vertices, sinew::triangles_of(corners)};
}

void measure(SurfaceMesh& result, const Points& vertices, const Triangles& triangles) {
  const TriMesh made = skin(result.mesh);
  const double spacing = 0.5 * result.size;
  result.mesh_to_surface = deviation(made.vertices, made.triangles, SurfaceTree(vertices, triangles), spacing);
  result.surface_to_mesh = deviation(vertices, triangles, SurfaceTree(made.vertices, made.triangles), spacing);
}

constexpr double no_features = 180;  // [degrees]

std::optional<SurfaceMesh> mesh_with_features(const std::vector<InputSurface>& surfaces,
                                              const SurfaceMeshOptions& options, const Placement& placement,
                                              double angle) {
  // Shorter edges, of which scanned surfaces are full, would only leave small tets around them.
  SurfaceComplex complex = make_complex(surfaces, {angle, 3 * options.size});
  const Points vertices = complex.vertices;
  to_unit(complex.vertices, placement);
  for (Polyline& line : complex.features) {
    for (Vec3& p : line) p = placement.to_unit(p);
  }
  std::optional<TetMesh> mesh = mesh_complex(complex, {.size = options.size / placement.scale,
                                                       .facet_distance = options.distance / placement.scale,
                                                       .progress = options.progress});
  if (!mesh) return {};
  SurfaceMesh result;
  result.mesh = std::move(*mesh);
  from_unit(result.mesh.vertices, placement);
  result.size = options.size;
  measure(result, vertices, complex.triangles);
  return result;
}

SurfaceMesh mesh_plain(const std::vector<InputSurface>& surfaces, const SurfaceMeshOptions& options,
                       const Placement& placement, bool by_default) {
  if (options.progress) options.progress("checking the surface", 0);
  check_surfaces(surfaces);
  check_thickness(surfaces, options.size, by_default);
  const double angle = options.feature_angle > 0 ? options.feature_angle : no_features;
  std::optional<SurfaceMesh> result = mesh_with_features(surfaces, options, placement, angle);
  if (!result && angle < no_features) {
    log::warning(
        "the sharp edges cannot be kept at an edge length of {:.4g} m and are rounded; use another --size or a larger "
        "--feature-angle to keep them",
        options.size);
    result = mesh_with_features(surfaces, options, placement, no_features);
  }
  if (!result) {
    fail_input(code::mesher_size,
               "the refinement at an edge length of {:.4g} m does not end, probably because the surface folds at very "
               "small angles; use another --size, or --robust",
               options.size);
  }
  return std::move(*result);
}

void tell(const Turned& turned, const InputSurface& surface) {
  if (turned.inconsistent > 0)
    log::warning("{}: turned {} triangles to face the way of their neighbours", surface.path, turned.inconsistent);
  if (turned.triangles != turned.inconsistent) log::warning("{}: turned parts that faced inwards", surface.path);
  if (turned.left_open_parts > 0) {
    log::warning(
        "{}: {} open parts are too many to orient each, so they are used as they are; weld the vertices of the surface "
        "if inside and outside are swapped",
        surface.path, turned.left_open_parts);
  }
  if (turned.one_sided) {
    log::warning("{}: a part has only one side (like a Moebius strip), so inside and outside are guesses there",
                 surface.path);
  }
}

// Triangles with different labels on their sides: the others lie within a region and leave no trace in the mesh.
Triangles separating(const JoinedSurfaces& joined, const Solid& solid, double step) {
  std::vector<Index> corners;
  for (Eigen::Index f = 0; f < joined.triangles.cols(); ++f) {
    const Vec3 n = triangle_normal(joined.vertices, joined.triangles, f).normalized();
    const Vec3 centre = (joined.vertices.col(joined.triangles(0, f)) + joined.vertices.col(joined.triangles(1, f)) +
                         joined.vertices.col(joined.triangles(2, f))) /
                        3;
    if (!n.allFinite() || solid.label(centre + step * n) == solid.label(centre - step * n)) continue;
    for (int k = 0; k < 3; ++k) corners.push_back(joined.triangles(k, f));
  }
  return sinew::triangles_of(corners);
}

// The surfaces are oriented and near the unit size.
SurfaceMesh mesh_robust(const std::vector<InputSurface>& surfaces, const SurfaceMeshOptions& options,
                        const Placement& placement) {
  const double size = options.size / placement.scale;
  // Where a wild surface makes labels change from point to point, refinement would follow them for ever.
  const double most_tets = 1e5 + 3 * expected_tets(surfaces, size);
  const Solid solid = make_surface_solid(surfaces, size);
  SurfaceMesh result;
  const double distance = options.distance > 0 ? options.distance / placement.scale : 0.05 * size;
  result.mesh =
      mesh_solid(solid, {.size = size,
                         .facet_distance = distance,
                         .most_tets = most_tets,
                         .too_many = "the surface has so many faults or holes in one place that inside and outside "
                                     "change from point to point: mend the surface, or use a larger --size",
                         .progress = options.progress});
  result.size = size;
  const JoinedSurfaces joined = join(surfaces);
  const Triangles kept = separating(joined, solid, 1e-4);
  if (kept.cols() == 0)
    fail_input(code::surface_empty, "{}: the surface does not separate inside from outside", surfaces[0].path);
  measure(result, joined.vertices, kept);
  from_unit(result.mesh.vertices, placement);
  for (double* length : {&result.size, &result.mesh_to_surface.max, &result.mesh_to_surface.mean,
                         &result.surface_to_mesh.max, &result.surface_to_mesh.mean})
    *length *= placement.scale;
  const Eigen::Index hidden = joined.triangles.cols() - kept.cols();
  if (hidden > 0)
    log::warning("{} of {} triangles lie within a region and have no part in its surface", hidden,
                 joined.triangles.cols());
  return result;
}

void check_regions(const SurfaceMesh& result) {
  for (const ElementGroup& group : result.mesh.groups) {
    if (!group.tets.empty()) continue;
    fail_input(code::surface_empty,
               "no tet lies inside '{}': other surfaces replace it, or it is too small for an edge length of {:.4g} m; "
               "give each surface once, or use a smaller --size",
               group.name, result.size);
  }
}

}  // namespace

SurfaceMesh mesh_surfaces(std::vector<InputSurface> surfaces, const SurfaceMeshOptions& given) {
  check_options(given);
  SurfaceMeshOptions options = given;
  const Eigen::AlignedBox3d box = bounds_of(surfaces);
  const Placement placement = placement_of(box);
  const double diagonal = box.diagonal().norm();
  // At the edge length given, or at the default for the volume.
  const auto settle_size = [&](double volume, double scale) {
    if (options.size == 0) options.size = scale * default_size(surfaces, volume);
    check_size(surfaces, options.size, scale);
    if (options.distance > 0 && options.distance < least_distance * options.size) {
      fail_input(code::mesher_size,
                 "--distance: found {} m, expected at least {:.4g} m, {} of the edge length; give a smaller --size too",
                 options.distance, least_distance * options.size, least_distance);
    }
  };
  SurfaceMesh result;
  if (options.robust) {
    check_size(surfaces, given.size > 0 ? given.size : diagonal / 40, 1);  // soon, for the longest default
    for (InputSurface& surface : surfaces) {
      tell(orient(surface), surface);
      check_not_a_sheet(surface);
      to_unit(surface.mesh.vertices, placement);
    }
    settle_size(given.size == 0 ? inside_volume(surfaces) : 0, placement.scale);
    result = mesh_robust(surfaces, options, placement);
  } else {
    settle_size(volume_of(surfaces, box.center()), 1);
    result = mesh_plain(surfaces, options, placement, given.size == 0);
  }
  check_regions(result);
  result.diagonal = diagonal;
  return result;
}

}  // namespace sinew::mesher
