// Numbers that look as if they were meant in other units, and materials that nothing uses.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sinew/lint/check_parts.h"

namespace sinew {
namespace {

// At and beyond these a number is more likely a slip of units than meant.
constexpr double large_body = 1e3, small_body = 1e-5;    // diagonal [m]
constexpr double rather_large_body = 20;                 // [m], parts drawn in millimetres are mostly larger
constexpr double soft = 1e3 * (1 + 1e-9), stiff = 1e13;  // Young's modulus [Pa]: jelly, beyond diamond
constexpr double light = 10, heavy = 3e4;                // density [kg/m^3]: foam, beyond osmium
constexpr double strong_gravity = 1e3;                   // [m/s^2]: 9810 is mm/s^2
constexpr double far_mass_ratio = 1e5;

void add(Findings& findings, const char* kind, Severity severity, std::string message, std::string remedy,
         std::vector<std::string> owners, double value) {
  findings.add({kind, severity, std::move(message), std::move(remedy), std::move(owners), value});
}

std::string range_text(const Range& range) {
  return range.low == range.high ? fmt::format("{:.4g}", range.low)
                                 : fmt::format("{:.4g} to {:.4g}", range.low, range.high);
}

void check_size(const BodyFacts& body, Findings& findings) {
  const double size = body.diagonal();
  if (size >= rather_large_body && size < large_body) {
    add(findings, "units", Severity::remark,
        fmt::format("body '{}' measures {:.4g} m from corner to corner and weighs {:.3g} kg", body.name, size,
                    body.mass),
        "if its mesh is in millimetres, bring it to metres with \"transform\": {\"scale\": 0.001}", {body.name}, size);
  }
  if (size < large_body && size > small_body) return;
  const bool large = size >= large_body;
  add(findings, "units", Severity::warning,
      fmt::format("body '{}' measures {:.4g} m from corner to corner{}", body.name, size,
                  large ? "; is its mesh in millimetres?" : ""),
      large ? "lengths are in metres: bring it to size with \"transform\": {\"scale\": 0.001}"
            : "lengths are in metres: bring it to size with \"transform\": {\"scale\": ...}",
      {body.name}, size);
}

void check_material(const std::string& name, const MaterialFacts& m, Findings& findings) {
  if (m.young.low <= soft) {
    add(findings, "units", Severity::warning,
        fmt::format("material '{}' has a Young's modulus of {} Pa, as soft as jelly; is it in kPa or MPa?", name,
                    range_text(m.young)),
        "stiffnesses are in pascals: 1 MPa is 1e6", {name}, m.young.low);
  }
  if (m.young.high >= stiff) {
    add(findings, "units", Severity::warning,
        fmt::format("material '{}' has a Young's modulus of {} Pa, stiffer than diamond (1.2e12 Pa)", name,
                    range_text(m.young)),
        "stiffnesses are in pascals; a body that does not deform is best an obstacle", {name}, m.young.high);
  }
  if (m.density.low < light || m.density.high > heavy) {
    const bool too_light = m.density.low < light;
    add(findings, "units", Severity::warning,
        fmt::format("material '{}' has a density of {} kg/m^3, {}", name, range_text(m.density),
                    too_light ? "lighter than foam; is it in g/cm^3?" : "heavier than any metal"),
        "densities are in kg/m^3: water has 1000", {name}, too_light ? m.density.low : m.density.high);
  }
}

void check_gravity(const SceneFacts& facts, const Setup& setup, Findings& findings) {
  const double g = setup.gravity.norm();
  if (g >= strong_gravity) {
    add(findings, "units", Severity::warning, fmt::format("gravity is {:.4g} m/s^2; is it in mm/s^2?", g),
        "the earth's is 9.81 m/s^2", {}, g);
  }
  for (const BodyFacts& body : facts.bodies) {
    const double height = g > 0 ? std::abs((body.upper - body.lower).dot(setup.gravity)) / g : 0;
    const double sag = body.density.high * g * height / body.young.low;
    if (sag < 1) continue;
    add(findings, "weight", Severity::warning,
        fmt::format("body '{}' would collapse under its own weight: the pressure is {:.3g} times its Young's modulus",
                    body.name, sag),
        "check its size [m], density [kg/m^3], Young's modulus [Pa] and gravity [m/s^2]", {body.name}, sag);
  }
}

// The largest size of a load over its keys [Pa].
double load_pressure(const FaceLoad& load) {
  if (load.kind == LoadKind::gas) {
    const double amount = load.factor.empty() ? load.gas.amount : load.factor.values.maxCoeff();
    const double most = (load.gas.ambient + load.pressure) * std::pow(amount, load.gas.exponent);
    return std::max(std::abs(load.pressure), std::abs(most - load.gas.ambient));
  }
  double size = load.kind == LoadKind::pressure ? std::abs(load.pressure) : load.vector.norm();
  for (Eigen::Index k = 0; k < load.vector_keys.values.cols(); ++k)
    size = std::max(size, load.vector_keys.values.col(k).norm());
  if (!load.factor.empty()) size *= load.factor.values.cwiseAbs().maxCoeff();
  if (load.kind == LoadKind::wind) return load.wind.drag / 2 * size * size;
  if (load.kind == LoadKind::moment) return size / std::pow(load.total_area, 1.5);
  const bool total = load.kind == LoadKind::force || load.kind == LoadKind::remote_force;
  return total ? size / load.total_area : size;
}

void check_loads(const SceneFacts& facts, const System& system, Findings& findings) {
  for (const FaceLoad& load : system.loads) {
    const BodyFacts& body = facts.bodies[system.vertex_body[load.faces(0, 0)]];
    const double pressure = load_pressure(load);
    if (pressure < body.young.low) continue;
    add(findings, "load", Severity::warning,
        fmt::format("a load of {:.4g} Pa on body '{}' is above its Young's modulus of {} Pa and would crush it",
                    pressure, body.name, range_text(body.young)),
        "check the load's units ([Pa], or [N] for a force) and the material's", {body.name}, pressure);
  }
}

}  // namespace

void check_units(const SceneFacts& facts, const System& system, Findings& findings) {
  for (const BodyFacts& body : facts.bodies) check_size(body, findings);
  for (const auto& [name, material] : facts.materials) check_material(name, material, findings);
  check_gravity(facts, system.setup, findings);
  check_loads(facts, system, findings);
  const auto [light_body, heavy_body] = std::minmax_element(
      facts.bodies.begin(), facts.bodies.end(), [](const BodyFacts& a, const BodyFacts& b) { return a.mass < b.mass; });
  const double ratio = heavy_body->mass / light_body->mass;
  if (ratio > far_mass_ratio) {
    add(findings, "mass ratio", Severity::remark,
        fmt::format("body '{}' weighs {:.3g} kg, body '{}' {:.3g} kg: where they touch, contact needs more iterations",
                    heavy_body->name, heavy_body->mass, light_body->name, light_body->mass),
        "check densities and sizes", {heavy_body->name, light_body->name}, ratio);
  }
}

void check_materials(const SceneFacts& facts, const Scene& scene, Findings& findings) {
  std::set<std::string> of_obstacles;
  for (const auto& obstacle : scene.completed["obstacles"]) {
    of_obstacles.insert(obstacle.value("material", obstacle.value("name", "")));
  }
  const auto used = [&](const std::string& name) {
    return facts.materials.contains(name) || of_obstacles.contains(name);
  };
  for (const auto& [name, value] : scene.completed["materials"].items()) {
    if (used(name)) continue;
    findings.add({"unused material",
                  Severity::remark,
                  fmt::format("no body uses material '{}'", name),
                  "remove it, or name it in a body's \"material\"",
                  {name}});
  }
  const Json& friction = scene.completed["contact"]["friction"];
  if (!friction.is_object()) return;
  for (const auto& pair : friction["pairs"]) {
    for (const int k : {0, 1}) {
      const std::string name = pair[k];
      if (used(name)) continue;
      findings.add({"friction pair",
                    Severity::remark,
                    fmt::format("the pair {} of contact.friction never applies: no body or obstacle has material '{}'",
                                pair.dump(), name),
                    "remove the pair, or correct its name",
                    {name}});
    }
  }
}

}  // namespace sinew
