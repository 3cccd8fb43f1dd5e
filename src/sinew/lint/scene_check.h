// Checks a scene, for `sinew check` and for the commands that run it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/dynamics/simulation.h"
#include "sinew/lint/findings.h"
#include "sinew/lint/kept_warnings.h"
#include "sinew/scene/scene.h"

namespace sinew {

struct SceneFacts;

// Checks that a command makes itself.
struct LeftOut {
  bool intersections = false;  // a Simulation refuses them
  bool handles = false;        // and other keys of `solver` that only some methods use
  bool swings = false;         // which takes an eigenproblem
};

// Looks at a scene while it is built: create it before the scene is read.
class SceneCheck {
 public:
  explicit SceneCheck(LeftOut left_out);
  ~SceneCheck();

  // Meshes and materials. After the scene is read, before building takes its meshes.
  void look_at(const Setup& setup);

  // Everything else. `state`: the start of the scene; `motion`: that of its `initial`.
  void look_at(const Scene& scene, const System& system, const State& state,
               const std::optional<InitialMotion>& motion);

  const SceneFacts& facts() const { return *facts_; }

  // Worst first. Warnings of readers and builders have kind "note".
  const Findings& findings();

  // Writes notes as warnings, the worst few other findings in a line each, and `command`, which prints all findings.
  void tell(const std::string& command);

 private:
  LeftOut left_out_;
  std::optional<KeptWarnings> kept_{std::in_place};
  std::unique_ptr<SceneFacts> facts_;
  Findings findings_;
};

}  // namespace sinew
