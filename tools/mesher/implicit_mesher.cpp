#include "implicit_mesher.h"

#include <array>
#include <unordered_map>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Labeled_mesh_domain_3.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_domain_with_polyline_features_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/make_mesh_3.h>

#include "improve.h"
#include "seeds.h"
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

Point to_point(const Vec3& p) { return {p.x(), p.y(), p.z()}; }
Vec3 to_vector(const Point& p) { return {p.x(), p.y(), p.z()}; }

constexpr double most_tets = 50e6;
constexpr double tets_of_unit_volume = 8;  // in units of the edge length

using Intersection = Domain::Construct_intersection;

struct Mesher {
  const Solid& solid;
  const MeshingOptions& options;
  double deviation;
  std::size_t asked = 0;
  std::string_view stage = "surveying";
  Complex complex;

  int label(const Vec3& p) {
    if ((++asked & 0x3fff) == 0) tell();
    return solid.label(p);
  }
  void tell() const {
    if (options.progress) options.progress(stage, complex.number_of_cells_in_complex());
  }
};

void insert_seeds(const std::vector<Crossing>& crossings, const Domain& domain, Complex& complex) {
  const auto intersection = domain.construct_intersection_object();
  for (const Crossing& crossing : crossings) {
    const auto hit = intersection(Kernel::Segment_3(to_point(crossing.from), to_point(crossing.to)));
    if (std::get<2>(hit) == 0) continue;
    const auto vertex = complex.triangulation().insert(Triangulation::Weighted_point(std::get<0>(hit)));
    if (vertex == Triangulation::Vertex_handle() || complex.in_dimension(vertex) < 2) continue;
    complex.set_dimension(vertex, 2);
    complex.set_index(vertex, std::get<1>(hit));
  }
}

struct Extract {
  TetMesh mesh;
  std::vector<bool> fixed;                  // vertices on features
  std::vector<std::array<Index, 2>> sharp;  // edges on features
};

Extract extract(const Complex& complex) {
  Extract result;
  TetMesh& mesh = result.mesh;
  // Looked up only: numbers follow the order of the cells, which does not depend on addresses.
  std::unordered_map<const void*, Index> ids;
  std::vector<Vec3> points;
  mesh.tets.resize(4, static_cast<Index>(complex.number_of_cells_in_complex()));
  Index t = 0;
  for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end(); ++cell, ++t) {
    for (int k = 0; k < 4; ++k) {
      const auto vertex = cell->vertex(k);
      const auto [at, inserted] = ids.try_emplace(&*vertex, static_cast<Index>(points.size()));
      if (inserted) {
        points.push_back(to_vector(vertex->point().point()));
        result.fixed.push_back(vertex->in_dimension() < 2);
      }
      mesh.tets(k, t) = at->second;
    }
    mesh.regions.push_back(static_cast<Index>(cell->subdomain_index()));
  }
  for (auto edge = complex.edges_in_complex_begin(); edge != complex.edges_in_complex_end(); ++edge) {
    const auto a = ids.find(&*edge->first->vertex(edge->second)), b = ids.find(&*edge->first->vertex(edge->third));
    if (a != ids.end() && b != ids.end()) result.sharp.push_back({a->second, b->second});
  }
  mesh.vertices.resize(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v) mesh.vertices.col(static_cast<Eigen::Index>(v)) = points[v];
  return result;
}

void add_groups(TetMesh& mesh, const std::vector<std::string>& names) {
  for (std::size_t r = 0; r < names.size(); ++r) {
    ElementGroup group;
    group.dim = 3;
    group.id = static_cast<int>(r) + 1;
    group.name = names[r];
    for (std::size_t t = 0; t < mesh.regions.size(); ++t) {
      if (mesh.regions[t] == group.id) group.tets.push_back(static_cast<Index>(t));
    }
    mesh.groups.push_back(std::move(group));
  }
}

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

}  // namespace

TetMesh mesh_solid(const Solid& solid, const MeshingOptions& options) {
  const double size = options.size;
  Mesher mesher{solid, options, options.facet_distance > 0 ? options.facet_distance : 0.1 * size, 0, "surveying", {}};
  const double radius = 0.5 * solid.bounds.diagonal().norm();
  const double pitch = std::clamp(0.5 * solid.thickness, solid.bounds.diagonal().norm() / 400, solid.bounds.sizes().minCoeff() / 20);
  mesher.tell();
  const Survey found = survey(solid, pitch, 3 * size);
  if (found.crossings.empty()) fail_input("found nothing inside the bounds of the solid");
  Domain domain(params::function = [&](const Point& p) { return mesher.label(to_vector(p)); },
                params::bounding_object = CGAL::Bbox_3(solid.bounds.min().x(), solid.bounds.min().y(), solid.bounds.min().z(), solid.bounds.max().x(), solid.bounds.max().y(), solid.bounds.max().z()),
                params::relative_error_bound = 1e-3 * size / radius);
  if (!solid.features.empty()) {
    std::vector<std::vector<Point>> lines;
    for (const Polyline& line : solid.features) {
      lines.emplace_back();
      for (const Vec3& p : line) lines.back().push_back(to_point(p));
    }
    domain.add_features(lines.begin(), lines.end());
  }
  const Criteria criteria(params::edge_size = size, params::facet_angle = 30, params::facet_size = size,
                          params::facet_distance = mesher.deviation, params::cell_radius_edge_ratio = 2,
                          params::cell_size = size);
  Complex& complex = mesher.complex;
  if (!solid.features.empty()) CGAL::Mesh_3::internal::init_c3t3_with_features(complex, domain, criteria);
  insert_seeds(found.crossings, domain, complex);
  mesher.stage = "refining", mesher.tell();
  if (getenv("MANI")) CGAL::refine_mesh_3(complex, domain, criteria, params::no_perturb(), params::no_exude(), params::no_lloyd(),
                      params::no_odt(), params::manifold());
  else CGAL::refine_mesh_3(complex, domain, criteria, params::no_perturb(), params::no_exude(), params::no_lloyd(),
                      params::no_odt());
  if (getenv("EXUDE")) {
    mesher.stage = "exuding", mesher.tell();
    CGAL::exude_mesh_3(complex, params::sliver_bound = options.min_dihedral, params::time_limit = 0);
  }
  mesher.stage = "extracting", mesher.tell();
  Extract draft = extract(complex);
  mesher.stage = "improving", mesher.tell();
  if (!getenv("RAW")) improve(draft.mesh, {options.min_dihedral, mesher.deviation, projection(solid), draft.fixed, draft.sharp});
  add_groups(draft.mesh, solid.regions);
  mesher.stage = "done", mesher.tell();
  return draft.mesh;
}

}  // namespace sinew::mesher
