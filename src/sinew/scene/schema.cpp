#include "sinew/scene/schema.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/material/fit.h"
#include "sinew/material/hencky.h"
#include "sinew/material/mass_spring.h"
#include "sinew/material/registry.h"
#include "sinew/model/live_scalars.h"
#include "sinew/model/sensor.h"
#include "sinew/scene/material_look.h"
#include "sinew/scene/schema_text.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// The value of "allOf" that stands for a definition, so that title and default can stand beside it.
Json reference(const std::string& name) {
  return Json::array({Json{{"$ref", "#/definitions/" + name}}});
}

// {"oneOf": [{"required": [k]} ...]}: exactly one of the keys.
Json exactly_one(const Json& keyed) {
  Json rule = {{"oneOf", Json::array()}};
  for (const auto& [key, value] : keyed.items()) rule["oneOf"].push_back(Json{{"required", Json::array({key})}});
  return rule;
}

// Puts the keys of a selection in front of an object's own, exactly one of them required.
void add_selection(Json& object, const Json& selection) {
  Json properties = selection;
  if (object.contains("properties")) properties.update(object["properties"]);
  object["properties"] = std::move(properties);
  object["allOf"].push_back(exactly_one(selection));
}

Json selection_definition(const Json& selection) {
  Json object = {{"type", "object"}, {"title", "selection"}, {"additionalProperties", false}};
  add_selection(object, selection);
  return {{"title", "selection"},
          {"description", "Vertices or faces of a body in the rest state, after its transform."},
          {"oneOf", Json::array({Json{{"const", "all"}, {"title", "everything"}}, object})}};
}

// A number, or one for each tet from a file or a named array of the mesh.
Json number_or_field(Json number) {
  const Json field = {
      {"type", "object"},
      {"title", "a value for each tet"},
      {"additionalProperties", false},
      {"required", Json::array({"field"})},
      {"properties",
       {{"field",
         {{"type", "string"},
          {"minLength", 1},
          {"title", "where the values are"},
          {"description", "A .npy file, relative to the scene file, or the name of a cell array of the mesh."}}}}}};
  Json result;
  for (const char* key : {"title", "x-unit", "default", "x-default-unless", "description"}) {
    if (!number.contains(key)) continue;
    result[key] = number[key];
    if (std::string(key) != "title") number.erase(key);
  }
  result["oneOf"] = Json::array({number, field});
  return result;
}

Json parameter(const ParameterInfo& info) {
  Json number = {{"type", "number"}, {"title", info.description}};
  if (std::isfinite(info.minimum)) number[info.minimum_allowed ? "minimum" : "exclusiveMinimum"] = info.minimum;
  if (std::isfinite(info.maximum)) number[info.maximum_allowed ? "maximum" : "exclusiveMaximum"] = info.maximum;
  if (info.unit == "Pa") number["maximum"] = 1e20;
  if (!info.unit.empty()) number["x-unit"] = info.unit;
  return number;
}

Json curve(const CurveInfo& info) {
  return {
      {"type", "object"},
      {"title", info.description},
      {"additionalProperties", false},
      {"required", Json::array({"x", "dy"})},
      {"properties",
       {{"x",
         {{"type", "array"},
          {"items", {{"type", "number"}, {"exclusiveMinimum", 0}}},
          {"minItems", 2},
          {"title", "stretches, or their products"},
          {"description",
           "Strictly ascending. The first value is at most 1, the last at least 1. Monotone cubics join the points; "
           "the curve continues as a line on both sides."}}},
        {"dy",
         {{"type", "array"},
          {"items", {{"type", "number"}}},
          {"minItems", 2},
          {"x-unit", "Pa"},
          {"title", "derivative of the energy density at each stretch"}}}}}};
}

// One number for each term.
Json number_list(const ParameterInfo& info) {
  Json list = {{"type", "array"},
               {"items", {{"type", "number"}}},
               {"minItems", 1},
               {"title", info.description},
               {"description", "One number for each term."}};
  if (std::isfinite(info.minimum)) list["items"]["exclusiveMinimum"] = info.minimum;
  if (std::isfinite(info.maximum)) list["items"]["exclusiveMaximum"] = info.maximum;
  if (!info.unit.empty()) list["x-unit"] = info.unit;
  return list;
}

// What models with curves take instead of numbers.
void add_curves(Json& properties, const MaterialModel& model) {
  if (model.curves().empty()) return;
  for (const CurveInfo& info : model.curves()) properties[info.name] = curve(info);
  properties["rest"] = {
      {"type", "string"},
      {"enum", Json::array({"exact", "mend"})},
      {"default", "exact"},
      {"title", "stress at rest"},
      {"description",
       "The rest state is free of stress if a'(1) + 2 b'(1) + c'(1) = 0. `exact`: other values are an "
       "error. `mend`: c' is shifted to make the sum zero, or a' if there is no curve c."}};
}

Json look() {
  Json kinds = Json::array();
  for (const LookKind& kind : look_kinds()) kinds.push_back(kind.name);
  const auto share = [](const char* title, const char* description) {
    Json json = {{"type", "number"}, {"minimum", 0}, {"maximum", 1}, {"title", title}};
    if (*description) json["description"] = description;
    return json;
  };
  return {
      {"type", "object"},
      {"additionalProperties", false},
      {"title", "look on pages, in pictures and in exported files"},
      {"description",
       "The physics does not know it. Default: of the kind that a word of the material's name begins "
       "with, as in `soft_foam` or `Steel plate`."},
      {"properties",
       {{"kind", {{"type", "string"}, {"enum", kinds}, {"title", "kind of material"}}},
        {"color",
         {{"type", "string"},
          {"pattern", "^#[0-9a-fA-F]{6}$"},
          {"x-expected", "a colour as \"#rrggbb\", for example \"#c98154\""},
          {"title", "colour"},
          {"description", "Default: of the kind, else of a palette."}}},
        {"roughness", share("roughness", "0: a mirror. 1: matt.")},
        {"metalness", share("metalness", "1: a metal, which mirrors in its own colour.")},
        {"opacity", share("opacity", "Below 1 light passes, tinted by the colour.")},
        {"texture",
         {{"type", "string"},
          {"minLength", 1},
          {"title", "image"},
          {"description",
           "A file of type .png, .jpg or .webp, relative to the scene file, in sRGB, with at most 4096 pixels along "
           "each side and 8 MB. It multiplies `color`, whose default is then white. Transparency is ignored. "
           "Render surfaces with texture coordinates use these. Onto other surfaces the image is projected at rest, "
           "along the axes of the scene."}}},
        {"texture_size",
         {{"type", "number"},
          {"exclusiveMinimum", 0},
          {"maximum", largest_length},
          {"x-unit", "m"},
          {"title", "width of an image that is projected"},
          {"description", "Default: the largest side of the body's box at rest."}}}}}};
}

Json fiber() {
  Json stiffness = {
      {"type", "number"}, {"minimum", 0}, {"maximum", 1e20}, {"x-unit", "Pa"}, {"title", "stiffness of the fibers"}};
  Json direction = {{"allOf", reference("vector")},
                    {"title", "direction in the rest state"},
                    {"description", "A field has three values for each tet."}};
  const Json tension = {
      {"type", "number"},
      {"minimum", 0},
      {"maximum", 1e20},
      {"default", 0},
      {"x-unit", "Pa"},
      {"title", "active tension"},
      {"description",
       "Force of a muscle's fibers per area at rest, if `activation` is 1. The energy density grows by "
       "`activation` times `tension` times (|F d| - L), with the `length` L."}};
  const Json activation = {
      {"allOf", reference("scalar_or_keys")},
      {"default", 0},
      {"title", "activation of the muscle"},
      {"x-expected", "a number from 0 to 1, or keyframes {\"times\": [...], \"values\": [...]}"},
      {"description",
       "From 0 to 1. Python changes it between steps: `set_activation`. In statics a number acts in all load steps; "
       "keyframes make it grow."}};
  const Json length = {
      {"allOf", reference("scalar_or_keys")},
      {"default", 1},
      {"title", "rest length of the fibers over that in the mesh"},
      {"x-expected", "a number greater than 0, or keyframes {\"times\": [...], \"values\": [...]}"},
      {"description",
       "L in k/2 (|F d| - L)^2. Below 1 the fibers pull until they have shortened to L. In statics as `activation`."}};
  return {
      {"type", "object"},
      {"title", "fibers"},
      {"description", "Adds the energy density k/2 (|F d| - L)^2 with `stiffness` k, `direction` d and `length` L."},
      {"additionalProperties", false},
      {"required", Json::array({"stiffness", "direction"})},
      {"properties",
       {{"stiffness", number_or_field(stiffness)},
        {"direction", number_or_field(direction)},
        {"tension", tension},
        {"activation", activation},
        {"length", length}}}};
}

Json families() {
  const Json direction = {{"allOf", reference("vector")}, {"title", "direction in the rest state"}};
  return {{"type", "array"},
          {"items", number_or_field(direction)},
          {"minItems", 1},
          {"title", "directions of the families of fibers"},
          {"description", "One vector for each family; two in an artery. A field has three values for each tet."}};
}

bool can_be_fitted(const MaterialModel& model) {
  const std::vector<std::string> fitted = fitted_models();
  return std::ranges::find(fitted, model.name()) != fitted.end();
}

// Young's modulus and Poisson's ratio have defaults while no other set of parameters is begun.
void add_elastic_defaults(Json& properties, const MaterialModel& model) {
  if (!properties.contains("young") || !properties.contains("poisson")) return;
  Json others = Json::array();
  for (const auto& set : model.parameter_sets()) {
    for (const std::string& name : set) {
      if (name != "young" && name != "poisson") others.push_back(name);
    }
  }
  if (can_be_fitted(model)) others.push_back("from_data");
  properties["young"]["default"] = 1e6;
  properties["poisson"]["default"] = 0.4;
  for (const char* key : {"young", "poisson"}) properties[key]["x-default-unless"] = others;
}

Json density() {
  return number_or_field({{"type", "number"},
                          {"exclusiveMinimum", 0},
                          {"maximum", 1000000000000},
                          {"default", 1000},
                          {"x-unit", "kg/m^3"},
                          {"title", "density"}});
}

Json expansion() {
  return number_or_field(
      {{"type", "number"},
       {"minimum", -1},
       {"maximum", 1},
       {"x-unit", "1/K"},
       {"title", "coefficient of thermal expansion"},
       {"description", "Relative change of lengths for each kelvin that the body's `temperature` rises. Default: 0."}});
}

// Six values of a symmetric matrix.
Json symmetric_matrix(const char* title, const char* unit, const char* description) {
  Json matrix = {
      {"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 6}, {"maxItems", 6}, {"title", title}};
  if (*unit) matrix["x-unit"] = unit;
  matrix["description"] = description;
  return number_or_field(matrix);
}

Json initial_strain() {
  return symmetric_matrix(
      "initial strain", "",
      "XX YY ZZ XY YZ XZ of the logarithmic strain that the mesh has at rest: its stress acts from the start.");
}

Json initial_stress() {
  return symmetric_matrix("initial stress", "Pa", "XX YY ZZ XY YZ XZ of the Cauchy stress that the mesh has at rest.");
}

Json viscosity() {
  const Json branch = {{"type", "object"},
                       {"title", "branch"},
                       {"additionalProperties", false},
                       {"required", Json::array({"time", "modulus"})},
                       {"properties",
                        {{"time",
                          {{"type", "number"},
                           {"exclusiveMinimum", 0},
                           {"maximum", 1e20},
                           {"x-unit", "s"},
                           {"title", "relaxation time"}}},
                         {"modulus",
                          {{"type", "number"},
                           {"exclusiveMinimum", 0},
                           {"maximum", 1e6},
                           {"title", "modulus of the branch, over that of the material at rest"}}}}}};
  return {{"type", "array"},
          {"items", branch},
          {"minItems", 1},
          {"title", "viscosity"},
          {"description",
           "A Prony series: after a sudden strain the stress is that of the model, times 1 + the sum of `modulus` "
           "exp(-t / `time`). The model's own stiffness is that after a long time. Load steps (statics) use it alone. "
           "For models that forbid "
           "inverted tets."}};
}

Json pressure_number(const char* title, bool zero_allowed) {
  return {{"type", "number"},
          {zero_allowed ? "minimum" : "exclusiveMinimum", 0},
          {"maximum", 1e20},
          {"x-unit", "Pa"},
          {"title", title}};
}

Json plasticity() {
  const auto list = [](const char* title, const Json& item) {
    return Json{{"type", "array"}, {"items", item}, {"minItems", 1}, {"title", title}};
  };
  Json strain = list("equivalent plastic strains", {{"type", "number"}, {"minimum", 0}, {"maximum", 1e6}});
  strain["description"] = "Strictly ascending, from 0 on.";
  Json stress = list("yield stresses", {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1e20}});
  stress["x-unit"] = "Pa";
  stress["description"] = "One for each strain; they do not fall. The last one holds for all larger strains.";
  Json hardening = pressure_number("linear hardening", true), kinematic = pressure_number("kinematic hardening", true);
  hardening["default"] = kinematic["default"] = 0;
  hardening["description"] = "Rise of the yield stress with the equivalent plastic strain.";
  hardening["x-default-unless"] = Json::array({"table"});
  kinematic["description"] = "Modulus by which the yield surface moves with the plastic strain (Prager).";
  Json saturation = pressure_number("saturation stress", false);
  saturation["description"] =
      "The yield stress rises from `yield_stress` towards this value, by 1 - exp(-`saturation_rate` p) of the "
      "difference at the equivalent plastic strain p (Voce).";
  const Json formula = {"hardening", "saturation_stress", "saturation_rate"};
  Json rules = Json::array({exactly_one({{"yield_stress", nullptr}, {"table", nullptr}})});
  for (const Json& key : formula) rules.push_back({{"not", {{"required", Json::array({"table", key})}}}});
  return {{"type", "object"},
          {"title", "plasticity"},
          {"description",
           "J2 flow with finite strains: the material flows where the von Mises stress reaches the yield stress."},
          {"additionalProperties", false},
          {"allOf", rules},
          {"properties",
           {{"yield_stress", pressure_number("yield stress before flow", false)},
            {"hardening", hardening},
            {"saturation_stress", saturation},
            {"saturation_rate",
             {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1e9}, {"title", "rate of saturation"}}},
            {"table",
             {{"type", "object"},
              {"title", "yield stress by plastic strain"},
              {"description", "Instead of `yield_stress` and the other keys of the formula."},
              {"additionalProperties", false},
              {"required", Json::array({"strain", "stress"})},
              {"properties", {{"strain", strain}, {"stress", stress}}}}},
            {"kinematic", kinematic}}}};
}

// Where the values of a fitted material come from, of one curve.
Json measurement_keys() {
  return {
      {"file",
       {{"type", "string"},
        {"minLength", 1},
        {"title", "file of the measured curve"},
        {"description",
         "Text with two columns: stretch and nominal stress [Pa]. A header and lines that begin with # are skipped."}}},
      {"experiment",
       {{"type", "string"},
        {"enum", Json::array({"uniaxial", "biaxial", "shear"})},
        {"default", "uniaxial"},
        {"title", "experiment"},
        {"description",
         "`uniaxial`: tension or compression along one axis. `biaxial`: equal tension or compression along two axes. "
         "`shear`: planar tension of a wide strip that keeps its width."}}}};
}

Json from_data_definition() {
  const Json one = {{"type", "object"},
                    {"title", "measured curve"},
                    {"additionalProperties", false},
                    {"required", Json::array({"file"})},
                    {"properties", measurement_keys()}};
  Json properties = measurement_keys();
  properties["experiment"]["x-default-unless"] = Json::array({"measurements"});
  properties["measurements"] = {{"type", "array"},
                                {"items", one},
                                {"minItems", 1},
                                {"title", "several measured curves"},
                                {"description", "Use this instead of `file` and `experiment`."}};
  properties["poisson"] = {
      {"type", "number"},
      {"minimum", 0},
      {"exclusiveMaximum", 0.5},
      {"title", "Poisson's ratio"},
      {"description", fmt::format("The measured curves do not determine this ratio. Default: {}. For "
                                  "`hyperfoam`, the ratio of all terms; default: {}. Not for `blatz_ko`.",
                                  FitOptions::default_poisson, FitOptions::default_foam_poisson)}};
  properties["knots"] = {
      {"type", "array"},
      {"items", {{"type", "number"}, {"exclusiveMinimum", 0}}},
      {"minItems", 2},
      {"title", "stretches of the points of curve a"},
      {"description",
       "For model `spline`. Strictly ascending; 1 is added. Default: spread over the measured stretches."}};
  properties["terms"] = {
      {"type", "integer"},
      {"minimum", 1},
      {"title", "number of terms"},
      {"description", fmt::format("For models `ogden` and `hyperfoam`. Default: {}.", FitOptions::default_terms)}};
  properties["allow_unstable"] = {
      {"type", "boolean"},
      {"default", FitOptions{}.allow_unstable},
      {"title", "allow an unstable material"},
      {"description",
       "`false`: the stress of an accepted material rises with strain (Drucker). The test covers all three experiments "
       "in tension and compression, up to 1.2 times the largest measured strain. `true`: a warning names unstable "
       "stretches."}};
  const Json both = Json::array({"experiment", "measurements"});
  return {{"type", "object"},
          {"title", "measured curves"},
          {"description",
           "Fits the parameters, or the points of curves, to measurements by least squares, like `sinew fit`."},
          {"additionalProperties", false},
          {"allOf", Json::array({exactly_one({{"file", nullptr}, {"measurements", nullptr}}),
                                 Json{{"not", {{"required", both}}}}})},
          {"properties", properties}};
}

// A model that can be fitted: each key is given or comes from data.
void add_from_data(Json& variant, const MaterialModel& model) {
  if (!can_be_fitted(model)) return;
  Json& properties = variant["properties"];
  properties["from_data"] = {{"allOf", reference("from_data")}};
  std::vector<std::string> keys;
  for (const ParameterInfo& info : model.parameters()) keys.push_back(info.name);
  for (const CurveInfo& info : model.curves()) keys.push_back(info.name);
  for (const ParameterInfo& info : model.lists()) keys.push_back(info.name);
  const Json before = variant.value("required", Json::array());
  Json required = Json::array(), rules = Json::array();
  for (const Json& key : before)
    if (std::ranges::find(keys, key.get<std::string>()) == keys.end()) required.push_back(key);
  for (const std::string& key : keys) {
    const bool needed = std::find(before.begin(), before.end(), Json(key)) != before.end();
    rules.push_back(needed ? exactly_one({{key, nullptr}, {"from_data", nullptr}})
                           : Json{{"not", {{"required", Json::array({key, "from_data"})}}}});
  }
  variant.erase("required");
  if (!required.empty()) variant["required"] = required;
  variant["allOf"] = rules;
}

Json viscosity_of() {
  return {{"type", "string"},
          {"enum", Json::array({"all", "shear"})},
          {"title", "what relaxes"},
          {"description",
           "`all`: all of the stress (default). `shear`: all but that of the bulk part of the model, k (ln J)^2 / 2 or "
           "k (J - 1)^2 / 2 with k = `lambda`, `bulk` or `kappa`."}};
}

Json material_variant(const MaterialModel& model, bool is_default) {
  Json properties = {{"model", {{"const", model.name()}, {"title", "material model"}}}};
  if (is_default) properties["model"]["default"] = model.name();
  for (const ParameterInfo& info : model.parameters()) properties[info.name] = parameter(info);
  add_elastic_defaults(properties, model);
  for (const ParameterInfo& info : model.parameters()) properties[info.name] = number_or_field(properties[info.name]);
  add_curves(properties, model);
  for (const ParameterInfo& info : model.lists()) properties[info.name] = number_list(info);
  properties["density"] = density();
  properties["expansion"] = expansion();
  if (model.family_parameter() >= 0) properties["families"] = families();
  for (const char* shared : {"initial_strain", "initial_stress", "viscosity"})
    properties[shared] = {{"allOf", reference(shared)}};
  if (model.volume_part().form != VolumeEnergy::none && model.requires_positive_volume())
    properties["viscosity_of"] = {{"allOf", reference("viscosity_of")}};
  if (model.name() == Hencky().name()) properties["plasticity"] = plasticity();
  properties["fiber"] = fiber();
  properties["look"] = {{"allOf", reference("look")}};
  Json variant = {{"type", "object"}, {"title", model.name()}, {"additionalProperties", false}};
  const auto sets = model.parameter_sets();
  Json required = Json::array();
  if (!is_default) required.push_back("model");
  if (sets.size() == 1) {
    for (const std::string& name : sets[0]) required.push_back(name);
  }
  for (const CurveInfo& info : model.curves()) {
    if (info.required) required.push_back(info.name);
  }
  for (const ParameterInfo& info : model.lists()) required.push_back(info.name);
  if (model.family_parameter() >= 0) required.push_back("families");
  if (!required.empty()) variant["required"] = required;
  variant["properties"] = std::move(properties);
  if (!variant["properties"].contains("plasticity"))
    variant["x-elsewhere"] = {
        {"plasticity", fmt::format("model \"{}\" does not flow; use model \"hencky\"", model.name())}};
  add_from_data(variant, model);
  return variant;
}

// Springs on edges; a surface has a thickness, and nothing has fibers.
Json mass_spring_variant() {
  Json properties = {{"model", {{"const", mass_spring_name}, {"title", "material model"}}}};
  for (const ParameterInfo& info : mass_spring().parameters()) properties[info.name] = parameter(info);
  properties["young"]["default"] = 1e6;
  properties["thickness"]["maximum"] = 1e12;
  properties["thickness"]["description"] =
      "Required if the mesh is a surface. Contact ignores it: see `contact.thickness`.";
  properties["bending"]["maximum"] = 1e6;
  properties["bending"]["description"] =
      "For cloth: a spring joins the two vertices opposite each inner edge. Its stiffness is this share of the "
      "edges' stiffness. Default: 0.";
  properties["stretch_limit"]["maximum"] = 1e6;
  properties["stretch_limit"]["description"] =
      "No edge ever gets longer than its rest length times 1 plus this number: 0.1 allows 10 %. The closer an edge is "
      "to the limit, the stiffer it gets. Default: 0, no limit.";
  for (const ParameterInfo& info : mass_spring().parameters())
    properties[info.name] = number_or_field(properties[info.name]);
  properties["density"] = density();
  properties["look"] = {{"allOf", reference("look")}};
  return {{"type", "object"},
          {"title", mass_spring_name},
          {"additionalProperties", false},
          {"required", Json::array({"model"})},
          {"properties", std::move(properties)}};
}

Json material_definition() {
  Json result = {{"title", "material"}, {"oneOf", Json::array()}};
  for (const MaterialModel* model : material_models()) {
    if (model->name() > mass_spring_name && result["oneOf"].back()["title"] < mass_spring_name)
      result["oneOf"].push_back(mass_spring_variant());
    result["oneOf"].push_back(material_variant(*model, model->name() == "neo_hookean"));
  }
  return result;
}

Json materials_key() {
  return {{"type", "object"},
          {"default", Json::object()},
          {"title", "materials"},
          {"description", "Materials by name."},
          {"additionalProperties", Json{{"allOf", reference("material")}}}};
}

bool is_number(const Json& rule) {
  return rule.contains("type") && (rule["type"] == "number" || rule["type"] == "integer");
}

void add_bounds(Json& number, const LiveScalar& scalar) {
  const auto bound = [&](double value) {
    return value == std::floor(value) ? Json(static_cast<std::int64_t>(value)) : Json(value);
  };
  number[scalar.above_least ? "exclusiveMinimum" : "minimum"] = bound(scalar.least);
  number["maximum"] = bound(scalar.most);
}

// What the table of live scalars says of a key: texts, unit and bounds, also those of its alternatives, and how it
// changes while a simulation runs.
void add_live_scalar(Json& schema, const LiveScalar& scalar) {
  Json* key = &schema;
  std::string_view rest = scalar.key;
  while (!rest.empty()) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    key = &(*key)["properties"][std::string(rest.substr(0, dot))];
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  (*key)["title"] = scalar.title;
  if (*scalar.text) (*key)["description"] = scalar.text;
  if (*scalar.unit) (*key)["x-unit"] = scalar.unit;
  (*key)["x-live"] = {{"set", scalar.name}, {"argument", scalar.argument}, {"effect", scalar.effect}};
  if (is_number(*key)) add_bounds(*key, scalar);
  if (!key->contains("oneOf")) return;
  for (Json& option : (*key)["oneOf"]) {
    if (is_number(option)) add_bounds(option, scalar);
    if (option.contains("properties")) add_bounds(option["properties"]["default"], scalar);
  }
}

// What sensors measure, for the reference.
Json sensor_quantities() {
  Json list = Json::array();
  for (const QuantityInfo& info : quantities()) {
    Json targets = Json::array(), components = Json::array();
    for (const SensorTarget target : info.targets) targets.push_back(target_name(target));
    for (const std::string_view component : info.components) components.push_back(component);
    if (info.has_norm) components.push_back("norm");
    list.push_back({{"name", info.name},
                    {"unit", info.unit},
                    {"title", info.text},
                    {"components", components},
                    {"statistics", info.place != QuantityPlace::whole},
                    {"of", targets}});
  }
  return list;
}

Json make_schema() {
  Json schema = Json::parse(schema_text::top_level);
  Json definitions = Json::parse(schema_text::definitions);
  const Json selection = Json::parse(schema_text::selection);
  const Json contact = Json::parse(schema_text::contact), run = Json::parse(schema_text::run);
  definitions["selection"] = selection_definition(selection);
  definitions["material"] = material_definition();
  definitions["from_data"] = from_data_definition();
  definitions["initial_strain"] = initial_strain();
  definitions["initial_stress"] = initial_stress();
  definitions["viscosity"] = viscosity();
  definitions["look"] = look();
  definitions["viscosity_of"] = viscosity_of();
  Json body = Json::parse(schema_text::body);
  for (const char* key : {"fix", "load", "spring", "spring_end", "tie", "tie_end"}) add_selection(body[key], selection);
  definitions.update(body);
  definitions["obstacle"] = contact["obstacle"];
  Json sensor = Json::parse(schema_text::sensor);
  Json targets = Json::object();
  for (int target = 0; target < sensor_targets; ++target)
    targets[std::string(target_name(static_cast<SensorTarget>(target)))] = nullptr;
  sensor["sensor"]["allOf"] = Json::array({exactly_one(targets)});
  sensor["sensor"]["properties"]["quantities"]["x-quantities"] = sensor_quantities();
  definitions.update(sensor);
  Json& keys = schema["properties"];
  keys["materials"] = materials_key();
  keys["contact"] = contact["contact"];
  for (const char* key : {"time", "solver", "output"}) keys[key] = run[key];
  for (const LiveScalar& scalar : live_scalars()) add_live_scalar(schema, scalar);
  schema["definitions"] = std::move(definitions);
  return schema;
}

}  // namespace

const Json& scene_schema() {
  static const Json schema = make_schema();
  return schema;
}

}  // namespace sinew
