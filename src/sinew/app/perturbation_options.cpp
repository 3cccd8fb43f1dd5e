#include "sinew/app/perturbation_options.h"

#include <CLI/CLI.hpp>

#include "sinew/app/commands.h"
#include "sinew/core/error.h"
#include "sinew/io/base_state.h"
#include "sinew/perturbation/contact_words.h"

namespace sinew::app {

void PerturbationOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "--state", state,
          "State about which the analysis is linear: a frame (.vtu), a checkpoint (.h5) or the output folder of a "
          "run of the scene (default: the scene's initial state)")
      ->check(not_empty("a file or folder"));
  command
      .add_option("--contact", contact,
                  "Motions that closed contacts allow. scene (default): those with friction stick, others slide. tied: "
                  "all stick. "
                  "sliding: all slide. open: contacts have no stiffness")
      ->check(not_empty("one of these words"));
}

ContactTangent PerturbationOptions::contacts() const {
  return contact.empty() ? ContactTangent::scene : contact_of_word(contact, "--contact");
}

Tangent PerturbationOptions::tangent(const Scene& scene, const System& system) const {
  const bool given = !state.empty();
  const InitialSetup initial = given ? InitialSetup{state} : scene.initial;
  return {system, read_base_state(initial, system, given ? "--state" : scene.source), contacts()};
}

void require_statics(const System& system, const char* command) {
  if (system.setup.time.integrator == Integrator::statics) return;
  fail_input(code::modes,
             "{}: found a dynamic scene, expected a static one, whose loads grow from time 0 to 1; add --set "
             "time.mode=static",
             command);
}

}  // namespace sinew::app
