// Checks a scene, for `sinew check` and for commands that run the scene.
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

// Checks to leave out, because a command makes them itself.
struct LeftOut {
  bool intersections = false;  // Simulation refuses them
  bool handles = false;        // also other keys of `solver` that only some methods use
  bool swings = false;         // damping of vibrations, which needs an eigenproblem
};

// Checks a scene while it is built. Create this before the scene is read.
class SceneCheck {
 public:
  explicit SceneCheck(LeftOut left_out);
  ~SceneCheck();

  // Checks meshes and materials. Call it after the scene is read, before the system takes the meshes.
  void look_at(const Setup& setup);

  // Makes all other checks. state: start of the scene. motion: that of the scene's `initial`.
  void look_at(const Scene& scene, const System& system, const State& state,
               const std::optional<InitialMotion>& motion);

  const SceneFacts& facts() const { return *facts_; }

  // Returns the findings, worst first. Warnings of readers and builders have the kind "note".
  const Findings& findings();

  // Writes notes as warnings, and the few worst other findings, one on each line. command: prints all findings.
  void tell(const std::string& command);

 private:
  LeftOut left_out_;
  std::optional<KeptWarnings> kept_{std::in_place};
  std::unique_ptr<SceneFacts> facts_;
  Findings findings_;
};

}  // namespace sinew
