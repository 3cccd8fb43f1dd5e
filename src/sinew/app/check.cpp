// sinew check: what a scene would run, and what would stop it.

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/memory.h"
#include "sinew/app/scene_options.h"
#include "sinew/contact/candidates.h"
#include "sinew/contact/intersection.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/io/initial_state.h"
#include "sinew/material/model.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/validate.h"

namespace sinew::app {
namespace {

void print_bodies(const System& system) {
  fmt::print("bodies:\n");
  for (const SystemBody& body : system.bodies) {
    fmt::print("  {}: {} vertices, {} tets\n", body.name, body.vertex_count, body.tet_count);
  }
  if (!system.setup.obstacles.empty()) fmt::print("obstacles:\n");
  for (const ObstacleSetup& obstacle : system.setup.obstacles) {
    if (obstacle.plane) {
      fmt::print("  {}: a plane{}\n", obstacle.name, obstacle.motion.empty() ? "" : ", moving");
    } else if (obstacle.mesh) {
      fmt::print("  {}: {} vertices, {} triangles{}\n", obstacle.name, obstacle.mesh->vertices.cols(),
                 obstacle.mesh->triangles.cols(), obstacle.motion.empty() ? "" : ", moving");
    }
  }
}

void print_materials(const System& system) {
  std::vector<Index> tets(system.material_names.size(), 0);
  std::vector<std::string> models(tets.size());
  for (const ElasticGroup& group : system.groups) {
    for (Index t = group.tet_begin; t < group.tet_end; ++t) {
      ++tets[system.tet_material[t]];
      models[system.tet_material[t]] = group.model->name();
    }
  }
  fmt::print("materials:\n");
  for (std::size_t m = 0; m < tets.size(); ++m) {
    if (tets[m] > 0) fmt::print("  {}: {}, {} tets\n", system.material_names[m], models[m], tets[m]);
  }
}

void print_run(const System& system, const std::string& method) {
  const TimeSetup& time = system.setup.time;
  const char* integrator = time.integrator == Integrator::bdf2      ? "bdf2"
                           : time.integrator == Integrator::statics ? "statics"
                                                                    : "implicit Euler";
  fmt::print("run: {} steps of {} s, {}, method {}\n", time.steps, time.step, integrator, method);
  fmt::print("size: {} vertices, {} tets, {} degrees of freedom\n", system.user_vertex_count, system.user_tet_count,
             3 * system.dynamic_count);
  if (system.setup.contact.enabled) {
    fmt::print("contact: distance {:.3g} m, stiffness {:.3g} Pa{}\n", system.contact_distance, system.contact_stiffness,
               system.adaptive_stiffness ? " to start with" : "");
  }
  fmt::print("memory: about {} needed, {} free\n", memory_text(estimated_memory(system, method)),
             memory_text(available_memory()));
}

// Nearly flat tets, by body; they run, but slowly. `bodies` still hold their meshes.
int print_bad_tets(const std::vector<BodySetup>& bodies) {
  int found = 0;
  for (const BodySetup& body : bodies) {
    const MeshStatistics statistics = sinew::statistics(body.mesh);
    if (statistics.flat_tets == 0) continue;
    ++found;
    fmt::print("bad tets: body '{}' has {} nearly flat ones (quality below {:g}, the worst {:.2g}); remesh it\n",
               body.name, statistics.flat_tets, nearly_flat_quality, statistics.quality_min);
  }
  return found;
}

// Pairs of owners that start closer than the contact distance.
int print_thin_gaps(const System& system, const State& state) {
  ContactDetector detector(system.collision);
  const ContactSet& active = detector.active_set(state.x, state.planes, system.contact_distance);
  std::map<std::pair<Index, Index>, long> pairs;
  for (const ContactStencil& stencil : active.stencils) {
    const Index a = system.collision.vertex_owner[stencil.v[0]];
    const Index b = stencil.kind == StencilKind::point_plane
                        ? system.collision.planes[stencil.plane].owner
                        : system.collision.vertex_owner[stencil.v[stencil.vertex_count() - 1]];
    ++pairs[std::minmax(a, b)];
  }
  const auto& names = system.collision.owner_names;
  for (const auto& [owners, count] : pairs) {
    fmt::print(
        "thin gap: '{}' and '{}' start with {} pairs closer than contact.distance ({:.3g} m) and push each other "
        "from the first step on\n",
        names[owners.first], names[owners.second], count, system.contact_distance);
  }
  if (!pairs.empty()) fmt::print("smallest gap: {:.3g} m\n", active.min_distance);
  return static_cast<int>(pairs.size());
}

// A vertex as its owner's file numbers it; obstacles' vertices count from their first.
Index own_number(const System& system, Index vertex) {
  if (vertex < system.dynamic_count) {
    return system.vertex_to_user[vertex] - system.bodies[system.vertex_body[vertex]].user_begin;
  }
  const auto& owner = system.collision.vertex_owner;
  Index first = vertex;
  while (first > system.dynamic_count && owner[first - 1] == owner[vertex]) --first;
  return vertex - first;
}

std::string owner_text(const System& system, Index owner) {
  const bool body = owner < static_cast<Index>(system.bodies.size());
  return fmt::format("{} '{}'", body ? "body" : "obstacle", system.collision.owner_names[owner]);
}

// Lists what intersects at the start, some primitives of each pair of owners. Returns the number of intersections.
std::size_t print_intersections(const System& system, const State& state) {
  constexpr int listed = 5;
  const CollisionMesh& mesh = system.collision;
  const std::vector<Intersection> intersections = find_intersections(mesh, state.x);
  std::map<std::pair<Index, Index>, int> count;
  for (const Intersection& i : intersections) {
    if (++count[std::minmax(i.edge_owner, i.triangle_owner)] > listed) continue;
    const auto edge = mesh.edges.col(i.edge);
    const auto triangle = mesh.triangles.col(i.triangle);
    fmt::print("intersection: edge ({}, {}) of {} and triangle ({}, {}, {}) of {}\n", own_number(system, edge[0]),
               own_number(system, edge[1]), owner_text(system, i.edge_owner), own_number(system, triangle[0]),
               own_number(system, triangle[1]), own_number(system, triangle[2]), owner_text(system, i.triangle_owner));
  }
  for (const auto& [owners, number] : count) {
    if (number > listed) {
      fmt::print("intersection: {} more of {} and {}\n", number - listed, owner_text(system, owners.first),
                 owner_text(system, owners.second));
    }
  }
  const std::vector<BelowPlane> below = find_below_planes(mesh, state.x, state.planes);
  std::map<std::pair<Index, Index>, std::pair<int, double>> depth;  // owner, plane -> vertices, lowest
  for (const BelowPlane& b : below) {
    auto& [number, lowest] = depth[{mesh.vertex_owner[b.vertex], b.plane}];
    ++number;
    lowest = std::min(lowest, b.height);
  }
  for (const auto& [key, value] : depth) {
    fmt::print("intersection: {} vertices of {} are on or behind plane '{}', the deepest by {:.4g} m\n", value.first,
               owner_text(system, key.first), mesh.owner_names[mesh.planes[key.second].owner], -value.second);
  }
  return intersections.size() + below.size();
}

// In statics: bodies that may have no equilibrium.
int print_free_bodies(const System& system, const State& state) {
  if (system.setup.time.integrator != Integrator::statics) return 0;
  std::vector<ContactStencil> contacts;
  if (system.setup.contact.enabled) {
    ContactDetector detector(system.collision);
    contacts = detector.active_set(state.x, state.planes, system.contact_distance).stencils;
  }
  const std::vector<FreePiece> free = free_pieces(system, 0, contacts);
  for (const FreePiece& piece : free) {
    fmt::print(
        "free body: nothing constrains {} of the 6 rigid motions of '{}': without contact or a load that keeps it in "
        "place it has no static equilibrium\n",
        piece.motions, system.bodies[piece.body].name);
  }
  return static_cast<int>(free.size());
}

int execute(const SceneOptions& options) {
  const ThreadLimit threads(options.threads);
  Scene scene = read_scene(options);
  fmt::print("{}\n", scene.completed.dump(2));
  const std::string method = resolved_method(scene.setup.solver);
  int remarks = print_bad_tets(scene.setup.bodies);
  const std::string initial = scene.initial;
  const std::shared_ptr<const System> system = build_system(scene);
  print_bodies(*system);
  print_materials(*system);
  print_run(*system, method);

  State state = initial_state(*system);
  if (!initial.empty()) state.x.leftCols(system->dynamic_count) = read_initial(initial, *system).x;
  remarks += print_free_bodies(*system, state);
  if (system->setup.contact.enabled) {
    if (const std::size_t found = print_intersections(*system, state); found > 0) {
      fail_input("{}: the initial state has {} intersections (listed above); move the bodies apart", options.path,
                 found);
    }
    remarks += print_thin_gaps(*system, state);
  }
  check_memory(*system, method);
  fmt::print("{}\n", remarks == 0 ? "nothing found that would disturb the run" : "the scene can run");
  return 0;
}

}  // namespace

Action add_check(CLI::App& app) {
  const auto options = std::make_shared<SceneOptions>();
  options->add_to(app);
  options->add_method_to(app);
  return [options] { return execute(*options); };
}

}  // namespace sinew::app
