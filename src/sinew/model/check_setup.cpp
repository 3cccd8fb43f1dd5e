#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/material/mass_spring.h"
#include "sinew/material/model.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/build_parts.h"

namespace sinew {
namespace {

// Parts of a list with the same name could not be told apart. owner: "body 'arm': " or empty.
template <class Part>
void check_names(const std::string& owner, const char* key, const std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!parts[i].name.empty() && parts[i].name == parts[j].name)
        fail_input(code::scene_name, "{}{}[{}].name: \"{}\" is the name of {}[{}] too; give each its own", owner, key,
                   i, parts[i].name, key, j);
}

void check_cloth(const BodySetup& body) {
  const TetMesh& mesh = body.mesh;
  if (mesh.triangles.minCoeff() < 0 || mesh.triangles.maxCoeff() >= mesh.vertex_count()) {
    fail_input(code::mesh_index,
               "body '{}': its triangles name vertices {} to {}, but it has {}; export the mesh again", body.name,
               mesh.triangles.minCoeff(), mesh.triangles.maxCoeff(), mesh.vertex_count());
  }
  for (Index f = 0; f < mesh.element_count(); ++f) {
    const double area = triangle_area(mesh.vertices, mesh.triangles, f);
    if (area > std::numeric_limits<double>::min() && std::isfinite(area)) continue;
    fail_input(
        code::mesh_flat,
        "body '{}': triangle {} has area {} in the rest state, expected a positive one; check its mesh and transform",
        body.name, f, area);
  }
}

// "tet" or "triangle"
const char* element_word(const BodySetup& body) {
  return body.mesh.is_cloth() ? "triangle" : "tet";
}

void check_mesh(const BodySetup& body) {
  const TetMesh& mesh = body.mesh;
  const Index n = mesh.vertex_count();
  if (mesh.tet_count() > 0 && mesh.is_cloth())
    fail_input(code::mesh_empty, "body '{}': its mesh has tets and triangles; give one kind of them", body.name);
  if (mesh.element_count() == 0)
    fail_input(code::mesh_empty, "body '{}': its mesh has no tets; give a volume mesh", body.name);
  if (!mesh.vertices.allFinite())
    fail_input(code::mesh_finite, "body '{}': its mesh has coordinates that are not finite; export it again",
               body.name);
  if (mesh.is_cloth()) return check_cloth(body);
  if (is_quadratic(body.elements) != (mesh.quadratic.cols() > 0) ||
      (is_quadratic(body.elements) && mesh.tet_count() != parts_of_quadratic * mesh.quadratic.cols())) {
    fail_input(code::mesh_topology,
               "body '{}': found {} ten-node tets with {} parts for elements \"{}\"; make them with make_quadratic()",
               body.name, mesh.quadratic.cols(), mesh.tet_count(), element_name(body.elements));
  }
  if (mesh.tets.minCoeff() < 0 || mesh.tets.maxCoeff() >= n) {
    fail_input(code::mesh_index, "body '{}': its tets name vertices {} to {}, but it has {}; export the mesh again",
               body.name, mesh.tets.minCoeff(), mesh.tets.maxCoeff(), n);
  }
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    const double volume = tet_volume(mesh.vertices, mesh.tets, t);
    // A volume that has lost its leading digits to underflow is none.
    if (volume > std::numeric_limits<double>::min() && std::isfinite(volume)) continue;
    fail_input(
        code::mesh_flat,
        "body '{}': tet {} has volume {} in the rest state, expected a positive one; check its mesh and transform",
        body.name, t, volume);
  }
}

void check_vertices(const BodySetup& body, const char* key, std::size_t i, const Index* ids, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    if (ids[k] >= 0 && ids[k] < body.mesh.vertex_count()) continue;
    fail_input(code::scene_value, "body '{}': {}[{}] names vertex {}, but the body has {}", body.name, key, i, ids[k],
               body.mesh.vertex_count());
  }
}

// Arrays of one value, or of one for each of `tets`, all in a range.
void check_values(const BodySetup& body, const MaterialAssignment& material, const char* what,
                  const std::vector<double>& values, std::size_t tets, double least, bool least_allowed) {
  if (values.size() != 1 && values.size() != tets) {
    fail_input(code::material_value, "body '{}': material '{}' has {} values of {}, expected 1 or {}, one for each {}",
               body.name, material.name, values.size(), what, tets, element_word(body));
  }
  for (const double v : values) {
    if (std::isfinite(v) && (v > least || (least_allowed && v == least))) continue;
    fail_input(code::material_value, "body '{}': material '{}' has {} {}, expected a finite number {} {}", body.name,
               material.name, what, v, least_allowed ? "of at least" : "greater than", least);
  }
}

// Springs on the edges: a thickness is of cloth alone, and cloth has one.
void check_mass_spring(const BodySetup& body, const MaterialAssignment& material, std::size_t elements) {
  const auto expected = static_cast<std::size_t>(mass_spring().kernel_parameter_count());
  if (material.parameters.size() != expected) {
    fail_input(code::material_value, "body '{}': material '{}' has {} parameters, expected the {} of {}", body.name,
               material.name, material.parameters.size(), expected, mass_spring_name);
  }
  if (body.elements != Elements::linear)
    fail_input(code::material_model,
               "body '{}': elements \"{}\" do not take material '{}', whose model is {}; use linear elements",
               body.name, element_name(body.elements), material.name, mass_spring_name);
  if (material.model)
    fail_input(code::material_model, "body '{}': material '{}' has two models, {} and {}; give one of them", body.name,
               material.name, material.model->name(), mass_spring_name);
  if (!material.fiber_stiffness.empty())
    fail_input(code::material_model, "body '{}': material '{}' of model {} cannot have fibers; remove them", body.name,
               material.name, mass_spring_name);
  check_values(body, material, "young", material.parameters[MassSpring::young], elements, 0, false);
  check_values(body, material, "density", material.density, elements, 0, false);
  const bool cloth = body.mesh.is_cloth();
  check_values(body, material, "thickness", material.parameters[MassSpring::thickness], elements, 0, !cloth);
  check_values(body, material, "bending", material.parameters[MassSpring::bending], elements, 0, true);
  check_values(body, material, "stretch_limit", material.parameters[MassSpring::stretch_limit], elements, 0, true);
  for (const auto parameter : {MassSpring::thickness, MassSpring::bending})
    for (const double v : material.parameters[parameter])
      if (!cloth && v != 0)
        fail_input(code::material_model,
                   "body '{}': material '{}' has {} {}, but the body has tets; only cloth uses it", body.name,
                   material.name, mass_spring().parameters()[parameter].name, v);
}

void check_directions(const BodySetup& body, const MaterialAssignment& material, const Points& directions,
                      std::size_t tets) {
  const auto count = static_cast<std::size_t>(directions.cols());
  if (count != 1 && count != tets) {
    fail_input(code::material_value,
               "body '{}': material '{}' has {} fiber directions, expected 1 or {}, one for each tet", body.name,
               material.name, count, tets);
  }
  for (std::size_t t = 0; t < count; ++t) {
    const double length = directions.col(static_cast<Eigen::Index>(t)).norm();
    if (length > 0 && std::isfinite(length)) continue;
    fail_input(code::material_value,
               "body '{}': material '{}' has a fiber direction of length {}, expected a finite one above 0", body.name,
               material.name, length);
  }
}

void check_keys(const std::string& owner, const std::string& key, const Keyframes& keys,
                std::initializer_list<int> rows) {
  const bool row_count = std::find(rows.begin(), rows.end(), keys.values.rows()) != rows.end();
  if (keys.empty() || !row_count || keys.values.cols() != static_cast<Eigen::Index>(keys.times.size())) {
    fail_input(code::scene_value, "{}: {} has {} times and {} x {} values; give a value for each time", owner, key,
               keys.times.size(), keys.values.rows(), keys.values.cols());
  }
  const bool ascending = std::is_sorted(keys.times.begin(), keys.times.end(), std::less_equal<>());
  const bool finite = std::all_of(keys.times.begin(), keys.times.end(), [](double t) { return std::isfinite(t); });
  if (!ascending || !finite || !keys.values.allFinite()) {
    fail_input(code::scene_value, "{}: {} must have finite values and times that ascend strictly", owner, key);
  }
}

// Keyframes of fibers, and their rest length.
void check_muscle(const BodySetup& body, const MaterialAssignment& material) {
  const std::string owner = fmt::format("body '{}': material '{}'", body.name, material.name);
  if (const Keyframes& keys = material.activation_keys; !keys.empty()) {
    check_keys(owner, "activation", keys, {1});
    for (const double value : keys.values.reshaped())
      if (!(value >= 0 && value <= 1))
        fail_input(code::material_value, "{} has fibers with activation {}, expected values from 0 to 1", owner, value);
  }
  if (!material.fiber_length_keys.empty()) check_keys(owner, "fiber length", material.fiber_length_keys, {1});
  const double length =
      material.fiber_length_keys.empty() ? material.fiber_length : material.fiber_length_keys.values.minCoeff();
  if (!(length > 0) || !std::isfinite(length))
    fail_input(code::material_value, "{} has fibers with length {}, expected a finite number greater than 0", owner,
               length);
}

void check_material(const BodySetup& body, const MaterialAssignment& material) {
  const std::size_t tets = material.tets.empty() ? body.mesh.element_count() : material.tets.size();
  if (material.mass_spring) return check_mass_spring(body, material, tets);
  if (body.mesh.is_cloth() && !body.affine) {
    fail_input(code::material_model,
               "body '{}': its mesh is a surface, but material '{}' is for solids; give a volume mesh, or a material "
               "of model {}",
               body.name, material.name, mass_spring_name);
  }
  if (!material.model)
    fail_input(code::material_model, "body '{}': material '{}' has no model", body.name, material.name);
  if (material.model->needs_data() && material.model->data().empty()) {
    fail_input(code::material_model, "body '{}': material '{}' has model {} without its {}; make an instance with them",
               body.name, material.name, material.model->name(), material.model->curves().empty() ? "lists" : "curves");
  }
  const auto expected = static_cast<std::size_t>(material.model->kernel_parameter_count());
  if (material.parameters.size() != expected) {
    fail_input(code::material_value, "body '{}': material '{}' has {} parameters, expected the {} of model {}",
               body.name, material.name, material.parameters.size(), expected, material.model->name());
  }
  constexpr double any = -std::numeric_limits<double>::infinity();
  for (const auto& values : material.parameters) check_values(body, material, "a parameter", values, tets, any, false);
  check_values(body, material, "density", material.density, tets, 0, false);
  if (!material.expansion.empty()) check_values(body, material, "expansion", material.expansion, tets, any, false);
  if (material.families.empty() != (material.model->family_parameter() < 0))
    fail_input(code::material_model, "body '{}': material '{}' of model {} {} families of fibers", body.name,
               material.name, material.model->name(), material.families.empty() ? "needs" : "has no");
  for (const Points& family : material.families) check_directions(body, material, family, tets);
  for (const auto& [name, columns] :
       {std::pair("initial_strain", &material.initial_strain), std::pair("initial_stress", &material.initial_stress)})
    if (columns->cols() > 0 && (columns->rows() != 6 || !columns->allFinite() ||
                                (columns->cols() != 1 && columns->cols() != static_cast<Eigen::Index>(tets))))
      fail_input(code::material_value,
                 "body '{}': material '{}' has {} x {} values of {}, expected 6 x 1 or 6 x {} finite ones", body.name,
                 material.name, columns->rows(), columns->cols(), name, tets);
  for (const ViscousBranch& branch : material.viscosity)
    if (!(branch.time > 0 && branch.modulus > 0 && std::isfinite(branch.time) && std::isfinite(branch.modulus)))
      fail_input(code::material_value,
                 "body '{}': material '{}' has a viscous branch of time {} and modulus {}, expected numbers above 0",
                 body.name, material.name, branch.time, branch.modulus);
  if (!material.viscosity.empty() && !material.model->requires_positive_volume())
    fail_input(
        code::material_model,
        "body '{}': material '{}' has viscosity, but its model {} lets tets turn inside out, where viscous stress "
        "has no limit; use neo_hookean, hencky or a rubber model",
        body.name, material.name, material.model->name());
  if (!material.bulk_relaxes && material.model->volume_part().form == VolumeEnergy::none)
    fail_input(
        code::material_model,
        "body '{}': material '{}' has viscosity of shear alone, but its model {} has no bulk part of its own; use "
        "neo_hookean, hencky or a rubber model, or viscosity of all stress",
        body.name, material.name, material.model->name());
  if (!material.viscosity.empty() && material.model->plastic())
    fail_input(code::material_model, "body '{}': material '{}' has viscosity and plasticity; give it one of both",
               body.name, material.name);
  if (is_mixed(body.elements) && material.model->volume_part().form == VolumeEnergy::none) {
    fail_input(code::material_model,
               "body '{}': elements \"{}\" average the volume change, but model {} of material '{}' has no term of it "
               "alone; use neo_hookean or a rubber model, or elements without \"_mixed\"",
               body.name, element_name(body.elements), material.model->name(), material.name);
  }
  if (material.fiber_stiffness.empty()) return;
  check_values(body, material, "fiber stiffness", material.fiber_stiffness, tets, 0, true);
  check_directions(body, material, material.fiber_direction, tets);
  if (!(material.fiber_tension >= 0 && std::isfinite(material.fiber_tension)) ||
      !(material.activation >= 0 && material.activation <= 1))
    fail_input(code::material_value,
               "body '{}': material '{}' has fibers with tension {} and activation {}, expected a finite tension of at "
               "least 0 and an activation from 0 to 1",
               body.name, material.name, material.fiber_tension, material.activation);
  check_muscle(body, material);
}

// Every element has exactly one material.
void check_coverage(const BodySetup& body) {
  if (body.materials.empty())
    fail_input(code::material_missing, "body '{}': it has no material; give it one", body.name);
  const char* word = element_word(body);
  const Index m = body.mesh.element_count();
  std::vector<char> seen(m, 0);
  const auto take = [&](Index t) {
    if (t < 0 || t >= m)
      fail_input(code::material_missing, "body '{}': a material names {} {}, but the body has {}", body.name, word, t,
                 m);
    if (seen[t]++)
      fail_input(code::material_missing, "body '{}': {} {} has two materials; give it one", body.name, word, t);
  };
  for (const MaterialAssignment& material : body.materials) {
    check_material(body, material);
    if (material.tets.empty()) {
      for (Index t = 0; t < m; ++t) take(t);
    } else {
      for (const Index t : material.tets) take(t);
    }
  }
  const auto missing = std::find(seen.begin(), seen.end(), char{0});
  if (missing != seen.end()) {
    fail_input(code::material_missing, "body '{}': {} {} has no material; assign one to every region", body.name, word,
               missing - seen.begin());
  }
}

void check_motion(const std::string& owner, const Motion& motion) {
  if (motion.translation) check_keys(owner, "motion.translate", *motion.translation, {3});
  if (motion.rotation) check_keys(owner, "motion.rotate", motion.rotation->degrees, {1});
  if (motion.scaling) check_keys(owner, "motion.scale", motion.scaling->factors, {1, 3});
}

void check_until(const std::string& owner, double until) {
  if (!(until > 0))
    fail_input(code::scene_value, "{}: found until {}, expected a time greater than 0 [s]", owner, until);
}

void check_gas(const std::string& owner, const LoadSetup& load) {
  const GasSetup& gas = load.gas;
  if (!(gas.ambient >= 0) || !std::isfinite(gas.ambient))
    fail_input(code::load, "{}.ambient: found {}, expected a finite number of at least 0 [Pa]", owner, gas.ambient);
  if (!(gas.ambient + load.pressure > 0))
    fail_input(code::load,
               "{}.pressure: found {}, expected more than {} [Pa], minus the ambient pressure: the pressure is that "
               "above the ambient one",
               owner, load.pressure, -gas.ambient);
  if (!(gas.exponent >= 1) || !std::isfinite(gas.exponent))
    fail_input(code::load, "{}.exponent: found {}, expected at least 1: 1 is isothermal, 1.4 adiabatic air", owner,
               gas.exponent);
  const double least = load.factor.empty() ? gas.amount : load.factor.values.minCoeff();
  if (!(least > 0) || !std::isfinite(gas.amount))
    fail_input(code::load, "{}.amount: found {}, expected a finite number greater than 0", owner, least);
}

void check_wind(const std::string& owner, const WindSetup& wind, Integrator integrator) {
  if (integrator == Integrator::statics)
    fail_input(
        code::load,
        "{}: found a wind in statics, where nothing moves with it; set time.mode to \"dynamic\", or use a pressure",
        owner);
  const auto at_least = [&](double least, const char* key, double value) {
    if (!(value >= least) || !std::isfinite(value))
      fail_input(code::load, "{}.{}: found {}, expected a finite number of at least {}", owner, key, value, least);
  };
  at_least(0, "drag", wind.drag);
  at_least(0, "friction", wind.friction);
  at_least(0, "turbulence.intensity", wind.intensity);
  at_least(1e-100, "turbulence.length", wind.length);  // its inverse counts eddies
  at_least(1e-100, "turbulence.time", wind.time);
}

void check_load(const BodySetup& body, std::size_t i, Integrator integrator) {
  const LoadSetup& load = body.loads[i];
  const std::string owner = fmt::format("body '{}': loads[{}]", body.name, i);
  if (load.faces.cols() == 0) fail_input(code::load, "{} acts on no face; select some of the boundary", owner);
  check_vertices(body, "loads", i, load.faces.data(), static_cast<std::size_t>(load.faces.size()));
  if (!load.vector.allFinite() || !std::isfinite(load.pressure))
    fail_input(code::scene_value, "{} is not finite", owner);
  if (!load.factor.empty()) check_keys(owner, load.kind == LoadKind::gas ? "gas.amount" : "factor", load.factor, {1});
  if (load.kind == LoadKind::gas) check_gas(owner + ".gas", load);
  if (load.kind == LoadKind::wind) check_wind(owner + ".wind", load.wind, integrator);
  if (!load.vector_keys.empty()) check_keys(owner, "values", load.vector_keys, {3});
}

void check_spring(const Setup& setup, const BodySetup& body, std::size_t i) {
  const SpringSetup& spring = body.springs[i];
  const std::string owner = fmt::format("body '{}': springs[{}]", body.name, i);
  check_vertices(body, "springs", i, spring.vertices.data(), spring.vertices.size());
  if (!(spring.stiffness > 0) || !std::isfinite(spring.stiffness)) {
    fail_input(code::spring, "{}: found stiffness {}, expected a finite number greater than 0 [N/m]", owner,
               spring.stiffness);
  }
  if (!(spring.length >= 0) || !std::isfinite(spring.length)) {
    fail_input(code::spring, "{}: found length {}, expected a finite number of at least 0 [m]", owner, spring.length);
  }
  if (const Keyframes& keys = spring.length_keys; !keys.empty()) {
    check_keys(owner, "length", keys, {1});
    if (!(keys.values.minCoeff() >= 0))
      fail_input(code::spring, "{}: found length {}, expected numbers of at least 0 [m]", owner,
                 keys.values.minCoeff());
  }
  check_motion(owner, spring.motion);
  check_until(owner, spring.until);
  if (spring.point) {
    if (!spring.point->allFinite()) fail_input(code::spring, "{}: its point is not finite", owner);
    return;
  }
  if (!spring.ends.empty()) {
    if (spring.ends.size() != spring.vertices.size())
      fail_input(code::spring, "{}: found {} ends of {} springs, expected one of each", owner, spring.ends.size(),
                 spring.vertices.size());
    for (const SpringEnd& end : spring.ends) {
      if (end.body < 0 || end.body >= static_cast<Index>(setup.bodies.size()) || end.vertices.empty() ||
          end.weights.size() != end.vertices.size())
        fail_input(code::spring, "{}: an end names no point of a body; give vertices and a weight for each", owner);
      check_vertices(setup.bodies[end.body], "springs", i, end.vertices.data(), end.vertices.size());
    }
    return;
  }
  if (spring.other_body < 0 || spring.other_body >= static_cast<Index>(setup.bodies.size())) {
    fail_input(code::spring, "{} ends at no point and no body; give one of them", owner);
  }
  if (spring.other_vertices.empty())
    fail_input(code::spring, "{}: selects no vertex at the other end; select some", owner);
  check_vertices(setup.bodies[spring.other_body], "springs", i, spring.other_vertices.data(),
                 spring.other_vertices.size());
}

void check_body(const Setup& setup, const BodySetup& body) {
  check_mesh(body);
  check_coverage(body);
  const std::string owner = fmt::format("body '{}'", body.name);
  if (!body.velocity.allFinite() || !body.angular_velocity.allFinite() || !body.acceleration.allFinite()) {
    fail_input(code::scene_value, "{}: its velocity, angular velocity or acceleration is not finite", owner);
  }
  if (!body.acceleration_keys.empty()) check_keys(owner, "acceleration", body.acceleration_keys, {3});
  for (const HeatSetup& heat : body.heat)
    if (!heat.keys.empty()) check_keys(owner, "temperature", heat.keys, {1});
  if (!body.swelling.keys.empty()) check_keys(owner, "swelling", body.swelling.keys, {1});
  for (const BoltSetup& bolt : body.bolts)
    if (!bolt.keys.empty()) check_keys(owner, "bolts", bolt.keys, {1});
  if (!(body.damping_mass >= 0 && body.damping_stiffness >= 0) ||
      !std::isfinite(body.damping_mass + body.damping_stiffness)) {
    fail_input(code::scene_value, "{}: found damping {} and {}, expected finite numbers of at least 0", owner,
               body.damping_mass, body.damping_stiffness);
  }
  check_names(owner + ": ", "fix", body.fixes);
  check_names(owner + ": ", "loads", body.loads);
  check_names(owner + ": ", "springs", body.springs);
  for (std::size_t i = 0; i < body.fixes.size(); ++i) {
    const FixSetup& fix = body.fixes[i];
    check_vertices(body, "fix", i, fix.vertices.data(), fix.vertices.size());
    check_motion(fmt::format("{}: fix[{}]", owner, i), fix.motion);
    check_until(fmt::format("{}: fix[{}]", owner, i), fix.until);
  }
  for (std::size_t i = 0; i < body.loads.size(); ++i) check_load(body, i, setup.time.integrator);
  for (std::size_t i = 0; i < body.springs.size(); ++i) check_spring(setup, body, i);
}

// Positions of each vertex by time.
void check_cache(const std::string& owner, const ObstacleSetup& obstacle) {
  const Course& cache = *obstacle.motion.course;
  if (!obstacle.mesh) fail_input(code::scene_value, "{}: a plane has no vertices that a cache could move", owner);
  if (cache.times.size() < 2 || cache.places.size() != cache.times.size())
    fail_input(code::scene_value, "{}: found {} times and {} samples of its vertices, expected as many, two at least",
               owner, cache.times.size(), cache.places.size());
  if (!std::is_sorted(cache.times.begin(), cache.times.end(), std::less_equal<>()))
    fail_input(code::scene_value, "{}: the times of its vertices must ascend strictly", owner);
  for (const Points& places : cache.places)
    if (places.cols() != obstacle.mesh->vertices.cols() || !places.allFinite())
      fail_input(code::scene_value, "{}: found a sample of {} vertices, expected {} with finite positions", owner,
                 places.cols(), obstacle.mesh->vertices.cols());
}

void check_obstacle(const ObstacleSetup& obstacle) {
  const std::string owner = fmt::format("obstacle '{}'", obstacle.name);
  check_motion(owner, obstacle.motion);
  if (obstacle.motion.course) check_cache(owner, obstacle);
  if (obstacle.mesh.has_value() == obstacle.plane.has_value())
    fail_input(code::scene_value, "{}: give either a mesh or a plane", owner);
  if (obstacle.plane) {
    const double length = obstacle.plane->normal.norm();
    if (!obstacle.plane->point.allFinite() || !(std::abs(length - 1) < 1e-12)) {
      fail_input(code::scene_value, "{}: its point must be finite and its normal of length 1, found length {}", owner,
                 length);
    }
    return;
  }
  const TriMesh& mesh = *obstacle.mesh;
  if (mesh.triangles.cols() == 0) fail_input(code::mesh_empty, "{}: its mesh has no triangles; give a surface", owner);
  if (!mesh.vertices.allFinite())
    fail_input(code::mesh_finite, "{}: its mesh has coordinates that are not finite; export it again", owner);
  if (mesh.triangles.minCoeff() < 0 || mesh.triangles.maxCoeff() >= mesh.vertices.cols()) {
    fail_input(code::mesh_index, "{}: its triangles name vertices {} to {}, but it has {}; export the mesh again",
               owner, mesh.triangles.minCoeff(), mesh.triangles.maxCoeff(), mesh.vertices.cols());
  }
}

void check_number(const char* key, double value, double least, bool least_allowed) {
  if (std::isfinite(value) && (value > least || (least_allowed && value == least))) return;
  fail_input(code::scene_value, "{}: found {}, expected a finite number {} {}", key, value,
             least_allowed ? "of at least" : "greater than", least);
}

void check_spin(const Setup& setup) {
  const SpinSetup& spin = *setup.spin;
  if (!spin.center.allFinite() || !(std::abs(spin.axis.norm() - 1) < 1e-12))
    fail_input(code::scene_value, "spin: its center must be finite and its axis of length 1, found length {}",
               spin.axis.norm());
  if (!std::isfinite(spin.speed)) fail_input(code::scene_value, "spin.speed: found a number that is not finite");
  if (!spin.keys.empty()) check_keys("spin", "speed", spin.keys, {1});
  if (setup.time.integrator == Integrator::newmark)
    fail_input(code::scene_value,
               "time.integrator: found \"newmark\" with a spin, which it does not support; use \"bdf2\" or "
               "\"implicit_euler\"");
  for (const BodySetup& body : setup.bodies)
    if (body.skeleton)
      fail_input(code::scene_value, "body '{}': found a skeleton with a spin, which it does not support; remove one",
                 body.name);
}

void check_continuation(const TimeSetup& time) {
  const ContinuationSetup& path = *time.continuation;
  if (time.integrator != Integrator::statics)
    fail_input(code::scene_value, "time.continuation: found an integrator of dynamics, expected statics");
  check_number("time.continuation.smallest", path.smallest, 0, false);
  check_number("time.continuation.first", path.first, path.smallest, true);
  check_number("time.continuation.largest", path.largest, path.first, true);
  check_number("time.continuation.until", path.until, 0, false);
  check_number("time.continuation.most_motion", path.most_motion, 0, true);
}

void check_settings(const Setup& setup) {
  if (!setup.gravity.allFinite()) fail_input(code::scene_value, "gravity: found a vector that is not finite");
  if (setup.spin) check_spin(setup);
  check_number("time.step", setup.time.step, 0, false);
  check_number("time.steps", setup.time.steps, 1, true);
  if (setup.time.continuation) check_continuation(setup.time);
  const ContactSetup& contact = setup.contact;
  check_number("contact.distance", contact.distance, 0, true);
  if (contact.stiffness) check_number("contact.stiffness", *contact.stiffness, 0, false);
  check_number("contact.friction", contact.friction, 0, true);
  for (const FrictionPair& pair : contact.pairs) check_number("contact.friction.pairs", pair.coefficient, 0, true);
  for (const auto& [name, thickness] : contact.thickness)
    check_number(("contact.thickness." + name).c_str(), thickness, 0, true);
  check_number("contact.slip_speed", contact.slip_speed, 0, true);
  check_number("contact.friction_iterations", contact.friction_iterations, 0, true);
  check_number("contact.friction_tolerance", contact.friction_tolerance, 0, false);
  check_number("solver.tolerance", setup.solver.tolerance, 0, true);
  check_number("solver.max_iterations", setup.solver.max_iterations, 1, true);
}

}  // namespace

void check_setup(const Setup& setup) {
  if (setup.bodies.empty()) fail_input(code::scene_value, "bodies: the scene has none; give at least one");
  check_settings(setup);
  check_names("", "ties", setup.ties);
  std::int64_t vertices = 0, tets = 0;
  for (const BodySetup& body : setup.bodies) {
    check_body(setup, body);
    vertices += body.mesh.vertex_count();
    tets += body.mesh.element_count();
  }
  for (const ObstacleSetup& obstacle : setup.obstacles) {
    check_obstacle(obstacle);
    if (obstacle.mesh) vertices += obstacle.mesh->vertices.cols();
  }
  // Interleaved coordinates and the four faces of every tet must be countable.
  constexpr std::int64_t most = std::numeric_limits<Index>::max() / 4;
  if (vertices > most || tets > most) {
    fail_input(code::mesh_size,
               "bodies: {} vertices and {} tets, more than the {} that can be numbered; use coarser meshes", vertices,
               tets, most);
  }
}

}  // namespace sinew
