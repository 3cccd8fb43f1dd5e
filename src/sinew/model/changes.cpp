#include "sinew/model/changes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/suggest.h"
#include "sinew/material/mass_spring.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/element_parameters.h"

namespace sinew {
namespace {

// As for a scene's numbers.
constexpr double largest = 1e12;
constexpr double largest_parameter = 1e20;
constexpr double longest_step = 1e9;   // [s]
constexpr double largest_pull = 1e15;  // [N/m]

void require_finite(const char* what, const Vec3& value) {
  if (!value.allFinite() || !(value.cwiseAbs().maxCoeff() <= largest))
    fail_input("{}: found ({:g}, {:g}, {:g}), expected finite numbers of at most {:g}", what, value[0], value[1],
               value[2], largest);
}

void require_between(const char* what, double value, double least, double most) {
  if (!(value >= least && value <= most)) fail_input("{}: found {:g}, expected {:g} to {:g}", what, value, least, most);
}

void require_vertex(const System& system, Index vertex) {
  if (vertex < 0 || vertex >= system.dynamic_count)
    fail_input("vertex: found {}, the bodies have {}", vertex, system.dynamic_count);
}

Index find_material(const System& system, const std::string& name) {
  const auto known = std::ranges::find(system.material_names, name);
  if (known == system.material_names.end())
    fail_input("material \"{}\" is not of the scene{}it has {}", name, did_you_mean_then(name, system.material_names),
               quoted_list(system.material_names));
  return static_cast<Index>(known - system.material_names.begin());
}

// The groups with tets of a material.
std::vector<ElasticGroup*> groups_of(System& system, Index material) {
  std::vector<ElasticGroup*> found;
  for (ElasticGroup& group : system.groups) {
    const auto begin = system.tet_material.begin();
    if (std::find(begin + group.tet_begin, begin + group.tet_end, material) != begin + group.tet_end)
      found.push_back(&group);
  }
  return found;
}

// Thickness and bending of a cloth, where they are not given, as its springs have them.
UserParameters with_present_values(const System& system, Index material, UserParameters parameters) {
  const EdgeSpring *along = nullptr, *across = nullptr;
  for (const EdgeSpring& spring : system.edge_springs) {
    if (spring.material != material) continue;
    const EdgeSpring*& first = spring.bending ? across : along;
    if (!first) first = &spring;
  }
  const double thickness = along ? system.bodies[system.vertex_body[along->a]].thickness : 0;
  if (thickness > 0) parameters.try_emplace("thickness", std::vector<double>{thickness});
  if (along && across) {
    const double share = (across->stiffness / across->section) / (along->stiffness / along->section);
    parameters.try_emplace("bending", std::vector<double>{share});
  }
  return parameters;
}

// Sections stay: they are of the rest state.
void change_springs(System& system, Index material, const std::string& name, const UserParameters& parameters) {
  const KernelParameters kernel = mass_spring().resolve(with_present_values(system, material, parameters));
  const double young = kernel[MassSpring::young][0], thickness = kernel[MassSpring::thickness][0];
  const double bending = kernel[MassSpring::bending][0];
  bool across = false;
  for (const EdgeSpring& spring : system.edge_springs) {
    if (spring.material != material) continue;
    across |= spring.bending;
    const double own = system.bodies[system.vertex_body[spring.a]].thickness;
    if (thickness != own && !(std::abs(thickness - own) <= 1e-9 * own)) {
      fail_input("materials.{}.thickness: found {:g}, but that of body '{}' is {:g} and cannot change while it runs",
                 name, thickness, system.bodies[system.vertex_body[spring.a]].name, own);
    }
  }
  if (bending > 0 && !across) {
    fail_input("materials.{}.bending: found {:g}, but there are no springs across edges: it was 0 when the run began",
               name, bending);
  }
  for (EdgeSpring& spring : system.edge_springs)
    if (spring.material == material) spring.stiffness = spring.section * young * (spring.bending ? bending : 1);
}

// One value for all, or one for each tet of a material.
void require_count(const std::string& key, std::size_t found, std::size_t tets) {
  if (found == 1 || (found == tets && tets > 0)) return;
  fail_input("{}: {} values given, expected one, or {}, one for each tet of the material", key, found, tets);
}

// The place of each tet of the material among them in the user's order, -1 for others; none where it is not wanted.
std::vector<Index> user_order(const System& system, Index material, bool wanted) {
  if (!wanted) return {};
  std::vector<Index> tets, order(system.tet_material.size(), -1);
  for (Index t = 0; t < static_cast<Index>(system.tet_material.size()); ++t)
    if (system.tet_material[t] == material) tets.push_back(t);
  std::ranges::sort(tets, {}, [&](Index t) { return system.tet_to_user[t]; });
  for (std::size_t i = 0; i < tets.size(); ++i) order[tets[i]] = static_cast<Index>(i);
  return order;
}

// f(tet, its value) of the tets of a material in a group. One value stays for all where all are equal.
template <class F>
void for_each_tet(const System& system, const ElasticGroup& group, Index material, std::vector<double>& values, F&& f) {
  const Index count = group.tet_end - group.tet_begin;
  if (values.size() == 1) values.assign(count, values[0]);
  for (Index t = 0; t < count; ++t)
    if (system.tet_material[group.tet_begin + t] == material) f(group.tet_begin + t, values[t]);
  if (std::ranges::all_of(values, [&](double v) { return v == values[0]; })) values.resize(1);
}

}  // namespace

void change_gravity(System& system, const Vec3& gravity) {
  require_finite("gravity", gravity);
  system.setup.gravity = gravity;
}

void change_time_step(System& system, double step) {
  if (system.setup.time.integrator == Integrator::statics)
    fail_input("time.step: statics have load steps, whose size cannot change");
  require_between("time.step", step, 1e-12, longest_step);
  system.setup.time.step = step;
}

void change_budget(System& system, int iterations) {
  require_between("solver.iterations", iterations, 0, 2e9);
  system.setup.solver.iterations = iterations;
}

void change_friction(System& system, double coefficient) {
  require_between("contact.friction", coefficient, 0, 1e3);
  CollisionMesh& mesh = system.collision;
  for (std::size_t k = 0; k < mesh.friction.size(); ++k)
    if (!mesh.own_friction[k]) mesh.friction[k] = coefficient;
  system.setup.contact.friction = coefficient;
}

void change_material(System& system, const std::string& name, const UserParameters& parameters) {
  const Index material = find_material(system, name);
  const auto tets = static_cast<std::size_t>(std::ranges::count(system.tet_material, material));
  std::map<std::string, std::vector<double>> fields;
  for (const auto& [parameter, values] : parameters) {
    const std::string key = fmt::format("materials.{}.{}", name, parameter);
    require_count(key, values.size(), tets);
    for (const double value : values) require_between(key.c_str(), value, -largest_parameter, largest_parameter);
    if (values.size() > 1) fields[parameter] = values;
  }
  const auto of_material = [&](const EdgeSpring& spring) { return spring.material == material; };
  if (std::ranges::any_of(system.edge_springs, of_material)) {
    if (!fields.empty())
      fail_input("materials.{}.{}: {} values given, expected one", name, fields.begin()->first,
                 fields.begin()->second.size());
    change_springs(system, material, name, parameters);
    find_contact_stiffness(system);
    return;
  }
  // All models are asked before anything changes.
  std::vector<std::pair<ElasticGroup*, KernelParameters>> found;
  for (ElasticGroup* group : groups_of(system, material)) found.emplace_back(group, group->model->resolve(parameters));
  const std::vector<Index> order = user_order(system, material, !fields.empty());
  for (auto& [group, kernel] : found)
    for (std::size_t p = 0; p < kernel.size(); ++p) {
      const auto& given = kernel[p];
      for_each_tet(system, *group, material, group->parameters[p], [&](Index t, double& value) {
        value = given[given.size() == 1 ? 0 : static_cast<std::size_t>(order[t])];
      });
    }
  if (fields.empty()) {
    system.material_fields.erase(name);
  } else {
    system.material_fields[name] = std::move(fields);
  }
  find_contact_stiffness(system);
}

void require_fibers(const System& system, const std::string& name, const FiberValues& fibers) {
  const Index material = find_material(system, name);
  const std::string key = fmt::format("materials.{}.fiber.", name);
  if (std::ranges::find(system.edge_springs, material, &EdgeSpring::material) != system.edge_springs.end())
    fail_input("materials.{}.fiber: its model {} takes no fibers", name, mass_spring_name);
  const auto tets = static_cast<std::size_t>(std::ranges::count(system.tet_material, material));
  require_count(key + "stiffness", fibers.stiffness.size(), tets);
  require_count(key + "direction", static_cast<std::size_t>(fibers.direction.cols()), tets);
  for (const double stiffness : fibers.stiffness)
    require_between((key + "stiffness").c_str(), stiffness, 0, largest_parameter);
  for (Index i = 0; i < fibers.direction.cols(); ++i) {
    require_finite((key + "direction").c_str(), fibers.direction.col(i));
    if (!(fibers.direction.col(i).stableNorm() > 0))
      fail_input("{}direction: found a direction of length zero, expected any other", key);
  }
}

void change_fibers(System& system, const std::string& name, const FiberValues& fibers) {
  require_fibers(system, name, fibers);
  const Index material = find_material(system, name);
  const bool none = std::ranges::all_of(fibers.stiffness, [](double value) { return value == 0; });
  const std::vector<Index> order =
      user_order(system, material, fibers.stiffness.size() > 1 || fibers.direction.cols() > 1);
  for (ElasticGroup* group : groups_of(system, material)) {
    const Index count = group->tet_end - group->tet_begin;
    if (group->fiber_stiffness.empty()) {
      if (none) continue;
      group->fiber_stiffness = {0.0};
      group->fiber_direction = Vec3::UnitX();
    }
    for_each_tet(system, *group, material, group->fiber_stiffness, [&](Index t, double& value) {
      value = fibers.stiffness[fibers.stiffness.size() == 1 ? 0 : static_cast<std::size_t>(order[t])];
    });
    Points directions(3, count);
    for (Index t = 0; t < count; ++t) {
      const Index tet = group->tet_begin + t;
      if (system.tet_material[tet] == material) {
        directions.col(t) = fibers.direction.col(fibers.direction.cols() == 1 ? 0 : order[tet]).normalized();
      } else {
        directions.col(t) = group->fiber_direction.col(group->fiber_direction.cols() == 1 ? 0 : t);
      }
    }
    const bool constant = (directions.colwise() - Vec3(directions.col(0))).isZero(0);
    group->fiber_direction = constant ? Points(directions.leftCols(1)) : directions;
  }
}

FiberValues fibers_of(const System& system, const std::string& name) {
  const Index material = find_material(system, name);
  FiberValues result;
  std::vector<Vec3> directions;
  const std::vector<Index> order = user_order(system, material, true);
  std::vector<Index> tets(static_cast<std::size_t>(std::ranges::count(system.tet_material, material)));
  for (Index t = 0; t < static_cast<Index>(order.size()); ++t)
    if (order[t] >= 0) tets[order[t]] = t;
  for (const Index t : tets) {
    const auto group = std::ranges::upper_bound(system.groups, t, {}, &ElasticGroup::tet_end);
    const bool has = group != system.groups.end() && !group->fiber_stiffness.empty();
    const ElementParameters own = has ? element_parameters(*group, t - group->tet_begin) : ElementParameters();
    result.stiffness.push_back(own.fiber_stiffness);
    directions.push_back(own.fiber_direction);
  }
  const auto same = [](const auto& list) {
    return std::ranges::all_of(list, [&](const auto& value) { return value == list[0]; });
  };
  if (result.stiffness.empty()) return {{0.0}, Vec3(Vec3::UnitX())};
  if (same(result.stiffness)) result.stiffness = {result.stiffness[0]};
  if (same(directions)) directions.resize(1);
  result.direction.resize(3, static_cast<Index>(directions.size()));
  for (std::size_t i = 0; i < directions.size(); ++i) result.direction.col(static_cast<Index>(i)) = directions[i];
  return result;
}

void change_material_model(System& system, const std::string& name, SharedModel model) {
  const std::vector<ElasticGroup*> groups = groups_of(system, find_material(system, name));
  if (!model || model->data().empty())
    fail_input("materials.{}: found a model without curves, expected an instance with curves", name);
  if (groups.empty()) fail_input("materials.{}: its model {} takes no curves", name, mass_spring_name);
  for (const ElasticGroup* group : groups) {
    if (group->model->name() == model->name()) continue;
    fail_input("materials.{}: its model is {} and cannot become {}; only the curves of a material can change", name,
               group->model->name(), model->name());
  }
  for (ElasticGroup* group : groups) group->model = model;
  for (BodySetup& body : system.setup.bodies)
    for (MaterialAssignment& material : body.materials)
      if (material.name == name) material.model = model;
  find_contact_stiffness(system);
}

void change_material_curves(System& system, const std::string& name, const UserCurves& curves) {
  SharedModel model;
  const std::vector<ElasticGroup*> groups = groups_of(system, find_material(system, name));
  if (groups.empty()) fail_input("materials.{}: its model {} takes no curves", name, mass_spring_name);
  try {
    model = groups[0]->model->with_curves(curves);
  } catch (const InputError& error) {
    fail_input("materials.{}: {}", name, error.what());
  }
  change_material_model(system, name, std::move(model));
}

void change_pulls(System& system, const std::vector<Pull>& pulls) {
  for (const Pull& pull : pulls) {
    require_vertex(system, pull.vertex);
    require_finite("target", pull.target);
    require_between("stiffness", pull.stiffness, 0, largest_pull);
  }
  system.springs.resize(system.scene_spring_count());
  for (const Pull& pull : pulls) {
    Spring spring;
    spring.vertex = pull.vertex;
    spring.point = pull.target;
    spring.stiffness = pull.stiffness;
    system.springs.push_back(spring);
  }
  system.pull_count = static_cast<Index>(pulls.size());
}

void require_load_values(const System& system, std::size_t load, bool vector, bool pressure) {
  if (load >= system.loads.size()) fail_input("load: found {}, the scene has {}", load, system.loads.size());
  const LoadKind kind = system.loads[load].kind;
  const bool is_pressure = kind == LoadKind::pressure;
  const char* name = is_pressure ? "pressure" : kind == LoadKind::force ? "force" : "traction";
  const char* wanted = is_pressure ? "pressure [Pa]" : kind == LoadKind::force ? "vector [N]" : "vector [Pa]";
  if (is_pressure ? vector : pressure)
    fail_input("load {}: found a {}, but its kind in the scene is {}; give its {} alone", load,
               is_pressure ? "vector" : "pressure", name, wanted);
  if (!(is_pressure ? pressure : vector))
    fail_input("load {}: found no value, its kind in the scene is {}; give its {}", load, name, wanted);
}

void change_load(System& system, std::size_t load, const Vec3& vector, double pressure) {
  if (load >= system.loads.size()) fail_input("load: found {}, the scene has {}", load, system.loads.size());
  const bool is_pressure = system.loads[load].kind == LoadKind::pressure;
  require_load_values(system, load, !is_pressure || !vector.isZero(0), is_pressure || pressure != 0);
  require_finite("load", vector);
  require_between("pressure", pressure, -largest, largest);
  FaceLoad& changed = system.loads[load];
  changed.vector = vector;
  changed.pressure = pressure;
  changed.vector_keys = {};
}

void change_spring(System& system, std::size_t spring, const Vec3& point, double stiffness) {
  if (spring >= system.scene_spring_count())
    fail_input("spring: found {}, the scene has {}", spring, system.scene_spring_count());
  require_finite("spring", point);
  require_between("stiffness", stiffness, 0, largest_pull);
  Spring& changed = system.springs[spring];
  if (!changed.others.empty()) fail_input("spring {}: both ends are of bodies, it has no place of its own", spring);
  changed.point = point;
  changed.motion = -1;
  changed.stiffness = stiffness;
}

void release_pins(System& system, const std::vector<Index>& vertices, double time) {
  std::vector<char> free(system.dynamic_count, 0);
  for (const Index vertex : vertices) {
    require_vertex(system, vertex);
    free[vertex] = 1;
  }
  for (PrescribedVertex& prescribed : system.prescribed)
    if (free[prescribed.vertex]) prescribed.until = std::min(prescribed.until, time);
}

void hold_vertices(System& system, const std::vector<Index>& vertices, const Points& x, double time) {
  release_pins(system, vertices, time);
  std::vector<Index> held = vertices;
  std::ranges::sort(held);
  held.erase(std::unique(held.begin(), held.end()), held.end());
  for (const Index vertex : held) add_held_vertex(system, vertex, x.col(vertex) - system.rest.col(vertex), forever);
}

void add_held_vertex(System& system, Index vertex, const Vec3& offset, double until) {
  Motion place;
  place.translation = Keyframes{{0.0}, offset};
  PrescribedVertex prescribed;
  prescribed.vertex = vertex;
  prescribed.motion = static_cast<Index>(system.motions.size());
  prescribed.until = until;
  prescribed.own_place = true;
  system.motions.push_back(std::move(place));
  system.prescribed.push_back(prescribed);
}

double pull_stiffness(const System& system, Index vertex) {
  require_vertex(system, vertex);
  const Index body = system.vertex_body[vertex];
  const double mass = parallel_sum(system.dynamic_count,
                                   [&](std::size_t i) { return system.vertex_body[i] == body ? system.mass[i] : 0.0; });
  if (system.setup.time.integrator == Integrator::statics)
    return 0.1 * system.bodies[body].stiffness / std::pow(system.diagonal, 2);
  const double h = 5 * system.setup.time.step;
  return std::min(mass / (h * h), largest_pull);
}

}  // namespace sinew
