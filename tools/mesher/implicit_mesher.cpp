#include "implicit_mesher.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "draft.h"
#include "improve.h"
#include "seeds.h"
#include "tidy.h"
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Labeled_mesh_domain_3.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_domain_with_polyline_features_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/make_mesh_3.h>

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Domain = CGAL::Mesh_domain_with_polyline_features_3<CGAL::Labeled_mesh_domain_3<Kernel>>;
using Triangulation = CGAL::Mesh_triangulation_3<Domain>::type;
using Complex = CGAL::Mesh_complex_3_in_triangulation_3<Triangulation, Domain::Corner_index, Domain::Curve_index>;
using Criteria = CGAL::Mesh_criteria_3<Triangulation>;
namespace params = CGAL::parameters;

Point to_point(const Vec3& p) {
  return {p.x(), p.y(), p.z()};
}
Vec3 to_vector(const Point& p) {
  return {p.x(), p.y(), p.z()};
}

constexpr double tets_of_cube = 4;     // in a cube of the edge length, at least
constexpr double survey_nodes = 16e6;  // of the grid
constexpr int patches = 8;             // times that the refinement is sent back for what it missed
constexpr double most_asked = 2000;    // labels for a vertex; a quarter of that is asked for on wild surfaces
constexpr double spare_vertices = 2000;

// A length times the grading of the solid.
struct Field {
  using FT = Kernel::FT;
  using Point_3 = Point;
  using Index = Domain::Index;

  const Solid* solid;
  double length;

  double operator()(const Point& p, int, const Index&) const {
    return solid->grading ? length * solid->grading(to_vector(p)) : length;
  }
};

std::vector<std::vector<Point>> feature_lines(const Solid& solid) {
  std::vector<std::vector<Point>> lines;
  for (const Polyline& line : solid.features) {
    lines.emplace_back();
    for (const Vec3& p : line) lines.back().push_back(to_point(p));
  }
  return lines;
}

CGAL::Bbox_3 box_of(const Solid& solid) {
  const Vec3 &low = solid.bounds.min(), &high = solid.bounds.max();
  return {low.x(), low.y(), low.z(), high.x(), high.y(), high.z()};
}

// The Delaunay refinement of one solid.
class Refinement {
 public:
  Refinement(const Solid& solid, const MeshingOptions& options, double deviation)
      : solid_(solid),
        options_(options),
        deviation_(deviation),
        thickness_(thickness_of(solid)),
        domain_(
            params::function = [this](const Point& p) { return label(p); }, params::bounding_object = box_of(solid),
            params::relative_error_bound = 2e-3 * options.size / solid.bounds.diagonal().norm()) {
    const std::vector<std::vector<Point>> lines = feature_lines(solid);
    domain_.add_features(lines.begin(), lines.end());
  }

  void start() {
    tell("surveying");
    const double room = solid_.bounds.volume();
    const double pitch = std::max(0.5 * thickness_, std::cbrt(room / survey_nodes));
    const Survey found = survey(solid_, std::min(pitch, solid_.bounds.sizes().minCoeff() / 20),
                                std::min(0.5 * thickness_, options_.size));
    crossings_ = found.crossings;
    if (crossings_.empty()) {
      fail_input(code::shape_parameter,
                 "the solid is empty or too thin: a grid with {:.0f} cells along its longest side has no point in it; "
                 "make it shorter or thicker",
                 solid_.bounds.sizes().maxCoeff() / pitch);
    }
    double inside = 0;
    for (std::size_t r = 1; r < found.volumes.size(); ++r) inside += found.volumes[r];
    refuse_beyond(tets_of_cube * inside / std::pow(options_.size, 3));
    const Criteria protection = criteria();
    if (!solid_.features.empty()) CGAL::Mesh_3::internal::init_c3t3_with_features(complex_, domain_, protection);
    insert(thinned(crossings_, 3 * options_.size), seed_distance());
  }

  void refine() {
    tell("refining");
    CGAL::refine_mesh_3(complex_, domain_, criteria(), params::no_perturb(), params::no_exude(), params::no_lloyd(),
                        params::no_odt());
  }

  // Seeds at the crossings that the mesh does not have, closer to each other each time; false when there are none. The
  // mesh lacks a crossing where its label is wrong and no vertex of its surfaces is near.
  bool insert_missed(int patch) {
    const std::unordered_set<const void*> on_surfaces = surface_vertices();
    const Triangulation& triangulation = complex_.triangulation();
    const double near = 0.5 * std::min(options_.size, thickness_);
    std::vector<Crossing> missed;
    auto hint = triangulation.infinite_cell();
    const auto lacks = [&](const Vec3& p, int label) {
      const Point point = to_point(p);
      hint = triangulation.locate(Triangulation::Weighted_point(point), hint);
      if ((complex_.is_in_complex(hint) ? complex_.subdomain_index(hint) : 0) == label) return false;
      if (!deep(p, label)) return false;  // the surface is only a little off
      if (triangulation.number_of_vertices() == 0) return true;
      const auto vertex = triangulation.nearest_power_vertex(point, hint);
      return !on_surfaces.contains(&*vertex) || CGAL::squared_distance(vertex->point().point(), point) > near * near;
    };
    for (const Crossing& c : crossings_) {
      if (lacks(c.from, c.label_from) || lacks(c.to, c.label_to)) missed.push_back(c);
    }
    if (missed.empty()) return false;
    const double least = 0.05 * std::min(options_.size, thickness_);
    for (double apart = std::pow(0.6, patch) * std::min(options_.size, 2 * thickness_); apart > least; apart *= 0.6) {
      if (insert(missed, apart)) return true;
    }
    return false;
  }

  // Leaves out those nearer than `apart` to a vertex that is there, and those within the protecting ball of a feature.
  // False when none are left.
  bool insert(const std::vector<Crossing>& crossings, double apart) {
    const auto intersection = domain_.construct_intersection_object();
    Triangulation& triangulation = complex_.triangulation();
    bool inserted = false;
    for (const Crossing& crossing : crossings) {
      const auto hit = intersection(Kernel::Segment_3(to_point(crossing.from), to_point(crossing.to)));
      if (std::get<2>(hit) == 0) continue;
      const Triangulation::Weighted_point point(std::get<0>(hit));
      if (triangulation.number_of_vertices() > 0) {
        const auto& near = triangulation.nearest_power_vertex(point.point())->point();
        if (CGAL::squared_distance(near.point(), point.point()) - near.weight() < apart * apart) continue;
      }
      const auto vertex = triangulation.insert(point);
      complex_.set_dimension(vertex, 2);
      complex_.set_index(vertex, std::get<1>(hit));
      inserted = true;
    }
    if (inserted) complex_.rescan_after_load_of_triangulation();
    return inserted;
  }

  const Complex& complex() const { return complex_; }
  void tell(std::string_view stage) {
    stage_ = stage;
    if (options_.progress) options_.progress(stage_, complex_.number_of_cells_in_complex());
  }

 private:
  static double thickness_of(const Solid& solid) {
    return solid.thickness > 0 ? solid.thickness : 0.1 * solid.bounds.sizes().minCoeff();
  }

  double seed_distance() const { return 0.4 * std::min(options_.size, thickness_); }

  int label(const Point& p) {
    if ((++asked_ & 0x3fff) == 0) {
      tell(stage_);
      // While surfaces are refined the tets are not counted yet; a mesh that is all surface has three a vertex.
      const double vertices = static_cast<double>(complex_.triangulation().number_of_vertices());
      refuse_beyond(std::max(3 * vertices, static_cast<double>(complex_.number_of_cells_in_complex())));
      // It may also turn in a circle, without new vertices.
      if (static_cast<double>(asked_) > most_asked * (vertices + spare_vertices)) {
        fail_input(code::mesher_size,
                   "the refinement at an edge length of {:.4g} m did not end after {:.0f} vertices; {}", options_.size,
                   vertices, options_.too_many);
      }
    }
    return solid_.label(to_vector(p));
  }

  void refuse_beyond(double tets) const {
    const double most = options_.most_tets;
    if (tets <= most) return;
    fail_input(code::mesher_size,
               "the mesh would have {:.3g} million tets or more, expected at most {:.3g} million; {}", tets / 1e6,
               most / 1e6, options_.too_many);
  }

  Criteria criteria() const {
    const Field size{&solid_, options_.size}, distance{&solid_, deviation_};
    return {params::edge_size = size,          params::facet_angle = 30,           params::facet_size = size,
            params::facet_distance = distance, params::cell_radius_edge_ratio = 2, params::cell_size = size};
  }

  // Whether the points around p have the same label.
  bool deep(const Vec3& p, int label) const {
    const double radius = 0.08 * thickness_;
    for (int k = 0; k < 3; ++k) {
      if (solid_.label(p + radius * Vec3::Unit(k)) != label || solid_.label(p - radius * Vec3::Unit(k)) != label)
        return false;
    }
    return true;
  }

  // For looking up only: the order is that of addresses.
  std::unordered_set<const void*> surface_vertices() const {
    std::unordered_set<const void*> vertices;
    for (auto facet = complex_.facets_in_complex_begin(); facet != complex_.facets_in_complex_end(); ++facet) {
      for (int k = 0; k < 4; ++k) {
        if (k != facet->second) vertices.insert(&*facet->first->vertex(k));
      }
    }
    return vertices;
  }

  const Solid& solid_;
  const MeshingOptions& options_;
  double deviation_, thickness_;
  Domain domain_;
  Complex complex_;
  std::vector<Crossing> crossings_;
  std::size_t asked_ = 0;
  std::string_view stage_;
};

// Bisects for the surface between two labels on the line through p.
Projection projection(const Solid& solid) {
  return [&solid](Vec3& p, const Vec3& n, Index inner, Index outer, double reach) {
    const int here = solid.label(p);
    if (here != inner && here != outer) return false;
    const int wanted = here == inner ? outer : inner;
    Vec3 near = p, far = p + (here == inner ? reach : -reach) * n;
    if (solid.label(far) != wanted) return false;
    for (int k = 0; k < 10; ++k) {
      const Vec3 middle = 0.5 * (near + far);
      (solid.label(middle) == here ? near : far) = middle;
    }
    p = 0.5 * (near + far);
    return true;
  };
}

// Across the triangles at edges with more than two of them: where the mesh is too coarse for its surface.
std::vector<Crossing> knots(const TetMesh& mesh, double reach) {
  std::vector<Crossing> result;
  for (const auto& [middle, normal] : triangles_at_knots(mesh)) {
    result.push_back({middle - reach * normal, middle + reach * normal, 0, 0});
  }
  return result;
}

double deviation_for(const Solid& solid, const MeshingOptions& options) {
  if (options.facet_distance > 0) return options.facet_distance;
  return solid.thickness > 0 ? std::min(0.1 * options.size, 0.15 * solid.thickness) : 0.1 * options.size;
}

}  // namespace

TetMesh mesh_solid(const Solid& solid, const MeshingOptions& options) {
  if (!(options.size > 0 && std::isfinite(options.size))) {
    fail_input(code::mesher_size, "size: found {} m, expected an edge length above 0 m", options.size);
  }
  const double deviation = deviation_for(solid, options);
  // It warns of a start without facets, which here are seeded anew.
  CGAL::set_warning_handler([](const char*, const char*, const char*, int, const char*) {});
  Refinement refinement(solid, options, deviation);
  refinement.start();
  Draft draft;
  for (int patch = 0;; ++patch) {
    refinement.refine();
    if (patch < patches && refinement.insert_missed(patch)) continue;
    draft = extract(refinement.complex());
    if (patch >= patches || !refinement.insert(knots(draft.mesh, deviation), 0.01 * options.size)) break;
  }
  refinement.tell("improving");
  remove_specks(draft.mesh);
  improve(draft.mesh, {options.min_dihedral, deviation, projection(solid), draft.fixed, draft.sharp});
  if (draft.mesh.tets.cols() == 0)
    fail_input(code::mesher_size, "size {:.3g} m is too coarse for the solid: no tet is inside it", options.size);
  add_groups(draft.mesh, solid.regions);
  return draft.mesh;
}

}  // namespace sinew::mesher
