// Options that commands of linear analyses share: the state about which they work, and its contacts.
#pragma once

#include <string>

#include "sinew/perturbation/tangent.h"
#include "sinew/scene/scene.h"

namespace CLI {
class App;
}

namespace sinew::app {

struct PerturbationOptions {
  std::string state;    // --state; empty: that of the scene
  std::string contact;  // --contact; empty: scene

  void add_to(CLI::App& command);  // --state, --contact
  bool given() const { return !state.empty() || !contact.empty(); }
  // Throws InputError for unknown words.
  ContactTangent contacts() const;
  // Linearises at --state; without it, at the state that the scene's key `initial` names, or at rest.
  Tangent tangent(const Scene& scene, const System& system) const;
};

// Throws InputError naming the command unless the scene is static.
void require_statics(const System& system, const char* command);

}  // namespace sinew::app
