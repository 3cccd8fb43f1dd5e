#include "sinew/scene/read_material.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/material/hencky_plastic.h"
#include "sinew/material/mass_spring.h"
#include "sinew/material/registry.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/scene/fields.h"
#include "sinew/scene/material_look.h"
#include "sinew/scene/read_motion.h"

namespace sinew {
namespace {

// The values of a per-tet array at some tets; one value for all stays one.
std::vector<double> subset(std::vector<double> values, const std::vector<Index>& tets) {
  if (values.size() == 1 || tets.empty()) return values;
  std::vector<double> result(tets.size());
  std::transform(tets.begin(), tets.end(), result.begin(), [&](Index t) { return values[t]; });
  return result;
}

Points subset(Points values, const std::vector<Index>& tets) {
  if (values.cols() == 1 || tets.empty()) return values;
  return values(Eigen::all, tets);
}

MatX subset(MatX values, const std::vector<Index>& tets) {
  if (values.cols() == 1 || tets.empty()) return values;
  return values(Eigen::all, tets);
}

std::vector<double> checked(const Node& node, std::vector<double> values, const TetMesh& mesh, bool zero_allowed) {
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (values[t] > 0 || (zero_allowed && values[t] == 0)) continue;
    node.fail(code::field, "found {} for {} {}, expected numbers {}", values[t], mesh.is_cloth() ? "triangle" : "tet",
              t, zero_allowed ? "of at least 0" : "greater than 0");
  }
  return values;
}

// The user's parameters, of which `fields` gets those that vary, as those of the kernels.
KernelParameters resolve(const Node& material, const MaterialLaw& model, const TetMesh& mesh,
                         const std::filesystem::path& base_dir, const std::vector<Index>& tets,
                         UserParameters& fields) {
  UserParameters user;
  for (const ParameterInfo& info : model.parameters()) {
    if (!material.has(info.name.c_str())) continue;
    const Node value = material[info.name.c_str()];
    user[info.name] = subset(tet_values(value, mesh, base_dir), tets);
    if (value.has("field")) fields[info.name] = user[info.name];
  }
  try {
    return model.resolve(user);
  } catch (const InputError& error) {
    material.fail(error.code(), "{}", error.what());
  }
}

// The model of the table, or an instance with the material's curves or lists.
SharedModel model_of(const Node& material) {
  const SharedModel model = shared_material_model(material["model"].text());
  if (!model->needs_data()) return model;
  const UserCurves curves = curves_from_json(*model, material.json(), material.place());
  try {
    return model->with_curves(curves);
  } catch (const InputError& error) {
    material.fail(error.code(), "{}", error.what());
  }
}

Viscosity viscosity_of(const Node& branches) {
  Viscosity result;
  for (std::size_t b = 0; b < branches.size(); ++b)
    result.push_back({branches[b]["time"].number(), branches[b]["modulus"].number()});
  return result;
}

// The model with flow. What the schema does not see is checked here.
SharedModel plastic_model(const Node& material) {
  const Node plasticity = material["plasticity"];
  const auto refuse = [&](const char* other) {
    plasticity.fail(code::material_model, "has no effect together with {}; remove one of both", other);
  };
  if (material.has("viscosity")) refuse("\"viscosity\"");
  if (material.has("fiber")) refuse("\"fiber\"");
  const bool saturates = plasticity.has("saturation_stress"), has_rate = plasticity.has("saturation_rate");
  if (saturates != has_rate)
    plasticity.fail(code::scene_missing, "missing key \"{}\": saturation needs a stress and a rate",
                    saturates ? "saturation_rate" : "saturation_stress");
  const auto number = [&](const char* key) { return plasticity.has(key) ? plasticity[key].number() : 0.0; };
  Plasticity p;
  p.yield_stress = number("yield_stress");
  p.hardening = number("hardening");
  p.saturation_stress = number("saturation_stress");
  p.saturation_rate = number("saturation_rate");
  p.kinematic = number("kinematic");
  if (plasticity.has("table")) {
    const Node table = plasticity["table"];
    for (std::size_t k = 0; k < table["strain"].size(); ++k) p.table_strain.push_back(table["strain"][k].number());
    for (std::size_t k = 0; k < table["stress"].size(); ++k) p.table_stress.push_back(table["stress"][k].number());
  }
  try {
    return std::make_shared<const HenckyPlastic>(p);
  } catch (const InputError& error) {
    plasticity.fail(error.code(), "{}", error.what());
  }
}

// What only one of the two kinds of meshes has.
void check_kind(const Node& material, const std::string& body, const TetMesh& mesh, bool affine) {
  if (affine) {
    for (const char* key : {"viscosity", "plasticity", "initial_strain", "initial_stress"})
      if (material.has(key))
        material[key].fail(code::material_model, "has no effect on body \"{}\", which is affine; remove one of both",
                           body);
    if (material["model"].text() == mass_spring_name)
      material["model"].fail(code::material_model,
                             "found model \"{}\", but body \"{}\" is affine; use the material model of a solid",
                             mass_spring_name, body);
    return;
  }
  if (material["model"].text() != mass_spring_name) {
    if (mesh.is_cloth())
      material["model"].fail(code::material_model,
                             "found model \"{}\", but the mesh of body \"{}\" is a surface; use model \"{}\"",
                             material["model"].text(), body, mass_spring_name);
    return;
  }
  if (mesh.is_cloth() && !material.has("thickness"))
    material.fail(code::scene_missing, "missing key \"thickness\" [m]: the mesh of body \"{}\" is a surface", body);
  for (const char* key : {"thickness", "bending"})
    if (!mesh.is_cloth() && material.has(key))
      material[key].fail(code::material_model, "has no effect on the tets of body \"{}\", only on cloth; remove it",
                         body);
}

// Bounds of numbers and of the values of keyframes.
void check_muscle(const Node& fiber, const MaterialAssignment& material) {
  const auto range = [](double number, const Keyframes& keys) {
    return keys.empty() ? std::pair(number, number) : std::pair(keys.values.minCoeff(), keys.values.maxCoeff());
  };
  const auto [least, most] = range(material.activation, material.activation_keys);
  if (least < 0 || most > 1)
    fiber["activation"].fail(code::scene_value, "found {}, expected values from 0 to 1", least < 0 ? least : most);
  const double shortest = range(material.fiber_length, material.fiber_length_keys).first;
  if (!(shortest > 0)) fiber["length"].fail(code::scene_value, "found {}, expected more than 0", shortest);
}

MaterialAssignment assignment(const Node& material, const std::string& name, const TetMesh& mesh,
                              const std::filesystem::path& base_dir, std::vector<Index> tets) {
  MaterialAssignment result;
  result.name = name;
  result.mass_spring = material["model"].text() == mass_spring_name;
  if (!result.mass_spring) result.model = material.has("plasticity") ? plastic_model(material) : model_of(material);
  const MaterialLaw& law = result.mass_spring ? static_cast<const MaterialLaw&>(mass_spring()) : *result.model;
  result.parameters = resolve(material, law, mesh, base_dir, tets, result.fields);
  const Node density = material["density"];
  result.density = subset(checked(density, tet_values(density, mesh, base_dir), mesh, false), tets);
  if (material.has("expansion")) {
    const Node expansion = material["expansion"];
    result.expansion = subset(tet_values(expansion, mesh, base_dir), tets);
  }
  if (material.has("families"))
    for (std::size_t f = 0; f < material["families"].size(); ++f)
      result.families.push_back(subset(tet_directions(material["families"][f], mesh, base_dir), tets));
  for (const auto& [key, to] :
       {std::pair("initial_strain", &result.initial_strain), std::pair("initial_stress", &result.initial_stress)})
    if (material.has(key)) *to = subset(tet_matrices(material[key], mesh, base_dir), tets);
  if (material.has("initial_stress"))
    for (const char* other : {"initial_strain", "fiber", "families"})
      if (material.has(other))
        material["initial_stress"].fail(code::material_model, "cannot stand together with \"{}\"; remove one of both",
                                        other);
  result.bulk_relaxes = !material.has("viscosity_of") || material["viscosity_of"].text() == "all";
  if (!result.bulk_relaxes && !material.has("viscosity"))
    material["viscosity_of"].fail(code::scene_missing,
                                  "has no effect without \"viscosity\"; add it, or remove this key");
  if (material.has("viscosity")) {
    result.viscosity = viscosity_of(material["viscosity"]);
    if (!result.model->requires_positive_volume())
      material["viscosity"].fail(code::material_model,
                                 "model \"{}\" lets tets turn inside out, where viscous stress has no limit; use "
                                 "neo_hookean, hencky or a rubber model",
                                 result.model->name());
  }
  if (material.has("fiber")) {
    const Node fiber = material["fiber"], stiffness = fiber["stiffness"];
    result.fiber_stiffness = subset(checked(stiffness, tet_values(stiffness, mesh, base_dir), mesh, true), tets);
    result.fiber_direction = subset(tet_directions(fiber["direction"], mesh, base_dir), tets);
    if (fiber.has("tension")) result.fiber_tension = fiber["tension"].number();
    if (fiber.has("activation")) read_number_or_keys(fiber["activation"], result.activation, result.activation_keys);
    if (fiber.has("length")) read_number_or_keys(fiber["length"], result.fiber_length, result.fiber_length_keys);
    check_muscle(fiber, result);
  }
  result.look = material_look(material, name, base_dir);
  result.tets = std::move(tets);
  return result;
}

Node find_material(const Node& name, const MaterialContext& context) {
  const std::string text = name.text();
  if (!context.materials.has(text.c_str())) {
    std::vector<std::string> known;
    for (const auto& [key, value] : context.materials.json().items()) known.push_back(key);
    name.fail(code::scene_name, "unknown material \"{}\"{}materials of the scene: {}", shortened(text),
              did_you_mean_then(text, known), known.empty() ? "none" : quoted_list(known));
  }
  context.used.insert(text);
  return context.materials[text];
}

std::vector<MaterialAssignment> by_region(const Node& regions, const std::string& body, const TetMesh& mesh,
                                          const MaterialContext& context, bool affine) {
  std::map<std::string, std::vector<Index>> tets_of;  // by material
  std::vector<std::string> names;                     // in the order of the scene
  std::vector<const std::string*> taken(mesh.tet_count(), nullptr);
  for (const auto& [key, value] : regions.json().items()) {
    const Node name = regions[key];
    const std::string material = name.text();
    find_material(name, context);
    const std::vector<Index> tets = region_tets(mesh, key);
    if (tets.empty())
      name.fail(code::scene_name, "the mesh of body \"{}\" has no region \"{}\"; its regions are {}", body, key,
                region_list(mesh));
    if (!tets_of.contains(material)) names.push_back(material);
    std::vector<Index>& list = tets_of[material];
    for (const Index t : tets) {
      if (taken[t])
        name.fail(code::material_missing,
                  "tet {} of body \"{}\" is in regions \"{}\" and \"{}\"; give one of them a material", t, body,
                  *taken[t], key);
      taken[t] = &key;
      list.push_back(t);
    }
  }
  const auto missing = std::count(taken.begin(), taken.end(), nullptr);
  if (missing > 0) {
    const auto first = std::find(taken.begin(), taken.end(), nullptr) - taken.begin();
    const Index region = mesh.regions.empty() ? 0 : mesh.regions[first];
    regions.fail(
        code::material_missing,
        "{} of {} tets of body \"{}\" have no material, the first is tet {} of region {}; name a material for every "
        "region: {}",
        missing, mesh.tet_count(), body, first, region, region_list(mesh));
  }
  std::vector<MaterialAssignment> result;
  for (const std::string& name : names) {
    std::vector<Index>& tets = tets_of[name];
    std::sort(tets.begin(), tets.end());
    if (names.size() == 1) tets.clear();  // all
    check_kind(context.materials[name], body, mesh, affine);
    result.push_back(assignment(context.materials[name], name, mesh, context.base_dir, std::move(tets)));
  }
  return result;
}

// Numbers of an array at `path`.
std::vector<double> number_list(const nlohmann::ordered_json& list, const std::string& path) {
  if (!list.is_array())
    fail_input(code::material_value, "{}: found {}, expected an array of numbers", path, shortened(list.dump()));
  std::vector<double> values;
  for (const auto& value : list) {
    const auto where = [&] { return fmt::format("{}[{}]", path, values.size()); };
    if (!value.is_number())
      fail_input(code::material_value, "{}: found {}, expected a number", where(), shortened(value.dump()));
    const double number = value.get<double>();
    if (std::abs(number) > largest_number)
      fail_input(code::material_value, "{}: found {}, expected a magnitude of at most {:g}", where(), found_text(value),
                 largest_number);
    values.push_back(number);
  }
  return values;
}

}  // namespace

UserCurves curves_from_json(const MaterialModel& model, const nlohmann::ordered_json& material,
                            const std::string& place) {
  UserCurves curves;
  for (const CurveInfo& info : model.curves()) {
    if (!material.contains(info.name)) continue;
    const auto& curve = material.at(info.name);
    const std::string path = place + "." + info.name;
    if (!curve.is_object() || curve.size() != 2 || !curve.contains("x") || !curve.contains("dy"))
      fail_input(code::material_value, "{}: found {}, expected {{\"x\": [...], \"dy\": [...]}}", path,
                 shortened(curve.dump()));
    const auto numbers = [&](const char* key) { return number_list(curve.at(key), path + "." + key); };
    curves.points[info.name] = {numbers("x"), numbers("dy")};
  }
  for (const ParameterInfo& info : model.lists())
    if (material.contains(info.name))
      curves.lists[info.name] = number_list(material.at(info.name), place + "." + info.name);
  if (!material.contains("rest")) return curves;
  const auto& rest = material.at("rest");
  if (rest != "exact" && rest != "mend")
    fail_input(code::material_value, "{}.rest: found {}, expected \"exact\" or \"mend\"", place,
               shortened(rest.dump()));
  curves.mend_rest = rest == "mend";
  return curves;
}

std::string region_list(const TetMesh& mesh) {
  std::map<Index, std::string> regions;
  for (const Index id : mesh.regions) regions[id];
  for (const ElementGroup& group : mesh.groups) {
    if (group.dim == 3 && !group.name.empty() && regions.contains(group.id)) regions[group.id] = group.name;
  }
  constexpr std::size_t longest = 20;
  std::string text;
  std::size_t count = 0;
  for (const auto& [id, name] : regions) {
    if (count++ == longest) return text + ", ...";
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", id, name.empty() ? "" : " (" + name + ")");
  }
  return text;
}

std::vector<Index> region_tets(const TetMesh& mesh, const std::string& key) {
  std::vector<Index> tets;
  for (const ElementGroup& group : mesh.groups) {
    if (group.dim == 3 && group.name == key) tets.insert(tets.end(), group.tets.begin(), group.tets.end());
  }
  if (!tets.empty()) return tets;
  Index id = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
  if (error != std::errc() || end != key.data() + key.size()) return tets;
  for (std::size_t t = 0; t < mesh.regions.size(); ++t) {
    if (mesh.regions[t] == id) tets.push_back(static_cast<Index>(t));
  }
  return tets;
}

bool takes_surface(const Node& material, const MaterialContext& context) {
  const auto is_spring = [](const Node& of) { return of["model"].text() == mass_spring_name; };
  if (material.json().is_string()) return is_spring(find_material(material, context));
  return !material.has("regions") && is_spring(material);
}

std::vector<MaterialAssignment> read_assignments(const Node& material, const std::string& body, const TetMesh& mesh,
                                                 const MaterialContext& context, bool affine) {
  if (material.has("regions")) return by_region(material["regions"], body, mesh, context, affine);
  if (material.json().is_string()) {
    const Node found = find_material(material, context);
    check_kind(found, body, mesh, affine);
    return {assignment(found, material.text(), mesh, context.base_dir, {})};
  }
  check_kind(material, body, mesh, affine);
  return {assignment(material, body, mesh, context.base_dir, {})};
}

void repeat_for_parts(MaterialAssignment& material) {
  const auto repeat = [](std::vector<double>& values) {
    if (values.size() > 1) values = repeated_for_parts(values, 1);
  };
  for (std::vector<double>& values : material.parameters) repeat(values);
  for (auto& [name, values] : material.fields) repeat(values);
  repeat(material.density);
  repeat(material.fiber_stiffness);
  repeat(material.expansion);
  const auto repeat_directions = [](Points& directions) {
    if (directions.cols() <= 1) return;
    const Points once = directions;
    directions.resize(3, parts_of_quadratic * once.cols());
    for (Index t = 0; t < directions.cols(); ++t) directions.col(t) = once.col(t / parts_of_quadratic);
  };
  repeat_directions(material.fiber_direction);
  for (Points& family : material.families) repeat_directions(family);
  for (MatX* columns : {&material.initial_strain, &material.initial_stress}) {
    if (columns->cols() <= 1) continue;
    const MatX once = *columns;
    columns->resize(6, parts_of_quadratic * once.cols());
    for (Index t = 0; t < columns->cols(); ++t) columns->col(t) = once.col(t / parts_of_quadratic);
  }
  material.tets = parts_of(material.tets);
}

}  // namespace sinew
