#include "sinew/lint/scene_check.h"

#include <algorithm>

#include "sinew/core/log.h"
#include "sinew/dynamics/methods.h"
#include "sinew/lint/check_parts.h"
#include "sinew/lint/handle_warnings.h"
#include "sinew/lint/memory.h"

namespace sinew {
namespace {

constexpr const char* note = "note";
constexpr std::size_t most_told = 3;

}  // namespace

SceneCheck::SceneCheck(LeftOut left_out) : left_out_(left_out) {}
SceneCheck::~SceneCheck() = default;

void SceneCheck::look_at(const Setup& setup) {
  facts_ = std::make_unique<SceneFacts>(scene_facts(setup));
  check_meshes(setup, findings_);
  check_locking(setup, findings_);
  check_bending(setup, findings_);
  check_springs(setup, findings_);
}

void SceneCheck::look_at(const Scene& scene, const System& system, const State& state,
                         const std::optional<InitialMotion>& motion) {
  check_start(*facts_, system, state, motion ? &*motion : nullptr, findings_);
  if (motion) check_inverted(system, state, findings_);
  if (!left_out_.intersections) check_intersections(system, state, findings_);
  check_nesting(system, state, findings_);
  if (findings_.count(Severity::error) == 0) check_gaps(system, state, findings_);
  check_freedom(system, state, findings_);
  check_units(*facts_, system, findings_);
  check_materials(*facts_, scene, findings_);
  check_scales(*facts_, system, state.time, findings_);
  check_fits(system, state, motion.has_value(), findings_);
  if (!left_out_.swings) check_damping(system, state.time, findings_);
  check_extremes(*facts_, system, findings_);
  check_newmark(system, findings_);
  check_friction(system, findings_);
  check_reduced(system, state, findings_);
  if (!left_out_.handles) check_handles(system, system.setup.solver, findings_);
  if (!left_out_.handles) check_method_keys(scene, system, findings_);
  check_free_memory(system, findings_);
}

const Findings& SceneCheck::findings() {
  if (kept_) {
    for (const std::string& text : kept_->take()) findings_.add({note, Severity::remark, text, "", {}});
    kept_.reset();
    findings_.sort();
  }
  return findings_;
}

void SceneCheck::tell(const std::string& command) {
  std::size_t others = 0;
  for (const Finding& f : findings().all()) {
    if (f.kind == note) log::message(log::Level::warning, f.message);
    others += f.kind != note;
  }
  std::size_t told = 0;
  for (const Finding& f : findings_.all()) {
    if (f.kind == note || told == most_told) continue;
    log::info("{}: {}: {} [{}]", severity_name(f.severity), f.kind, f.message, f.code());
    ++told;
  }
  if (others == 0) return;
  const std::string more = others > told ? fmt::format("{} more, and what to do", others - told) : "what to do";
  log::info("{}: {}", more, command);
}

}  // namespace sinew
