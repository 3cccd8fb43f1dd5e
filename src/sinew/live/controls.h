// What users may turn while a simulation runs, by the keys of a scene, and the vertices they pull at.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/dynamics/simulation.h"
#include "sinew/live/events.h"
#include "sinew/live/material_state.h"
#include "sinew/model/live_scalars.h"
#include "sinew/scene/fit_materials.h"

namespace sinew {

// A pull of a viewer as others see it.
struct LivePull {
  int client = 0, id = 0;
  Index vertex = 0;  // user numbering, over all bodies
  Vec3 target = Vec3::Zero();
  double stiffness = 0;  // [N/m]
};

class LiveControls {
 public:
  // scene: with all defaults (Scene::completed), of which the simulation was built; what was edited since is followed.
  // measured: what its materials were fitted to. The simulation must outlive the controls.
  LiveControls(const Json& scene, Simulation& simulation, Measurements measured = {});

  // Throws InputError where the event makes no sense; nothing has changed then. A pull without a stiffness (0) gets the
  // one that suits its body, and the method "auto" the name of the chosen one, which is written into the event.
  void apply(LiveEvent& event);

  // That let go of all pulls: of a viewer, or of everybody.
  std::vector<LiveEvent> releases(std::optional<int> client = {}) const;

  // Curves of a material by name, {"x": [...], "dy": [...]} or null for none, and "rest"; what is not named stays.
  // Throws InputError, and changes nothing, where the curves make no material.
  void set_curves(const std::string& name, const Json& changed);

  // Materials that are drawn, as they have curves or were fitted to measured ones: as in messages of type curves. The
  // version grows with each change of one.
  const std::map<std::string, long>& drawn_versions() const { return drawn_; }
  Json drawn(const std::string& name) const;

  Json settings() const;                     // as in messages of type state
  Json value(const std::string& key) const;  // of a setting; throws InputError naming those there are
  std::vector<LiveEvent> all() const;        // what differs from the start, pulls too, as events
  Json completed() const;                    // the scene with the present settings
  std::vector<LivePull> pulls() const;
  long version() const { return version_; }        // grows with each event
  const StateLoss& loss() const { return loss_; }  // of the last change of the method

 private:
  using Place = Json::json_pointer;
  struct Setting {
    Json value;
    std::string unit, title;
    bool whole = false;
    SliderRange range;  // other values may be set
  };
  using Settings = std::vector<std::pair<std::string, Setting>>;

  Settings settings_now(bool at_start = false) const;
  void add_parameters(const std::string& name, const MaterialState& material, Settings& all) const;
  void remember_ranges(const Settings& settings);
  Json curves(const std::string& name) const;  // all of them, as an event holds them; null: no material with curves
  void set(const std::string& key, const Json& value);
  void set_material(const std::string& name, const Json& changed);
  void pull(LiveEvent& event);
  const Place* find_material(const std::string& name) const;
  std::pair<std::string, std::string> material_of(const std::string& key) const;
  MaterialState material_now(const std::string& name) const;
  void add_changes(const std::string& name, std::vector<LiveEvent>& events) const;

  Simulation& simulation_;
  Json scene_;                // at the start
  std::string start_method_;  // resolved
  Measurements measured_;
  std::vector<std::pair<std::string, Place>> materials_;  // those of the scene and those of bodies alone
  std::map<std::string, SliderRange> ranges_;             // of settings, from their first value
  std::map<std::string, long> drawn_;
  std::vector<Index> from_user_;  // simulation's number of each user vertex, -1: none
  StateLoss loss_;
  long version_ = 0;
};

}  // namespace sinew
