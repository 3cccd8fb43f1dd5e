#include "complex_mesher.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "draft.h"
#include "improve.h"
#include "surface_edges.h"
#include "surface_thickness.h"
#include "surface_tree.h"
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Mesh_3/Robust_intersection_traits_3.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_domain_with_polyline_features_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/make_mesh_3.h>
#include <CGAL/point_generators_3.h>

namespace sinew::mesher {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
namespace params = CGAL::parameters;

constexpr double most_vertices = 10e6;

Point to_point(const Vec3& p) {
  return {p.x(), p.y(), p.z()};
}
Vec3 to_vector(const Point& p) {
  return {p.x(), p.y(), p.z()};
}

// Mesh_3's view of the complex: which region a point is in, and where a segment meets a triangle. The patch of a
// triangle tells its two regions.
class SurfaceDomain {
 public:
  using R = CGAL::Mesh_3::Robust_intersection_traits_3<Kernel>;
  using Point_3 = Point;
  using Segment_3 = Kernel::Segment_3;
  using Ray_3 = Kernel::Ray_3;
  using Line_3 = Kernel::Line_3;
  using Vector_3 = Kernel::Vector_3;
  using Sphere_3 = Kernel::Sphere_3;
  using FT = Kernel::FT;
  using Subdomain_index = int;
  using Subdomain = boost::optional<int>;
  // The smaller label first.
  using Surface_patch_index = std::pair<int, int>;
  using Surface_patch = boost::optional<Surface_patch_index>;
  using Index = boost::variant<Subdomain_index, Surface_patch_index>;
  using Intersection = std::tuple<Point_3, Index, int>;

  explicit SurfaceDomain(const SurfaceComplex& complex) : complex_(complex) {
    triangles_.reserve(static_cast<std::size_t>(complex.triangles.cols()));
    for (Eigen::Index f = 0; f < complex.triangles.cols(); ++f) {
      const auto corner = [&](int k) { return to_point(complex.vertices.col(complex.triangles(k, f))); };
      triangles_.emplace_back(corner(0), corner(1), corner(2));
    }
    tree_.rebuild(triangles_.begin(), triangles_.end());
    tree_.build();
  }
  SurfaceDomain(const SurfaceDomain&) = delete;
  SurfaceDomain& operator=(const SurfaceDomain&) = delete;

  CGAL::Bbox_3 bbox() const { return tree_.bbox(); }

  // Seeds are inserted before the refinement (insert_seeds), never asked for.
  struct Construct_initial_points {
    template <class Output>
    Output operator()(Output output, int = 0) const {
      return output;
    }
  };
  Construct_initial_points construct_initial_points_object() const { return {}; }

  // A ray's first triangle has the point on one of its sides.
  struct Is_in_domain {
    const SurfaceDomain& domain;

    Subdomain operator()(const Point& p) const {
      CGAL::Random random(0);
      CGAL::Random_points_on_sphere_3<Point> directions(1.0, random);
      for (int attempt = 0; attempt < 64; ++attempt, ++directions) {
        const auto hit = domain.tree_.first_intersected_primitive(Ray_3(p, Vector_3(CGAL::ORIGIN, *directions)));
        if (!hit) return {};
        const auto f = static_cast<std::size_t>(*hit - domain.triangles_.begin());
        const Kernel::Triangle_3& t = domain.triangles_[f];
        const CGAL::Orientation side = CGAL::orientation(t[0], t[1], t[2], p);
        if (side == CGAL::COPLANAR) continue;
        const int label = domain.complex_.sides[f][side == CGAL::POSITIVE ? 0 : 1];
        return label == 0 ? Subdomain() : Subdomain(label);
      }
      return {};
    }
  };
  Is_in_domain is_in_domain_object() const { return {*this}; }

  struct Do_intersect_surface {
    const SurfaceDomain& domain;

    template <class Query>
    Surface_patch operator()(const Query& query) const {
      const auto hit = domain.tree_.any_intersected_primitive(query);
      return hit ? Surface_patch(domain.patch(*hit)) : Surface_patch();
    }
  };
  Do_intersect_surface do_intersect_surface_object() const { return {*this}; }

  struct Construct_intersection {
    const SurfaceDomain& domain;

    template <class Query>
    Intersection operator()(const Query& query) const {
      if (domain.asked) domain.asked();
      // One triangle by predicates, then the point: constructing it for all candidates takes several times as long.
      const auto hit = domain.tree_.any_intersected_primitive(query);
      if (!hit) return Intersection(Point(), Index(), 0);
      const Index patch(domain.patch(*hit));
      const auto where = R().intersect_3_object()(**hit, query);
      if (!where) return Intersection(Point(), Index(), 0);
      if (const Point* p = boost::get<Point>(&*where)) return {*p, patch, 2};
      if (const Segment_3* s = boost::get<Segment_3>(&*where)) return {s->source(), patch, 2};
      return Intersection(Point(), Index(), 0);
    }
  };
  Construct_intersection construct_intersection_object() const { return {*this}; }

  Index index_from_surface_patch_index(const Surface_patch_index& patch) const { return Index(patch); }
  Index index_from_subdomain_index(const Subdomain_index& subdomain) const { return Index(subdomain); }
  Surface_patch_index surface_patch_index(const Index& index) const { return boost::get<Surface_patch_index>(index); }
  Subdomain_index subdomain_index(const Index& index) const { return boost::get<Subdomain_index>(index); }

  // Called for each intersection.
  std::function<void()> asked;

  Surface_patch_index patch_of(std::size_t triangle) const {
    const auto& sides = complex_.sides[triangle];
    return {std::min(sides[0], sides[1]), std::max(sides[0], sides[1])};
  }

 private:
  using Triangles = std::vector<Kernel::Triangle_3>;
  using Primitive = CGAL::AABB_triangle_primitive<R, Triangles::const_iterator>;
  using Tree = CGAL::AABB_tree<CGAL::AABB_traits<R, Primitive>>;

  Surface_patch_index patch(const Triangles::const_iterator& at) const {
    return patch_of(static_cast<std::size_t>(at - triangles_.begin()));
  }

  const SurfaceComplex& complex_;
  Triangles triangles_;
  Tree tree_;
};

using Domain = CGAL::Mesh_domain_with_polyline_features_3<SurfaceDomain>;
using Triangulation = CGAL::Mesh_triangulation_3<Domain, Kernel>::type;
using Complex = CGAL::Mesh_complex_3_in_triangulation_3<Triangulation, Domain::Corner_index, Domain::Curve_index>;

// The edges of a facet or cell.
struct EdgeRange {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;  // squared [m^2]

  void extend(const Point& p, const Point& q) {
    const double d = CGAL::squared_distance(p, q);
    shortest = std::min(shortest, d);
    longest = std::max(longest, d);
  }
  // Where an input is sharper than tets can be, refinement would not end if what has such an edge were refined on.
  bool fine(double tiny, double size) const {
    constexpr double sharp = 0.3;  // of what is tiny
    return longest < tiny * tiny || (shortest < sharp * sharp * tiny * tiny && longest < size * size);
  }
};

// Mesh_3's criteria, for what is not fine enough already.
class FacetCriteria : public CGAL::Mesh_facet_criteria_3<Triangulation> {
 public:
  using Base = CGAL::Mesh_facet_criteria_3<Triangulation>;

  template <class Size, class Distance>
  FacetCriteria(double angle, const Size& size, const Distance& distance, double tiny, double most)
      : Base(angle, size, distance), tiny_(tiny), size_(most) {}

  Is_facet_bad operator()(const Triangulation& triangulation, const Triangulation::Facet& facet) const {
    EdgeRange edges;
    const auto corner = [&](int i) { return triangulation.point(facet.first, (facet.second + i) % 4).point(); };
    for (int k = 1; k < 4; ++k) edges.extend(corner(k), corner(k % 3 + 1));
    return edges.fine(tiny_, size_) ? Is_facet_bad() : Base::operator()(triangulation, facet);
  }

 private:
  double tiny_, size_;  // [m]
};

class CellCriteria : public CGAL::Mesh_cell_criteria_3<Triangulation> {
 public:
  using Base = CGAL::Mesh_cell_criteria_3<Triangulation>;

  CellCriteria(double ratio, double size, double tiny) : Base(ratio, size), tiny_(tiny), size_(size) {}

  Is_cell_bad operator()(const Triangulation& triangulation, const Triangulation::Cell_handle& cell) const {
    EdgeRange edges;
    for (int k = 0; k < 4; ++k) {
      for (int l = 0; l < k; ++l)
        edges.extend(triangulation.point(cell, k).point(), triangulation.point(cell, l).point());
    }
    return edges.fine(tiny_, size_) ? Is_cell_bad() : Base::operator()(triangulation, cell);
  }

 private:
  double tiny_, size_;  // [m]
};

using Criteria =
    CGAL::Mesh_criteria_3<Triangulation, CGAL::Mesh_edge_criteria_3<Triangulation>, FacetCriteria, CellCriteria>;

void add_features(const SurfaceComplex& surfaces, Domain& domain) {
  std::vector<std::vector<Point>> lines;
  for (const Polyline& line : surfaces.features) {
    lines.emplace_back();
    for (const Vec3& p : line) lines.back().push_back(to_point(p));
  }
  domain.add_features(lines.begin(), lines.end());
}

// Points of every part of the surface, about one in each cell of a grid, outside of the features' protecting balls.
void insert_seeds(const SurfaceComplex& surfaces, const Domain& domain, double spacing, Complex& complex) {
  Triangulation& triangulation = complex.triangulation();
  std::unordered_map<std::size_t, std::vector<std::array<std::int64_t, 4>>> cells;
  for (Eigen::Index f = 0; f < surfaces.triangles.cols(); ++f) {
    const Vec3 a = surfaces.vertices.col(surfaces.triangles(0, f)), b = surfaces.vertices.col(surfaces.triangles(1, f)),
               c = surfaces.vertices.col(surfaces.triangles(2, f));
    const Vec3 p = (a + b + c) / 3, normal = (b - a).cross(c - a);
    // Opposite sides of a thin part get seeds of their own.
    Eigen::Index axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const std::array<std::int64_t, 4> key = {std::llround(p.x() / spacing), std::llround(p.y() / spacing),
                                             std::llround(p.z() / spacing), 2 * axis + (normal[axis] > 0)};
    std::size_t hash = 0;
    for (const std::int64_t k : key) hash = hash * 1000003u + static_cast<std::size_t>(k);
    auto& cell = cells[hash];
    if (std::find(cell.begin(), cell.end(), key) != cell.end()) continue;
    cell.push_back(key);
    const Point point = to_point(p);
    if (triangulation.number_of_vertices() > 0) {
      const auto nearest = triangulation.nearest_power_vertex(point);
      if (nearest != Triangulation::Vertex_handle()) {
        const auto& ball = triangulation.point(nearest);
        if (CGAL::squared_distance(ball.point(), point) <= 1.1 * ball.weight()) continue;
      }
    }
    const auto vertex = triangulation.insert(Triangulation::Weighted_point(point));
    if (vertex == Triangulation::Vertex_handle()) continue;
    complex.set_dimension(vertex, 2);
    complex.set_index(vertex, domain.index_from_surface_patch_index(domain.patch_of(static_cast<std::size_t>(f))));
  }
}

// Thrown where balls along the features are placed again and again.
struct Endless {};

// A length that throws when it is asked for far more often than a healthy run does.
class EdgeLength {
 public:
  using FT = double;

  EdgeLength(double length, std::size_t most) : length_(length), left_(std::make_shared<std::size_t>(most)) {}

  template <class MeshIndex>
  double operator()(const Point&, int, const MeshIndex&) const {
    if (*left_ == 0) throw Endless();
    --*left_;
    return length_;
  }

 private:
  double length_;
  std::shared_ptr<std::size_t> left_;  // of all copies
};

// A length that depends on how thin the solid or the gap is.
class LocalLength {
 public:
  using FT = double;

  LocalLength(const SurfaceTree& tree, const std::vector<double>& thickness, double most, double least, double factor)
      : tree_(&tree), thickness_(&thickness), most_(most), least_(least), factor_(factor) {}

  template <class MeshIndex>
  double operator()(const Point& p, int, const MeshIndex&) const {
    const Closest nearest = tree_->closest(to_vector(p));
    const double local = factor_ * (*thickness_)[static_cast<std::size_t>(nearest.triangle)] + 0.3 * nearest.distance;
    return std::clamp(local, least_, most_);
  }

 private:
  const SurfaceTree* tree_;
  const std::vector<double>* thickness_;
  double most_, least_, factor_;
};

// The surfaces between two labels, each with its own tree.
class Interfaces {
 public:
  explicit Interfaces(const SurfaceComplex& complex) {
    std::map<std::array<int, 2>, std::vector<Index>> lists;
    for (std::size_t f = 0; f < complex.sides.size(); ++f)
      lists[key(complex.sides[f])].push_back(static_cast<Index>(f));
    for (const auto& [sides, list] : lists) {
      Triangles triangles(3, static_cast<Eigen::Index>(list.size()));
      for (std::size_t i = 0; i < list.size(); ++i)
        triangles.col(static_cast<Eigen::Index>(i)) = complex.triangles.col(list[i]);
      trees_.try_emplace(sides, complex.vertices, triangles);
    }
  }

  bool project(Vec3& p, Index inner, Index outer, double reach) const {
    const auto tree = trees_.find(key({inner, outer}));
    if (tree == trees_.end()) return false;
    const Closest closest = tree->second.closest(p);
    if (closest.distance > reach) return false;
    p = closest.point;
    return true;
  }

 private:
  static std::array<int, 2> key(std::array<int, 2> sides) {
    std::sort(sides.begin(), sides.end());
    return sides;
  }

  std::map<std::array<int, 2>, SurfaceTree> trees_;
};

// Whether the edges opposite to a vertex, each of whose ends has two of them, are one closed line.
bool is_one_ring(const std::vector<std::array<Index, 2>>& edges) {
  std::vector<std::array<Index, 2>> ends;  // a vertex and the number of its edge
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (const Index v : edges[i]) ends.push_back({v, static_cast<Index>(i)});
  }
  std::sort(ends.begin(), ends.end());
  std::size_t count = 0;
  for (std::size_t at = 0; count < ends.size();) {
    ++count;
    const std::size_t pair = at ^ 1;  // the other edge at the same vertex
    const auto& edge = edges[static_cast<std::size_t>(ends[pair][1])];
    const Index next = edge[0] == ends[pair][0] ? edge[1] : edge[0];
    at = static_cast<std::size_t>(
        std::lower_bound(ends.begin(), ends.end(), std::array<Index, 2>{next, ends[pair][1]}) - ends.begin());
    if (at == 0) break;
  }
  return 2 * count == ends.size();
}

// Whether two triangles meet at each edge and the triangles around each vertex are one fan: where surfaces touch in a
// vertex only, the refinement that asks for a manifold would not end.
bool is_manifold(const SurfaceComplex& complex) {
  const SurfaceEdges edges(complex.triangles);
  if (!std::all_of(edges.edges().begin(), edges.edges().end(), [](const auto& edge) { return edge.count == 2; }))
    return false;
  const Triangles& triangles = complex.triangles;
  std::vector<std::vector<std::array<Index, 2>>> links(static_cast<std::size_t>(complex.vertices.cols()));
  for (Eigen::Index f = 0; f < triangles.cols(); ++f) {
    for (int k = 0; k < 3; ++k) {
      links[static_cast<std::size_t>(triangles(k, f))].push_back(
          {triangles((k + 1) % 3, f), triangles((k + 2) % 3, f)});
    }
  }
  return std::all_of(links.begin(), links.end(), is_one_ring);
}

// Far more vertices than a mesh of that size has: refinement that gets there goes on for ever somewhere.
std::size_t vertex_limit(const SurfaceComplex& surfaces, double size) {
  const Vec3 extent = surfaces.vertices.rowwise().maxCoeff() - surfaces.vertices.rowwise().minCoeff();
  const double area = surface_area(surfaces.vertices, surfaces.triangles);
  const double cells = std::min(extent.prod(), area * extent.maxCoeff()) / std::pow(size, 3);
  return static_cast<std::size_t>(std::min(5000 + 4 * cells + 25 * area / (size * size), most_vertices));
}

// Nothing when the vertices did not suffice.
std::optional<Draft> refine(const SurfaceComplex& surfaces, double size, double distance, bool manifold) {
  // The rays of the domain start from a seed of their own; this one serves CGAL's other choices.
  CGAL::get_default_random() = CGAL::Random(0);
  Domain domain(surfaces);
  const SurfaceTree tree(surfaces.vertices, surfaces.triangles);
  const std::vector<double> thin = thickness(tree, 10 * size);
  constexpr double facet_angle = 25, radius_edge = 2;
  const double tiny = 0.15 * size;
  const std::size_t limit = vertex_limit(surfaces, size);
  const Criteria criteria(CGAL::Mesh_edge_criteria_3<Triangulation>(EdgeLength(size, 5 * limit)),
                          FacetCriteria(facet_angle, LocalLength(tree, thin, size, 0.2 * size, 1),
                                        LocalLength(tree, thin, distance, 0.2 * distance, 0.1), tiny, size),
                          CellCriteria(radius_edge, size, tiny));
  CGAL::Mesh_error_code code = CGAL::CGAL_MESH_3_NO_ERROR;
  Complex complex;
  if (!surfaces.features.empty()) {
    add_features(surfaces, domain);
    CGAL::Mesh_3::internal::init_c3t3_with_features(complex, domain, criteria, false, limit, &code);
    if (code != CGAL::CGAL_MESH_3_NO_ERROR) return {};
  }
  insert_seeds(surfaces, domain, size, complex);
  // Refinement may also turn in a circle, without new vertices.
  std::atomic<bool> stop = false;
  std::size_t queries = 0;
  domain.asked = [&] {
    constexpr std::size_t each = 150, spare = 2000;  // a healthy run asks a fraction of that for a vertex
    if ((++queries & 0xfff) == 0 && queries > each * (complex.triangulation().number_of_vertices() + spare))
      stop = true;
  };
  const auto run = [&](const auto& topology) {
    CGAL::refine_mesh_3(
        complex, domain, criteria, params::no_perturb(), params::no_exude(), params::no_lloyd(), params::no_odt(),
        params::no_reset_c3t3(), topology,
        params::mesh_3_options(params::maximal_number_of_vertices = limit, params::pointer_to_error_code = &code,
                               params::pointer_to_stop_atomic_boolean = &stop));
  };
  run(manifold ? params::manifold() : params::non_manifold());
  if (code != CGAL::CGAL_MESH_3_NO_ERROR || stop) return {};
  return extract(complex);
}

// Mesh_3 reports by exceptions what it prints besides.
class QuietCgal {
 public:
  QuietCgal()
      : error_(CGAL::set_error_handler(ignore)),
        warning_(CGAL::set_warning_handler(ignore)),
        stream_(std::cerr.rdbuf(nullptr)) {}
  ~QuietCgal() {
    std::cerr.rdbuf(stream_);
    CGAL::set_error_handler(error_);
    CGAL::set_warning_handler(warning_);
  }
  QuietCgal(const QuietCgal&) = delete;
  QuietCgal& operator=(const QuietCgal&) = delete;

 private:
  static void ignore(const char*, const char*, const char*, int, const char*) {}

  CGAL::Failure_function error_, warning_;
  std::streambuf* stream_;
};

// Asks for a manifold surface first: that finds what thin parts and gaps need, but need not end at very sharp edges.
std::optional<Draft> refine(const SurfaceComplex& surfaces, double size, double distance) {
  const QuietCgal quiet;
  for (const bool manifold : {true, false}) {
    if (manifold && !is_manifold(surfaces)) continue;
    try {
      if (auto draft = refine(surfaces, size, distance, manifold)) return draft;
    } catch (const CGAL::Failure_exception&) {  // tried again, else told by the caller
    } catch (const Endless&) {
      return {};  // would come again
    }
  }
  return {};
}

}  // namespace

std::optional<TetMesh> mesh_complex(const SurfaceComplex& surfaces, const MeshingOptions& options) {
  const double distance = options.facet_distance > 0 ? options.facet_distance : 0.05 * options.size;
  const auto tell = [&](std::string_view stage, std::size_t tets) {
    if (options.progress) options.progress(stage, tets);
  };
  tell("refining", 0);
  std::optional<Draft> refined = refine(surfaces, options.size, distance);
  if (!refined || refined->mesh.tet_count() == 0) return {};
  Draft& draft = *refined;
  tell("improving", static_cast<std::size_t>(draft.mesh.tet_count()));
  const Interfaces interfaces(surfaces);
  const Projection project = [&](Vec3& p, const Vec3&, Index inner, Index outer, double reach) {
    return interfaces.project(p, inner, outer, reach);
  };
  improve(draft.mesh, {.min_dihedral = options.min_dihedral,
                       .deviation = distance,
                       .project = project,
                       .fixed = draft.fixed,
                       .sharp = draft.sharp});
  add_groups(draft.mesh, surfaces.regions);
  return std::move(draft.mesh);
}

namespace {

// A triangle in its box, with a number for the pairs.
using Box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, Index>;

bool meet(const Points& vertices, const Triangles& triangles, Index f, Index g) {
  std::array<int, 3> shared_f{}, shared_g{};
  int shared = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (triangles(i, f) != triangles(j, g)) continue;
      shared_f[static_cast<std::size_t>(shared)] = i;
      shared_g[static_cast<std::size_t>(shared++)] = j;
    }
  }
  const auto corner = [&](Index t, int k) { return to_point(vertices.col(triangles(k % 3, t))); };
  const auto triangle = [&](Index t) { return Kernel::Triangle_3(corner(t, 0), corner(t, 1), corner(t, 2)); };
  if (shared == 0) return CGAL::do_intersect(triangle(f), triangle(g));
  if (shared == 1) {
    // Where they meet elsewhere, the edge opposite to the shared vertex of one goes through the other.
    const Kernel::Segment_3 a(corner(f, shared_f[0] + 1), corner(f, shared_f[0] + 2));
    const Kernel::Segment_3 b(corner(g, shared_g[0] + 1), corner(g, shared_g[0] + 2));
    return CGAL::do_intersect(triangle(g), a) || CGAL::do_intersect(triangle(f), b);
  }
  if (shared == 3) return true;
  const Point a = corner(f, shared_f[0]), b = corner(f, shared_f[1]);
  const Point c = corner(f, 3 - shared_f[0] - shared_f[1]), d = corner(g, 3 - shared_g[0] - shared_g[1]);
  return CGAL::coplanar(a, b, c, d) && CGAL::coplanar_orientation(a, b, c, d) == CGAL::POSITIVE;  // folded flat
}

}  // namespace

std::vector<std::pair<Index, Index>> find_intersections(const Points& vertices, const Triangles& triangles,
                                                        std::size_t most) {
  std::vector<Box> boxes;
  boxes.reserve(static_cast<std::size_t>(triangles.cols()));
  for (Eigen::Index f = 0; f < triangles.cols(); ++f) {
    const Point a = to_point(vertices.col(triangles(0, f))), b = to_point(vertices.col(triangles(1, f))),
                c = to_point(vertices.col(triangles(2, f)));
    if (CGAL::collinear(a, b, c)) continue;
    boxes.emplace_back(a.bbox() + b.bbox() + c.bbox(), static_cast<Index>(f));
  }
  std::vector<std::pair<Index, Index>> found;
  CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Box& one, const Box& other) {
    const Index f = std::min(one.info(), other.info()), g = std::max(one.info(), other.info());
    if (found.size() < most && meet(vertices, triangles, f, g)) found.emplace_back(f, g);
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace sinew::mesher
