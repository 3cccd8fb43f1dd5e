// Settings that users change while a simulation runs, named by the keys of a scene, and the users' pulls.
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

// A pull of one viewer, as shown to the other viewers.
struct LivePull {
  int client = 0, id = 0;
  Index vertex = 0;  // user numbering, over all bodies
  Vec3 target = Vec3::Zero();
  double stiffness = 0;  // [N/m]
};

class LiveControls {
 public:
  // scene: the simulation's scene with all defaults (Scene::completed); later edits are taken from the simulation.
  // measured: the data to which materials were fitted. The simulation must outlive this.
  LiveControls(const Json& scene, Simulation& simulation, Measurements measured = {});

  // Applies an event. Throws InputError and changes nothing if the event is invalid. Completes the event: sets the
  // stiffness of a pull if it is 0, and the name of the chosen method for "auto".
  void apply(LiveEvent& event);

  // Returns events that release all pulls of one viewer; without `client`, of all viewers.
  std::vector<LiveEvent> releases(std::optional<int> client = {}) const;

  // Sets curves of a material by name. A curve is {"x": [...], "dy": [...]}, or null to remove it; "rest" may be set
  // too. Other curves stay. Throws InputError and changes nothing if the curves do not define a material.
  void set_curves(const std::string& name, const Json& changed);

  // Materials with curves or fits, as in messages of type curves, each with a version that grows with each change.
  const std::map<std::string, long>& drawn_versions() const { return drawn_; }
  Json drawn(const std::string& name) const;

  Json settings() const;                     // as in messages of type state
  Json value(const std::string& key) const;  // value of one setting; throws InputError naming the known ones
  std::vector<LiveEvent> all() const;        // all changes since the start, including pulls
  Json completed() const;                    // the scene with the current settings
  std::vector<LivePull> pulls() const;
  // Returns the stiffness [N/m] of a pull that pins a vertex (user numbering), a hundred times the usual one. A body
  // that hangs from a pin sags by g h^2 / 4.
  double pin_stiffness(Index vertex) const;
  long version() const { return version_; }        // grows with each event
  const StateLoss& loss() const { return loss_; }  // loss by the last method switch

 private:
  using Place = Json::json_pointer;
  struct Setting {
    Json value;
    std::string unit, title;
    bool whole = false;
    SliderRange range;       // range of the slider; values outside may be set
    std::string group = {};  // to which the page puts it; empty: by its key
  };
  using Settings = std::vector<std::pair<std::string, Setting>>;

  Settings settings_now(bool at_start = false) const;
  void add_parameters(const std::string& name, const MaterialState& material, Settings& all) const;
  void remember_ranges(const Settings& settings);
  Json curves(const std::string& name) const;  // as in an event; null: the material has no curves
  void set(const std::string& key, const Json& value);
  void set_material(const std::string& name, const Json& changed);
  void pull(LiveEvent& event);
  Index vertex_of(Index user) const;  // the simulation's number; throws InputError if there is none
  const Place* find_material(const std::string& name) const;
  std::pair<std::string, std::string> material_of(const std::string& key) const;
  MaterialState material_now(const std::string& name) const;
  void add_changes(const std::string& name, std::vector<LiveEvent>& events) const;

  Simulation& simulation_;
  Json scene_;                // at the start
  std::string start_method_;  // resolved
  Measurements measured_;
  std::vector<std::pair<std::string, Place>> materials_;  // materials of the scene and of single bodies
  std::map<std::string, SliderRange> ranges_;             // ranges of settings, from their first values
  std::map<std::string, long> drawn_;
  std::vector<Index> from_user_;  // simulation's number of each user vertex; -1: not simulated
  StateLoss loss_;
  long version_ = 0;
};

}  // namespace sinew
