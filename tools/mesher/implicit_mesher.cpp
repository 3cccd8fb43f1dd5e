#include "implicit_mesher.h"

#include <map>

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

Point to_point(const Vec3& p) { return {p.x(), p.y(), p.z()}; }
Vec3 to_vector(const Point& p) { return {p.x(), p.y(), p.z()}; }

// Points of the surface where the lines of a grid cross it.
void insert_seeds(const Solid& solid, const Domain& domain, double spacing, Complex& complex) {
  const auto intersection = domain.construct_intersection_object();
  const Vec3 lower = solid.bounds.min(), extent = solid.bounds.sizes();
  const Eigen::Vector3i count = (extent / spacing).array().ceil().cast<int>();
  int crossings = 0;
  for (int i = 0; i < count.x(); ++i) {
    for (int j = 0; j < count.y(); ++j) {
      int before = 0;
      for (int k = 0; k <= count.z(); ++k) {
        const Vec3 p = lower + spacing * Vec3(i + 0.37, j + 0.41, k);
        const int label = solid.label(p);
        if (k > 0 && label != before && crossings++ % 8 == 0) {
          const auto hit = intersection(Kernel::Segment_3(to_point(p - Vec3(0, 0, spacing)), to_point(p)));
          if (std::get<2>(hit) != 0) {
            const auto vertex = complex.triangulation().insert(Triangulation::Weighted_point(std::get<0>(hit)));
            complex.set_dimension(vertex, 2);
            complex.set_index(vertex, std::get<1>(hit));
          }
        }
        before = label;
      }
    }
  }
}

TetMesh extract(const Complex& complex, const Solid& solid) {
  TetMesh mesh;
  std::map<Triangulation::Vertex_handle, Index> ids;
  std::vector<Vec3> points;
  const auto cells = static_cast<Index>(complex.number_of_cells_in_complex());
  mesh.tets.resize(4, cells);
  Index t = 0;
  for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end(); ++cell, ++t) {
    for (int k = 0; k < 4; ++k) {
      const auto [at, inserted] = ids.try_emplace(cell->vertex(k), static_cast<Index>(points.size()));
      if (inserted) points.push_back(to_vector(cell->vertex(k)->point().point()));
      mesh.tets(k, t) = at->second;
    }
    mesh.regions.push_back(static_cast<Index>(cell->subdomain_index()));
  }
  mesh.vertices.resize(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v) mesh.vertices.col(static_cast<Eigen::Index>(v)) = points[v];
  for (std::size_t r = 0; r < solid.regions.size(); ++r) {
    ElementGroup group;
    group.dim = 3;
    group.id = static_cast<int>(r) + 1;
    group.name = solid.regions[r];
    for (Index tet = 0; tet < cells; ++tet) {
      if (mesh.regions[static_cast<std::size_t>(tet)] == group.id) group.tets.push_back(tet);
    }
    mesh.groups.push_back(std::move(group));
  }
  return mesh;
}

}  // namespace

TetMesh mesh_solid(const Solid& solid, const MeshingOptions& options) {
  const double size = options.size;
  const double distance = options.facet_distance > 0 ? options.facet_distance : 0.1 * size;
  const Vec3 centre = solid.bounds.center();
  const double radius = 0.51 * solid.bounds.diagonal().norm();
  Domain domain(params::function = [&](const Point& p) { return solid.label(to_vector(p)); },
                params::bounding_object = Kernel::Sphere_3(to_point(centre), radius * radius),
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
                          params::facet_distance = distance, params::cell_radius_edge_ratio = 2,
                          params::cell_size = size);
  Complex complex;
  if (!solid.features.empty()) CGAL::Mesh_3::internal::init_c3t3_with_features(complex, domain, criteria);
  insert_seeds(solid, domain, std::clamp(solid.thickness / 2, solid.bounds.diagonal().norm() / 400, solid.bounds.sizes().minCoeff() / 20), complex);
  if (complex.triangulation().number_of_vertices() == 0) fail_input("found nothing inside the bounds of the solid");
  CGAL::refine_mesh_3(complex, domain, criteria, params::no_perturb(), params::no_exude(), params::no_lloyd(),
                      params::no_odt());
  CGAL::perturb_mesh_3(complex, domain, params::sliver_bound = options.min_dihedral, params::time_limit = 0);
  CGAL::exude_mesh_3(complex, params::sliver_bound = options.min_dihedral, params::time_limit = 0);
  return extract(complex, solid);
}

}  // namespace sinew::mesher
