// What continuation cannot follow, by name.
#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/dynamics/continuation.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/potential/inelastic_strain.h"
#include "sinew/potential/moment.h"

namespace sinew {
namespace {

[[noreturn]] void refuse(const std::string& found, const char* remedy) {
  fail_input(code::method, "time.mode: \"continuation\" does not support {}; {}", found, remedy);
}

// The path may go back in load, where friction, plastic flow and the like do not go back.
void refuse_history(const System& system) {
  if (const InelasticBody found = inelastic_body(system); found.body >= 0)
    refuse(fmt::format("the {} of body '{}'", found.what, system.bodies[found.body].name),
           "use mode \"static\", or an elastic material");
  const auto& friction = system.collision.friction;
  if (system.setup.contact.enabled && std::ranges::any_of(friction, [](double mu) { return mu > 0; }))
    refuse("friction", "set contact.friction to 0, or use mode \"static\"");
  const auto ends = std::ranges::find_if(system.ties, [](const Tie& tie) { return tie.may_end(); });
  if (ends != system.ties.end())
    refuse(fmt::format("ties that end, such as that of bodies '{}' and '{}'", system.bodies[ends->body].name,
                       system.bodies[ends->to].name),
           "leave out until and breaks_at");
  const auto released = std::ranges::find_if(system.prescribed, [](const auto& p) { return p.until < forever; });
  if (released != system.prescribed.end())
    refuse(fmt::format("fixes with until, such as that of body '{}'",
                       system.bodies[system.vertex_body[released->vertex]].name),
           "leave out until");
  const auto let_go = std::ranges::find_if(system.springs, [](const Spring& s) { return s.until < forever; });
  if (let_go != system.springs.end())
    refuse(fmt::format("springs with until, such as those of body '{}'", system.bodies[let_go->body].name),
           "leave out until");
  if (!system.interferences.empty() || !system.interference_steps.empty())
    refuse("bodies that overlap at the start", "use mode \"static\"");
  if (!system.bolts.empty()) refuse("bolts", "use mode \"static\"");
}

}  // namespace

void require_continuation(const System& system, const std::string& method) {
  if (method != "newton") refuse(fmt::format("solver.method \"{}\"", method), "use \"newton\" or \"auto\"");
  refuse_history(system);
  const ContactSetup& contact = system.setup.contact;
  if (contact.enabled && contact.model != ContactKind::barrier)
    refuse("contact.model other than \"barrier\"", "use \"barrier\"");
  if (system.setup.spin) refuse("spin", "use mode \"static\"");
  if (!system.skins.empty()) refuse("skeletons", "use mode \"static\"");
  const auto turning = std::ranges::find_if(system.loads, [](const FaceLoad& l) { return is_moment_load(l.kind); });
  if (turning != system.loads.end())
    refuse(fmt::format("moments and remote forces, such as that on body '{}'", system.bodies[turning->body].name),
           "use forces or prescribed motion");
  if (const auto loose = find_loose_piece(system, 0))
    fail_input(code::static_free,
               "time.mode: \"continuation\" needs bodies that fixed vertices or springs hold, also without contact: "
               "nothing holds body '{}' along {}",
               system.bodies[loose->body].name, "xyz"[loose->axis]);
}

}  // namespace sinew
