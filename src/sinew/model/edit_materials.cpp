// What edits of materials do: parameters, curves and fibers of the groups of tets, stiffnesses of springs on edges.
#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/material/mass_spring.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/edit_parts.h"
#include "sinew/model/element_parameters.h"

namespace sinew {
namespace {

constexpr double largest_parameter = 1e20;

Index find_material(const System& system, const std::string& name) {
  const auto known = std::ranges::find(system.material_names, name);
  if (known == system.material_names.end())
    fail_input(code::edit, "unknown material \"{}\"{}the scene has {}", name,
               did_you_mean_then(name, system.material_names), quoted_list(system.material_names));
  return static_cast<Index>(known - system.material_names.begin());
}

// Whether a tet is the first part of a ten-node tet, in the simulation's order and in the user's.
bool is_first_part(const System& system, Index t) {
  return (t - system.quadratic_begin()) % parts_of_quadratic == 0;
}
bool is_first_user_part(const System& system, Index t) {
  return (system.tet_to_user[t] - system.bodies[system.tet_body[t]].tet_user_begin) % parts_of_quadratic == 0;
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

// Sections stay: they are of the rest state. So does a stretch_limit that is not given.
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
      fail_input(code::edit,
                 "materials.{}.thickness: found {:g}, but the thickness of body '{}', {:g}, cannot change during a run",
                 name, thickness, system.bodies[system.vertex_body[spring.a]].name, own);
    }
  }
  if (bending > 0 && !across) {
    fail_input(code::edit,
               "materials.{}.bending: found {:g}, but bending was 0 at the start, so there are no bending springs; "
               "start with more than 0",
               name, bending);
  }
  const double limit = kernel[MassSpring::stretch_limit][0];
  const bool limits = parameters.contains("stretch_limit");
  for (EdgeSpring& spring : system.edge_springs) {
    if (spring.material != material) continue;
    spring.stiffness = spring.section * young * (spring.bending ? bending : 1);
    if (limits && !spring.bending) spring.longest = limit > 0 ? (1 + limit) * spring.length : 0;
  }
}

// The number of the user's tets of a material: a ten-node tet counts once.
std::size_t tets_of(const System& system, Index material) {
  std::size_t count = 0;
  for (Index t = 0; t < system.tet_count(); ++t)
    if (system.tet_material[t] == material && (system.quadratic_of(t) < 0 || is_first_part(system, t))) ++count;
  return count;
}

// One value for all, or one for each tet of a material.
void require_count(const std::string& key, std::size_t found, std::size_t tets) {
  if (found == 1 || (found == tets && tets > 0)) return;
  fail_input(code::edit, "{}: {} values given, expected one, or {}, one for each tet of the material", key, found,
             tets);
}

// The place of each tet of the material among them in the user's order, -1 for others; none where it is not wanted.
std::vector<Index> user_order(const System& system, Index material, bool wanted) {
  if (!wanted) return {};
  std::vector<Index> tets, order(system.tet_material.size(), -1);
  for (Index t = 0; t < static_cast<Index>(system.tet_material.size()); ++t)
    if (system.tet_material[t] == material) tets.push_back(t);
  std::ranges::sort(tets, {}, [&](Index t) { return system.tet_to_user[t]; });
  Index next = -1;
  for (const Index t : tets) order[t] = system.quadratic_of(t) < 0 || is_first_user_part(system, t) ? ++next : next;
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

void edit_material(System& system, const MaterialEdit& edit) {
  const std::string& name = edit.material;
  const UserParameters& parameters = edit.parameters;
  const Index material = find_material(system, name);
  for (Index t = 0; t < system.tet_count(); ++t)
    if (system.tet_material[t] == material && system.tet_to_user[t] < 0)
      fail_input(code::edit,
                 "materials.{}: the affine body '{}' uses this material, so the stiffness cannot change during a run",
                 name, system.bodies[system.tet_body[t]].name);
  const std::size_t tets = tets_of(system, material);
  std::map<std::string, std::vector<double>> fields;
  for (const auto& [parameter, values] : parameters) {
    const std::string key = fmt::format("materials.{}.{}", name, parameter);
    require_count(key, values.size(), tets);
    for (const double value : values) require_between(key, value, -largest_parameter, largest_parameter);
    if (values.size() > 1) fields[parameter] = values;
  }
  const auto of_material = [&](const EdgeSpring& spring) { return spring.material == material; };
  if (std::ranges::any_of(system.edge_springs, of_material)) {
    if (!fields.empty())
      fail_input(code::edit, "materials.{}.{}: {} values given, expected one", name, fields.begin()->first,
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
    fail_input(code::edit, "materials.{}.fiber: its model {} cannot have fibers", name, mass_spring_name);
  const std::size_t tets = tets_of(system, material);
  require_count(key + "stiffness", fibers.stiffness.size(), tets);
  require_count(key + "direction", static_cast<std::size_t>(fibers.direction.cols()), tets);
  for (const double stiffness : fibers.stiffness) require_between(key + "stiffness", stiffness, 0, largest_parameter);
  for (Index i = 0; i < fibers.direction.cols(); ++i) {
    require_finite(key + "direction", fibers.direction.col(i));
    if (!(fibers.direction.col(i).stableNorm() > 0))
      fail_input(code::edit, "{}direction: found a direction of length zero, expected a length above 0", key);
  }
}

void edit_fibers(System& system, const FiberEdit& edit) {
  const std::string& name = edit.material;
  const FiberValues& fibers = edit.fibers;
  require_fibers(system, name, fibers);
  const Index material = find_material(system, name);
  const bool none = std::ranges::all_of(fibers.stiffness, [](double value) { return value == 0; });
  const std::vector<Index> order =
      user_order(system, material, fibers.stiffness.size() > 1 || fibers.direction.cols() > 1);
  for (ElasticGroup* group : groups_of(system, material)) {
    const Index count = group->tet_end - group->tet_begin;
    if (group->fiber_stiffness.empty()) {
      if (none) continue;
      group->fiber_stiffness = group->fiber_tension = {0.0};
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

Change edit_activation(System& system, const ActivationEdit& edit) {
  require_between("activation", edit.activation, 0, 1);
  const Index material = find_material(system, edit.material);
  const auto muscle = system.muscles.find(edit.material);
  if (muscle == system.muscles.end() || muscle->second.most == 0)
    fail_input(code::edit,
               "materials.{}: its fibers have no active tension; give it \"fiber\": {{..., \"tension\": ...}}",
               edit.material);
  muscle->second.activation = edit.activation;
  muscle->second.activation_keys = {};
  for (ElasticGroup* group : groups_of(system, material))
    for_each_tet(system, *group, material, group->fiber_tension,
                 [&](Index, double& value) { value = edit.activation * muscle->second.most; });
  return Change::fibers;
}

FiberValues fibers_of(const System& system, const std::string& name) {
  const Index material = find_material(system, name);
  FiberValues result;
  std::vector<Vec3> directions;
  const std::vector<Index> order = user_order(system, material, true);
  std::vector<Index> tets(tets_of(system, material));
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

void edit_curves(System& system, const CurvesEdit& edit) {
  const std::string& name = edit.material;
  SharedModel model;
  const std::vector<ElasticGroup*> groups = groups_of(system, find_material(system, name));
  if (groups.empty()) fail_input(code::edit, "materials.{}: its model {} has no curves", name, mass_spring_name);
  try {
    model = groups[0]->model->with_curves(edit.curves);
  } catch (const InputError& error) {
    fail_input(error.code(), "materials.{}: {}", name, error.what());
  }
  for (const ElasticGroup* group : groups) {
    if (group->model->name() == model->name()) continue;
    fail_input(code::edit,
               "materials.{}: its model is {} and cannot become {}; only the curves of a material can change", name,
               group->model->name(), model->name());
  }
  for (ElasticGroup* group : groups) group->model = model;
  for (BodySetup& body : system.setup.bodies)
    for (MaterialAssignment& material : body.materials)
      if (material.name == name) material.model = model;
  find_contact_stiffness(system);
}

}  // namespace sinew
