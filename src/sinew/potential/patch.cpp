#include "sinew/potential/patch.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sinew/contact/near_triangles.h"
#include "sinew/core/sort_unique.h"
#include "sinew/model/part_of_system.h"
#include "sinew/potential/vertex_terms.h"

namespace sinew {
namespace {

Index place_in(const std::vector<Index>& sorted, Index value) {
  return static_cast<Index>(std::ranges::lower_bound(sorted, value) - sorted.begin());
}

}  // namespace

bool PatchMaker::possible(const System& system) {
  const ContactSetup& contact = system.setup.contact;
  const bool barriers = contact.model == ContactKind::barrier || contact.model == ContactKind::convergent;
  const bool only_samples = system.embedding.count() == static_cast<Index>(system.collision.sample_corners.cols());
  // The volume changes of mixed elements are means over more tets than those of a patch.
  const bool own_tets = std::ranges::none_of(system.groups, [](const auto& g) { return is_mixed(g.elements); });
  const bool elastic = inelastic_body(system).body < 0;
  return only_samples && system.ties.empty() && contact.enabled && barriers && own_tets && elastic;
}

// visit(e, add) calls add(v) for each vertex of element e.
template <class Visit>
PatchMaker::Incidence PatchMaker::incidence(Index vertices, Index elements, Visit&& visit) {
  Incidence result;
  result.begin.assign(static_cast<std::size_t>(vertices) + 1, 0);
  const auto for_each = [&](auto&& use) {
    for (Index e = 0; e < elements; ++e)
      visit(e, [&](Index v) {
        if (v < vertices) use(v, e);
      });
  };
  for_each([&](Index v, Index) { ++result.begin[v + 1]; });
  for (Index v = 0; v < vertices; ++v) result.begin[v + 1] += result.begin[v];
  result.elements.resize(static_cast<std::size_t>(result.begin[vertices]));
  std::vector<Index> next(result.begin.begin(), result.begin.end() - 1);
  for_each([&](Index v, Index e) { result.elements[next[v]++] = e; });
  return result;
}

PatchMaker::PatchMaker(const System& system) : system_(system) {
  const Index n = system.dynamic_count;
  const CollisionMesh& mesh = system.collision;
  held_.assign(n, 0);
  for (const VertexTerm& term : vertex_terms())
    for (const Index v : term.vertices(system))
      if (v < n) held_[v] = 1;
  tets_ = incidence(n, system.elastic_tet_count(), [&](Index t, auto&& add) {
    if (const Index q = system.quadratic_of(t); q >= 0) {  // each node of a ten-node tet has all of its parts
      for (int a = 0; a < 10; ++a) add(system.quadratic_tets(a, q));
    } else {
      for (int i = 0; i < 4; ++i) add(system.tets(i, t));
    }
  });
  springs_ = incidence(n, static_cast<Index>(system.edge_springs.size()), [&](Index s, auto&& add) {
    add(system.edge_springs[s].a);
    add(system.edge_springs[s].b);
  });
  triangles_ = incidence(n, static_cast<Index>(mesh.triangles.cols()), [&](Index t, auto&& add) {
    for (int i = 0; i < 3; ++i) add(mesh.triangles(i, t));
  });
  find_edges_of_triangles();
  if (mesh.has_samples()) find_samples_of_triangles();
  on_surface_.assign(system.vertex_count(), -1);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) on_surface_[mesh.vertices[i]] = static_cast<Index>(i);
  number_.assign(system.vertex_count(), -1);
}

void PatchMaker::find_edges_of_triangles() {
  const CollisionMesh& mesh = system_.collision;
  std::vector<std::array<Index, 3>> sorted;  // two ends and the number of each edge
  for (Index e = 0; e < mesh.edges.cols(); ++e) sorted.push_back({mesh.edges(0, e), mesh.edges(1, e), e});
  std::ranges::sort(sorted);
  for (Index t = 0; t < mesh.triangles.cols(); ++t) {
    std::array<Index, 3> edges;
    for (int i = 0; i < 3; ++i) {
      const auto [a, b] = std::minmax(mesh.triangles(i, t), mesh.triangles((i + 1) % 3, t));
      edges[i] = (*std::ranges::lower_bound(sorted, std::array<Index, 3>{a, b, 0}))[2];
    }
    edges_.push_back(edges);
  }
}

// The samples of a triangle are consecutive; all have its corners.
void PatchMaker::find_samples_of_triangles() {
  const CollisionMesh& mesh = system_.collision;
  const auto sorted_corners = [](const Triangles& triangles, Index t) {
    std::array<Index, 3> corners{triangles(0, t), triangles(1, t), triangles(2, t)};
    std::ranges::sort(corners);
    return corners;
  };
  std::vector<std::pair<std::array<Index, 3>, Index>> first;  // corners of a triangle, and its first sample
  for (Index s = 0; s < static_cast<Index>(mesh.sample_corners.cols()); s += mesh.samples_of_triangle)
    first.emplace_back(sorted_corners(mesh.sample_corners, s), mesh.sample_begin + s);
  std::ranges::sort(first);
  for (Index t = 0; t < static_cast<Index>(mesh.triangles.cols()); ++t) {
    const auto corners = sorted_corners(mesh.triangles, t);
    const auto at = std::ranges::lower_bound(first, corners, {}, [](const auto& entry) { return entry.first; });
    sample_begin_.push_back(at != first.end() && at->first == corners ? at->second : Index{-1});
  }
}

void PatchMaker::grow(std::vector<Index>& vertices) const {
  for (std::size_t k = 0, count = vertices.size(); k < count; ++k) {
    const Index v = vertices[k];
    for (const Index t : tets_.of(v))
      for (int i = 0; i < 4; ++i) vertices.push_back(system_.tets(i, t));
    for (const Index s : springs_.of(v))
      for (const Index end : {system_.edge_springs[s].a, system_.edge_springs[s].b}) vertices.push_back(end);
  }
  sort_unique(vertices);
  std::erase_if(vertices, [&](Index v) { return !may_move(v); });
}

// In a mesh of equilateral triangles with edges l, a vertex has the area A = sqrt(3)/2 l^2.
double PatchMaker::edge_length(std::span<const Index> vertices) const {
  double sum = 0;
  int count = 0;
  for (const Index v : vertices) {
    if (on_surface_[v] < 0) continue;
    sum += std::sqrt(2 / std::sqrt(3.0) * system_.collision.vertex_area[on_surface_[v]]);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

// The number of a vertex in the patch, which it gets here if it has none.
Index PatchMaker::number(Index vertex) {
  if (number_[vertex] < 0) {
    number_[vertex] = static_cast<Index>(vertices_.size());
    vertices_.push_back(vertex);
  }
  return number_[vertex];
}

// Tets and springs of the vertices that move, the latter sorted by their ends.
void PatchMaker::add_elements(std::span<const Index> moving, System& part) {
  std::vector<Index> tets, springs;
  for (const Index v : moving) {
    tets.insert(tets.end(), tets_.of(v).begin(), tets_.of(v).end());
    springs.insert(springs.end(), springs_.of(v).begin(), springs_.of(v).end());
  }
  sort_unique(tets);
  sort_unique(springs);
  part.tets.resize(4, static_cast<Index>(tets.size()));
  part.material_names = system_.material_names;
  part.muscles = system_.muscles;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (int i = 0; i < 4; ++i) part.tets(i, static_cast<Index>(t)) = number(system_.tets(i, tets[t]));
    part.tet_body.push_back(system_.tet_body[tets[t]]);
    part.tet_material.push_back(system_.tet_material[tets[t]]);
  }
  add_groups(system_, tets, part);
  add_quadratic_tets(tets, part);
  for (const Index s : springs) {
    EdgeSpring spring = system_.edge_springs[s];
    std::tie(spring.a, spring.b) = std::pair(std::minmax({number(spring.a), number(spring.b)}));
    part.edge_springs.push_back(spring);
  }
  std::ranges::sort(part.edge_springs, {}, [](const EdgeSpring& s) { return std::pair(s.a, s.b); });
  part.dynamic_count = static_cast<Index>(vertices_.size());
}

// All parts of a ten-node tet are in the list.
void PatchMaker::add_quadratic_tets(std::span<const Index> tets, System& part) {
  std::vector<Index> list;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    const Index q = system_.quadratic_of(tets[t]);
    if (q >= 0 && (tets[t] - system_.quadratic_begin()) % parts_of_quadratic == 0) list.push_back(q);
  }
  part.quadratic_tets.resize(10, static_cast<Index>(list.size()));
  for (std::size_t k = 0; k < list.size(); ++k)
    for (int a = 0; a < 10; ++a)
      part.quadratic_tets(a, static_cast<Index>(k)) = number(system_.quadratic_tets(a, list[k]));
}

// The bodies of the vertices so far, renumbered, and masses of those with equations.
void PatchMaker::add_bodies(System& part) const {
  std::vector<Index> bodies;
  for (const Index v : vertices_) bodies.push_back(system_.vertex_body[v]);
  sort_unique(bodies);
  for (const Index b : bodies) part.bodies.push_back(system_.bodies[b]);
  for (Index& b : part.tet_body) b = place_in(bodies, b);
  for (const Index v : vertices_) {
    part.vertex_body.push_back(place_in(bodies, system_.vertex_body[v]));
    if (v < system_.dynamic_count) part.mass.push_back(system_.mass[v]);
  }
}

std::vector<Index> PatchMaker::triangles_around(std::span<const Index> vertices) const {
  std::vector<Index> triangles;
  for (const Index v : vertices) triangles.insert(triangles.end(), triangles_.of(v).begin(), triangles_.of(v).end());
  sort_unique(triangles);
  return triangles;
}

// The samples of the triangles of the few. They follow the corners, all of which have equations here.
void PatchMaker::add_samples(std::span<const Index> own, System& part) {
  CollisionMesh& mesh = part.collision;
  std::vector<Embedding::Row> rows;
  mesh.sample_begin = part.dynamic_count;
  for (const Index t : own) {
    for_each_sample(t, [&](Index sample) {
      number(sample);
      const auto row = system_.embedding.row(sample);
      rows.emplace_back(row.begin(), row.end());
      for (Embedding::Entry& entry : rows.back()) entry.vertex = number_[entry.vertex];
    });
  }
  part.embedding = Embedding(part.dynamic_count, rows);
}

// The samples of the other triangles, which stay where they are. Then the corners of all samples.
void PatchMaker::number_fixed_samples(std::span<const Index> near, CollisionMesh& mesh) {
  for (const Index t : near) for_each_sample(t, [&](Index sample) { number(sample); });
  const auto first = static_cast<std::size_t>(mesh.sample_begin), end = vertices_.size();
  mesh.samples_of_triangle = system_.collision.samples_of_triangle;
  mesh.sample_corners.resize(3, static_cast<Eigen::Index>(end - first));
  for (std::size_t s = first; s < end; ++s) {
    const auto corners = system_.collision.sample_corners.col(vertices_[s] - system_.collision.sample_begin);
    for (int k = 0; k < 3; ++k) mesh.sample_corners(k, static_cast<Eigen::Index>(s - first)) = number(corners[k]);
  }
}

// The triangles near the few with their edges, vertices and samples.
void PatchMaker::add_surface(std::span<const Index> near, System& part) {
  const CollisionMesh& whole = system_.collision;
  CollisionMesh& mesh = part.collision;
  std::vector<Index> edges, corners;
  for (const Index t : near) {
    edges.insert(edges.end(), edges_[t].begin(), edges_[t].end());
    for (int i = 0; i < 3; ++i) corners.push_back(whole.triangles(i, t));
  }
  sort_unique(edges);
  sort_unique(corners);
  for (const Index v : corners) mesh.vertices.push_back(number(v));
  for (Index s = 0; s < static_cast<Index>(mesh.sample_corners.cols()); ++s)
    mesh.vertices.push_back(mesh.sample_begin + s);
  std::ranges::sort(mesh.vertices);
  for (const Index v : mesh.vertices) mesh.vertex_area.push_back(whole.vertex_area[on_surface_[vertices_[v]]]);
  mesh.edges.resize(2, static_cast<Index>(edges.size()));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [a, b] = std::minmax({number(whole.edges(0, edges[e])), number(whole.edges(1, edges[e]))});
    mesh.edges.col(static_cast<Index>(e)) << a, b;
    mesh.edge_area.push_back(whole.edge_area[edges[e]]);
    mesh.edge_rest_length2.push_back(whole.edge_rest_length2[edges[e]]);
  }
  mesh.triangles.resize(3, static_cast<Index>(near.size()));
  for (std::size_t t = 0; t < near.size(); ++t)
    for (int i = 0; i < 3; ++i) mesh.triangles(i, static_cast<Index>(t)) = number(whole.triangles(i, near[t]));
  if (mesh.has_samples())
    for (const Index t : near) mesh.feature.push_back(whole.feature[t]);
  mesh.dynamic_count = part.body_vertex_count();
  add_owners(corners, mesh);
}

// The owners of the surface and of the planes, renumbered, and what they may touch.
void PatchMaker::add_owners(std::span<const Index> corners, CollisionMesh& mesh) const {
  const CollisionMesh& whole = system_.collision;
  std::vector<Index> owners;
  for (const Index v : corners) owners.push_back(whole.vertex_owner[v]);
  for (const CollisionMesh::Plane& plane : whole.planes) owners.push_back(plane.owner);
  sort_unique(owners);
  mesh.owner_count = static_cast<Index>(owners.size());
  for (const Index a : owners) {
    for (const Index b : owners) {
      mesh.may_touch.push_back(whole.owners_may_touch(a, b));
      if (whole.has_samples())
        mesh.sample_share.push_back(whole.sample_share[static_cast<std::size_t>(a) * whole.owner_count + b]);
    }
    if (!whole.owner_names.empty()) mesh.owner_names.push_back(whole.owner_names[a]);
    if (!whole.owner_offset.empty()) mesh.owner_offset.push_back(whole.owner_offset[a]);
  }
  mesh.planes = whole.planes;
  for (CollisionMesh::Plane& plane : mesh.planes) plane.owner = place_in(owners, plane.owner);
  for (const Index v : vertices_) {
    // Vertices inside bodies have no owner here and are in no primitive.
    const Index owner = place_in(owners, whole.vertex_owner[v]);
    mesh.vertex_owner.push_back(std::min(owner, mesh.owner_count - 1));
    mesh.vertex_material.push_back(whole.vertex_material[v]);
  }
  mesh.material_count = whole.material_count;
  mesh.friction = whole.friction;
  mesh.own_friction = whole.own_friction;
}

// The lagged friction of the vertices that move and of the samples that follow them. Its other vertices get numbers
// too.
std::vector<FrictionStencil> PatchMaker::add_friction(const ContactModel& contact, const System& part, Index moving) {
  std::vector<FrictionStencil> stencils;
  for (FrictionStencil stencil : contact.friction().stencils()) {
    const auto moves = [&](Index v) {
      return v >= 0 && number_[v] >= 0 && (number_[v] < moving || part.embedding.follows(number_[v]));
    };
    if (std::ranges::none_of(stencil.v, moves)) continue;
    for (Index& v : stencil.v)
      if (v >= 0) v = number(v);
    stencils.push_back(stencil);
  }
  return stencils;
}

// The first `count` vertices of the patch.
void PatchMaker::gather(const Points& values, Index count, Points& to) const {
  if (values.cols() == 0) return;
  to.resize(3, count);
  for (Index v = 0; v < count; ++v) to.col(v) = values.col(vertices_[v]);
}

// The data of the step. Only the vertices that move are free, where the whole step leaves them free.
void PatchMaker::set_context(const StepContext& whole, Patch& patch) const {
  StepContext& part = *patch.context;
  const Index n = patch.system->dynamic_count, all = static_cast<Index>(vertices_.size());
  static_cast<StepScalars&>(part) = whole;
  gather(whole.start, all, part.start);
  gather(whole.predictor, n, part.predictor);
  gather(whole.reference, all, part.reference);
  gather(whole.own_slip_reference, all, part.own_slip_reference);
  gather(whole.dead_force, n, part.dead_force);
  part.target = patch.x;
  part.plane_start = whole.plane_start;
  part.plane_reference = whole.plane_reference;
  part.plane_end = whole.plane_end;
  part.prescribed.assign(std::size_t{3} * n, prescribed_flag);
  for (Index v = 0; v < patch.moving; ++v)
    for (int k = 0; k < 3; ++k) part.prescribed[3 * v + k] = whole.prescribed[3 * vertices_[v] + k];
}

// Vertices get their numbers in the patch in the order in which they come up:
//
// 1. The few.
// 2. The other vertices of their tets and springs, which have equations and are prescribed.
// 3. The samples of their triangles, which follow these.
// 4. The samples of the triangles near by, then all further vertices of friction and of these triangles: kinematic.
//
// Then the parts of the system that these vertices make up, the data of the step, and the contacts at x.
Patch PatchMaker::make(const IncrementalPotential& whole, const Points& x, std::span<const Index> moving,
                       double reach) {
  Patch patch;
  auto part = std::make_shared<System>();
  part->setup.gravity = system_.setup.gravity;
  part->setup.time = system_.setup.time;
  part->setup.contact = system_.setup.contact;
  part->setup.solver.tolerance = system_.setup.solver.tolerance;
  for (const Index v : moving) number(v);
  patch.moving = static_cast<Index>(vertices_.size());
  add_elements(moving, *part);
  const ContactModel& contact = whole.contact();
  const std::vector<Index> own = triangles_around(moving);
  const std::vector<double>& offset = system_.collision.owner_offset;
  const double touch = offset.empty() ? 0 : 2 * std::ranges::max(offset);
  const std::vector<Index> near =
      near_triangles(system_.collision, own, x, contact.reach() * system_.contact_distance + reach + touch);
  add_samples(own, *part);
  add_bodies(*part);
  number_fixed_samples(near, part->collision);
  std::vector<FrictionStencil> friction = add_friction(contact, *part, patch.moving);
  add_surface(near, *part);
  const auto all = static_cast<Index>(vertices_.size());
  gather(system_.rest, all, part->rest);
  gather(x, all, patch.x);
  part->planes = system_.planes;
  part->plane_motion = system_.plane_motion;
  part->contact_distance = system_.contact_distance;
  part->contact_stiffness = system_.contact_stiffness;
  part->diagonal = system_.diagonal;
  patch.system = part;
  patch.context = std::make_unique<StepContext>();
  set_context(whole.context(), patch);

  patch.potential = std::make_unique<IncrementalPotential>(patch.system);
  patch.potential->begin_step(*patch.context, contact.stiffness());
  patch.potential->contact().set_reach(contact.reach());
  patch.potential->set_contacts(patch.x, contact.planes());
  patch.potential->contact().friction().set_stencils(std::move(friction));
  for (const Index v : vertices_) number_[v] = -1;
  patch.vertices = std::move(vertices_);
  vertices_.clear();
  return patch;
}

}  // namespace sinew
