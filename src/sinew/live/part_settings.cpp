#include "sinew/live/part_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/model/control.h"

namespace sinew {
namespace {

SliderRange range_of_size(double value) {
  return value > 0 ? SliderRange{value / 1e3, value * 1e3, true} : SliderRange{0, 1, false};
}

// A spring as long as it is now at twice its length.
SliderRange range_of_length(double value) {
  return {0, value > 0 ? 2 * value : 1, false};
}

SliderRange range_of_pressure(double value) {
  const double size = value != 0 ? 10 * std::abs(value) : 1e4;
  return {-size, size, false};
}

// Calls visit(setting, edits), where edits(value) returns the edits that set it.
template <class Visit>
void for_each_part(const System& system, Visit&& visit) {
  for (Index b = 0; b < static_cast<Index>(system.bodies.size()); ++b) {
    const SystemBody& body = system.bodies[b];
    for (const std::string& name : body.spring_names) {
      if (name.empty()) continue;
      const std::vector<std::size_t> springs = find_springs(system, b, name);
      if (springs.empty()) continue;
      const Spring& first = system.springs[springs.front()];
      const std::string place = fmt::format("springs.{}.{}.", body.name, name), group = "Spring " + name;
      visit(
          PartSetting{place + "length", group, "length", "m", first.length, range_of_length(first.length)},
          [&](double value) { return spring_edits(system, b, name, {.length = value, .stiffness = {}, .point = {}}); });
      visit(
          PartSetting{place + "stiffness", group, "stiffness", "N/m", first.stiffness, range_of_size(first.stiffness)},
          [&](double value) { return spring_edits(system, b, name, {.length = {}, .stiffness = value, .point = {}}); });
    }
    for (const std::string& name : body.load_names) {
      if (name.empty()) continue;
      const std::size_t load = find_load(system, b, name);
      if (system.loads[load].kind == LoadKind::wind) {
        // A slider of a vector scales it: still air gets a direction from scripts alone.
        const Vec3 velocity = system.loads[load].vector;
        if (!system.loads[load].vector_keys.empty() || velocity.isZero(0)) continue;
        visit(PartSetting{fmt::format("loads.{}.{}.wind", body.name, name), "Load " + name, "wind", "m/s",
                          velocity.norm(), range_of_size(velocity.norm())},
              [&](double value) {
                return std::vector<Edit>{load_edit(system, b, name, LoadKind::wind, value * velocity.normalized(), 0)};
              });
        continue;
      }
      if (system.loads[load].kind != LoadKind::pressure) continue;
      const double now = system.loads[load].pressure;
      visit(PartSetting{fmt::format("loads.{}.{}.pressure", body.name, name), "Load " + name, "pressure", "Pa", now,
                        range_of_pressure(now)},
            [&](double value) {
              return std::vector<Edit>{load_edit(system, b, name, LoadKind::pressure, Vec3::Zero(), value)};
            });
    }
  }
  for (const auto& entry : system.muscles) {
    const std::string& name = entry.first;  // no structured binding: the lambda captures it
    if (entry.second.most == 0) continue;
    visit(PartSetting{fmt::format("materials.{}.fiber.activation", name), name, "activation of the fibers", "",
                      entry.second.activation, SliderRange{0, 1, false}},
          [&](double value) {
            return std::vector<Edit>{ActivationEdit{name, value}};
          });
  }
  const std::size_t count = system.friction_names.size();
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t c = a; c < count; ++c) {
      if (!system.setup.contact.enabled || !system.collision.own_friction[a * count + c]) continue;
      const std::string &one = system.friction_names[a], &other = system.friction_names[c];
      visit(PartSetting{fmt::format("contact.friction.{}.{}", one, other), "Friction",
                        fmt::format("{} on {}", one, other), "", system.collision.friction[a * count + c],
                        SliderRange{0, 1, false}},
            [&](double value) {
              return std::vector<Edit>{PairFrictionEdit{a, c, value}};
            });
    }
}

}  // namespace

std::vector<PartSetting> part_settings(const System& system) {
  std::vector<PartSetting> settings;
  for_each_part(system, [&](PartSetting setting, auto&&) { settings.push_back(std::move(setting)); });
  return settings;
}

std::vector<Edit> part_edits(const System& system, const std::string& key, double value) {
  std::vector<Edit> found;
  for_each_part(system, [&](const PartSetting& setting, auto&& edits) {
    if (found.empty() && setting.key == key) found = edits(value);
  });
  return found;
}

}  // namespace sinew
