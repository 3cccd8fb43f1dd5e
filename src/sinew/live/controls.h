// What users may turn while a simulation runs, by the keys of a scene, and the vertices they pull at.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/dynamics/simulation.h"
#include "sinew/live/events.h"
#include "sinew/scene/fit_materials.h"

namespace sinew {

struct LiveSetting {
  Json value;
  std::string unit;
  double least = 0, most = 0;  // the range of a slider; other values may be set
  bool log = false;
};

// A pull of a viewer as others see it.
struct LivePull {
  int client = 0, id = 0;
  Index vertex = 0;  // user numbering, over all bodies
  Vec3 target = Vec3::Zero();
};

class LiveControls {
 public:
  // completed: the scene with all defaults (Scene::completed) of which the simulation was built; what was changed since
  // is followed. measured: what its materials were fitted to. The simulation must outlive the controls.
  LiveControls(const Json& completed, Simulation& simulation, Measurements measured = {});

  // Throws InputError where the event makes no sense; nothing has changed then. A pull without a stiffness (0) gets the
  // one that suits its body, and the method "auto" the name of the chosen one, which is written into the event.
  void apply(LiveEvent& event);

  // That let go of all pulls: of a viewer, or of everybody.
  std::vector<LiveEvent> releases(std::optional<int> client = {}) const;

  // Whether what a set event asks for is so already.
  bool holds(const std::string& key, const Json& value) const;

  // Curves of a material by name, {"x": [...], "dy": [...]} or null for none, and "rest"; what is not named stays.
  // Throws InputError, and changes nothing, where the curves make no material.
  void set_curves(const std::string& name, const Json& changed);
  Json curves(const std::string& name) const;  // all of them, as an event holds them; null: no material with curves

  // Materials that are drawn, as they have curves or were fitted to measured ones: as in messages of type curves. The
  // version grows with each change of one.
  std::map<std::string, long> drawn_versions() const;
  Json drawn(const std::string& name) const;

  Json settings() const;                            // as in messages of type state
  const Json& value(const std::string& key) const;  // of a setting; throws InputError naming those there are
  std::vector<LiveEvent> all() const;               // what differs from the start, pulls too, as events
  Json completed() const;                           // the scene with the present settings
  std::vector<LivePull> pulls() const;
  long version() const { return version_; }        // grows with each event
  const StateLoss& loss() const { return loss_; }  // of the last change of the method

 private:
  void add(const std::string& key, const Json::json_pointer& place, Json value, std::string unit, double least,
           double most, bool log);
  struct Material {
    Json::json_pointer place;  // in the scene
    Json start;                // at the start
    Json arrays;               // what was set for each tet, by key: a scene holds such values in files
  };

  void add_material(const std::string& name, const Json::json_pointer& place, const Json& material);
  void renew_settings(const std::string& material);
  void follow(const ChangeRecord& changes);
  void follow(const std::string& key, Json value);
  void set(const std::string& key, const Json& value);
  std::pair<std::string, std::string> material_of(const std::string& key) const;
  void set_material(const std::string& name, const Json& changed);
  void keep_parameters(const std::string& name, const UserParameters& parameters);
  void keep_fibers(const std::string& name, const FiberValues& fibers);
  FiberValues changed_fibers(const std::string& name, const Json& changed) const;
  Json material_now(const Material& material) const;
  void add_changes(const std::string& name, const Material& material, std::vector<LiveEvent>& events) const;
  void pull();

  Simulation& simulation_;
  Json completed_;
  std::string start_method_;
  std::vector<std::pair<std::string, LiveSetting>> settings_;
  std::map<std::string, Json::json_pointer> places_;  // in the scene
  std::map<std::string, Json> start_;                 // values at the start, but of materials
  struct Drawn {
    Json::json_pointer place;  // in the scene
    Json start;                // curves at the start, and "rest"; null of materials without
    long version = 1;
  };
  std::map<std::string, Drawn> drawn_;  // materials
  std::map<std::string, Material> materials_;
  Measurements measured_;
  struct Held {
    Pull pull;
    Index user_vertex = 0;
  };
  std::map<std::pair<int, int>, Held> pulls_;  // by viewer and its number
  std::vector<Index> from_user_;               // simulation's number of each user vertex, -1: none
  StateLoss loss_;
  long version_ = 0;
};

}  // namespace sinew
