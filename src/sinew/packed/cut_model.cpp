#include "sinew/packed/cut_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/sort_unique.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/muscle.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/handle_kinematics.h"
#include "sinew/reduced/mesh_sums.h"

namespace sinew {
namespace {

[[noreturn]] void refuse(const std::string& found, const std::string& remedy) {
  fail_input(code::method, "a page cannot simulate {}; {}", found, remedy);
}

void require_cuttable(const Simulation& simulation) {
  const System& s = simulation.system();
  const SolverSetup& solver = s.setup.solver;
  if (solver.method != "reduced")
    refuse("solver.method \"" + solver.method + "\"", "set it to \"reduced\", for example --set solver.method=reduced");
  const ReducedBasis* basis = simulation.subspace();
  if (!basis) refuse("solver.subspace \"full\"", "use handles, for example --set solver.subspace=eigenmodes");
  if (basis->is_dense())
    refuse("dense modes (solver.subspace \"" + solver.subspace + "\")",
           "use handles, for example --set solver.subspace=eigenmodes");
  if (s.setup.time.integrator == Integrator::statics) refuse("load steps", "use a time integrator");
  if (s.setup.spin) refuse("a rotating frame", "remove \"spin\"");
  if (s.embedding.count() > 0) refuse("embedded surfaces or affine bodies", "remove them");
  if (!s.skins.empty()) refuse("a skeleton", "remove it");
  if (!s.ties.empty()) refuse("ties", "remove them");
  if (!s.bolts.empty()) refuse("bolts", "remove them");
  if (s.triangles.cols() > 0 || !s.edge_springs.empty()) refuse("cloth or mass_spring", "use another material");
  if (!s.interferences.empty()) refuse("bodies that overlap at rest", "move them apart");
  if (s.setup.contact.model == ContactKind::convergent) refuse("convergent contact", "use \"barrier\"");
  if (!s.tet_heat.empty()) refuse("heat or swelling", "remove it");
  for (const FaceLoad& load : s.loads) {
    if (load.kind == LoadKind::wind) refuse("wind", "remove it");
    if (!is_dead(load.kind)) refuse("pressures, gases and moments", "remove them");
  }
  for (const ElasticGroup& group : s.groups) {
    if (group.model->needs_data()) refuse("material \"" + group.model->name() + "\"", "use a material without curves");
    if (group.elements != Elements::linear || group.initial_stretch.cols() > 0 || !group.viscosity.empty() ||
        group.flows)
      refuse("materials with history or strain at rest", "remove viscosity, plasticity and initial strains");
  }
  if (moves_fibers(s)) refuse("muscles that keyframes move", "give \"activation\" and \"length\" of fibers one number");
  for (const Spring& spring : s.springs)
    if (!spring.length_keys.empty()) refuse("springs whose length has keyframes", "give it one number");
  for (const PrescribedVertex& vertex : s.prescribed)
    if (vertex.until < forever) refuse("vertices that are released", "remove \"until\" of fixes");
  for (const ObstacleSetup& obstacle : s.setup.obstacles)
    if (obstacle.motion.course)
      refuse("obstacle \"" + obstacle.name + "\", whose vertices a cache moves",
             "remove its key \"vertices\", or give it a motion");
  for (const Motion& motion : s.motions)
    if (motion.course) refuse("targets of a script", "start from the scene");
}

std::vector<double> cut_values(const std::vector<double>& values, std::span<const Index> tets, Index begin) {
  if (values.size() <= 1) return values;
  std::vector<double> result;
  for (const Index t : tets) result.push_back(values[t - begin]);
  return result;
}

ElasticGroup cut_group(const ElasticGroup& group, std::span<const Index> tets, Index begin) {
  ElasticGroup cut;
  cut.model = group.model;
  cut.tet_begin = begin;
  cut.tet_end = begin + static_cast<Index>(tets.size());
  for (const auto& values : group.parameters) cut.parameters.push_back(cut_values(values, tets, group.tet_begin));
  cut.fiber_stiffness = cut_values(group.fiber_stiffness, tets, group.tet_begin);
  cut.fiber_tension = cut_values(group.fiber_tension, tets, group.tet_begin);
  cut.fiber_direction = group.fiber_direction;
  if (group.fiber_direction.cols() <= 1) return cut;
  cut.fiber_direction.resize(3, static_cast<Index>(tets.size()));
  for (std::size_t i = 0; i < tets.size(); ++i)
    cut.fiber_direction.col(static_cast<Index>(i)) = group.fiber_direction.col(tets[i] - group.tet_begin);
  return cut;
}

HandleBasis cut_rows(const HandleBasis& basis, std::span<const Index> vertices) {
  HandleBasis cut;
  cut.center = basis.center;
  cut.radius = basis.radius;
  std::vector<std::vector<std::pair<Index, double>>> rows;
  for (const Index v : vertices) {
    auto& row = rows.emplace_back();
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) row.emplace_back(basis.handle[e], basis.weight[e]);
  }
  set_rows(rows, cut);
  return cut;
}

struct Cut {
  const System& whole;
  const ReducedBasis& basis;
  CoarseSurface surface;
  std::vector<Index> far, vertices;

  Cut(const System& system, const ReducedBasis& of, std::span<const Index> further);
  void add_ends(std::vector<Index>& to) const;
  void add_obstacles(CollisionMesh& mesh) const;
  Index number(Index v) const {
    const Index bodies = static_cast<Index>(vertices.size());
    if (v >= whole.dynamic_count) return bodies + v - whole.dynamic_count;  // of an obstacle
    return static_cast<Index>(std::ranges::lower_bound(vertices, v) - vertices.begin());
  }
  std::shared_ptr<System> system() const;
  std::shared_ptr<ReducedBasis> cut_basis() const;
};

// The vertices of cubature tets, samples, probes and springs, and that with the largest coordinate, which is the unit
// of rounding (ReducedPotential::extent()).
Cut::Cut(const System& system, const ReducedBasis& of, std::span<const Index> further) : whole(system), basis(of) {
  if (whole.setup.contact.enabled) surface = make_coarse_surface(whole, whole.setup.contact.surface_samples);
  if (!surface.may_touch()) surface = {};
  far = far_vertices(whole);
  vertices = far;
  vertices.insert(vertices.end(), further.begin(), further.end());
  vertices.insert(vertices.end(), surface.vertex.begin(), surface.vertex.begin() + surface.sample_count);
  for (const Index t : basis.cubature.tets)
    for (int i = 0; i < 4; ++i) vertices.push_back(whole.tets(i, t));
  for (const Spring& spring : whole.springs) {
    vertices.push_back(spring.vertex);
    vertices.insert(vertices.end(), spring.others.begin(), spring.others.end());
  }
  Eigen::Index row = 0, column = 0;
  whole.rest.leftCols(whole.dynamic_count).cwiseAbs().maxCoeff(&row, &column);
  vertices.push_back(static_cast<Index>(column));
  add_ends(vertices);
  sort_unique(vertices);
}

// The vertices that span the box of each body: its size, by which steps are divided (LookAhead).
void Cut::add_ends(std::vector<Index>& to) const {
  const std::size_t bodies = whole.bodies.size();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Index> low(bodies, -1), high(bodies, -1);
    for (Index v = 0; v < whole.dynamic_count; ++v) {
      const Index b = whole.vertex_body[v];
      if (low[b] < 0 || whole.rest(axis, v) < whole.rest(axis, low[b])) low[b] = v;
      if (high[b] < 0 || whole.rest(axis, v) > whole.rest(axis, high[b])) high[b] = v;
    }
    for (std::size_t b = 0; b < bodies; ++b)
      if (low[b] >= 0) to.insert(to.end(), {low[b], high[b]});
  }
}

// Owners, and of the triangles only those of obstacles, which bodies may meet (LookAhead).
void Cut::add_obstacles(CollisionMesh& mesh) const {
  const CollisionMesh& all = whole.collision;
  for (const Index v : vertices) mesh.vertex_owner.push_back(all.vertex_owner[v]);
  for (Index v = whole.dynamic_count; v < whole.vertex_count(); ++v) mesh.vertex_owner.push_back(all.vertex_owner[v]);
  std::vector<Index> corners;
  for (const auto& triangle : all.triangles.colwise()) {
    if (!all.kinematic(triangle[0])) continue;
    for (const Index v : triangle) corners.push_back(number(v));
  }
  mesh.triangles = Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Index>(corners.size() / 3));
}

// Masses are shared evenly by the kept vertices of a body: only their sums over bodies are used, and their centre to
// divide steps.
std::shared_ptr<System> Cut::system() const {
  auto cut = std::make_shared<System>();
  const auto n = static_cast<Index>(vertices.size());
  const Index obstacles = whole.obstacle_vertex_count();
  cut->setup = whole.setup;
  cut->setup.bodies.clear();
  cut->setup.obstacles.clear();
  cut->setup.sensors.clear();
  cut->dynamic_count = n;
  cut->rest.resize(3, n + obstacles);
  cut->rest.rightCols(obstacles) = whole.rest.rightCols(obstacles);
  std::vector<double> mass(whole.bodies.size(), 0), count = mass;
  for (Index v = 0; v < whole.dynamic_count; ++v) mass[whole.vertex_body[v]] += whole.mass[v];
  for (Index i = 0; i < n; ++i) {
    cut->rest.col(i) = whole.rest.col(vertices[i]);
    cut->vertex_body.push_back(whole.vertex_body[vertices[i]]);
    ++count[cut->vertex_body.back()];
  }
  for (const Index body : cut->vertex_body) cut->mass.push_back(mass[body] / count[body]);
  cut->vertex_to_user.assign(static_cast<std::size_t>(n), 0);
  cut->initial_velocity.setZero(3, n);
  const std::vector<Index>& tets = basis.cubature.tets;
  cut->tets.resize(4, static_cast<Index>(tets.size()));
  for (std::size_t c = 0; c < tets.size(); ++c) {
    for (int i = 0; i < 4; ++i) cut->tets(i, static_cast<Index>(c)) = number(whole.tets(i, tets[c]));
    cut->tet_body.push_back(whole.tet_body[tets[c]]);
  }
  Index begin = 0;
  for (const ElasticGroup& group : groups_at(whole, 0)) {
    const auto first = std::ranges::lower_bound(tets, group.tet_begin),
               last = std::ranges::lower_bound(tets, group.tet_end);
    cut->groups.push_back(cut_group(group, {first, last}, begin));
    begin = cut->groups.back().tet_end;
  }
  for (const SystemBody& body : whole.bodies) {
    SystemBody& kept = cut->bodies.emplace_back();
    kept.name = body.name;
    kept.damping_mass = body.damping_mass;
    kept.damping_stiffness = body.damping_stiffness;
    kept.stiffness = body.stiffness;
    kept.acceleration = body.acceleration;
    kept.acceleration_keys = body.acceleration_keys;
  }
  cut->motions = whole.motions;
  for (const FaceLoad& load : whole.loads) {
    FaceLoad& kept = cut->loads.emplace_back(load);
    kept.faces.resize(3, 0);
    kept.corner_area.resize(3, 0);
  }
  for (const Spring& spring : whole.springs) {
    Spring& kept = cut->springs.emplace_back(spring);
    kept.vertex = number(spring.vertex);
    for (Index& other : kept.others) other = number(other);
  }
  cut->pulls = whole.pulls;
  cut->obstacle_vertex_motion = whole.obstacle_vertex_motion;
  cut->planes = whole.planes;
  cut->plane_motion = whole.plane_motion;
  cut->obstacle_motion = whole.obstacle_motion;
  cut->obstacle_size = whole.obstacle_size;
  cut->friction_names = whole.friction_names;
  cut->collision.dynamic_count = n;
  cut->collision.owner_count = whole.collision.owner_count;
  cut->collision.owner_names = whole.collision.owner_names;
  cut->collision.owner_offset = whole.collision.owner_offset;
  cut->collision.may_touch = whole.collision.may_touch;
  if (whole.setup.contact.enabled) add_obstacles(cut->collision);
  cut->collision.material_count = whole.collision.material_count;
  cut->collision.friction = whole.collision.friction;
  cut->collision.own_friction = whole.collision.own_friction;
  cut->collision.planes = whole.collision.planes;
  cut->contact_distance = whole.contact_distance;
  cut->contact_stiffness = whole.contact_stiffness;
  cut->automatic_stiffness = whole.automatic_stiffness;
  cut->adaptive_stiffness = whole.adaptive_stiffness;
  cut->diagonal = whole.diagonal;
  return cut;
}

std::shared_ptr<ReducedBasis> Cut::cut_basis() const {
  auto cut = std::make_shared<ReducedBasis>();
  cut->set = basis.set;
  cut->motions = basis.motions;
  cut->identity = basis.identity;
  for (const AxisHandles& set : basis.sets)
    cut->sets.push_back({cut_rows(set.free, vertices), cut_rows(set.prescribed, vertices)});
  for (Index c = 0; c < basis.cubature.point_count(); ++c) cut->cubature.tets.push_back(c);
  cut->cubature.weights = basis.cubature.weights;

  // The sums of the whole mesh, as the model makes them.
  std::vector<double> volumes(static_cast<std::size_t>(whole.tet_count()), 0.0);
  for (const Index t : basis.cubature.tets) volumes[t] = tet_volume(whole.rest, whole.tets, t);
  const ElasticPoints points(whole, basis.cubature, volumes);
  const HandleKinematics kinematics(whole, std::shared_ptr<const ReducedBasis>(std::shared_ptr<void>(), &basis),
                                    points);
  auto sums = std::make_shared<MeshSums>();
  for (Index s = 0; s < static_cast<Index>(basis.sets.size()); ++s)
    sums->quadratic.push_back(kinematics.quadratic().sums(s));
  for (const Index v : far) sums->far.push_back(number(v));
  sums->surface = surface;
  for (Index& v : sums->surface.vertex) v = number(v);
  cut->sums = std::move(sums);
  return cut;
}

}  // namespace

CutModel cut_model(const Simulation& simulation, std::span<const Index> further, std::vector<Index>* kept) {
  require_cuttable(simulation);
  const Cut cut(simulation.system(), *simulation.subspace(), further);
  CutModel model{cut.system(), cut.cut_basis(), {}};
  ArchiveWriter writer(model.state);
  simulation.save_state(writer);
  if (kept) *kept = cut.vertices;
  return model;
}

}  // namespace sinew
