#include "progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "sinew/mesh/quality.h"

namespace sinew::mesher {
namespace {

constexpr double at_terminal = 0.1, elsewhere = 30;  // between two updates [s]

bool is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

}  // namespace

ProgressLine::ProgressLine(bool quiet) : ProgressLine(quiet, is_terminal(), is_terminal() ? at_terminal : elsewhere) {}

ProgressLine::ProgressLine(bool quiet, bool terminal, double every)
    : enabled_(!quiet), terminal_(terminal), every_(every) {}

ProgressLine::~ProgressLine() {
  if (enabled_ && terminal_) std::fputs("\r\033[K", stderr);
}

ProgressFunction ProgressLine::function() {
  if (!enabled_) return {};
  return [this](std::string_view stage, std::size_t tets) { update(stage, tets); };
}

void ProgressLine::update(std::string_view stage, std::size_t tets) {
  const double now = watch_.seconds();
  if (now - shown_at_ < every_ && !(terminal_ && stage != stage_)) return;
  stage_ = stage;
  shown_at_ = now;
  const std::string text = fmt::format("{}: {} tets, {:.0f} s", stage, tets, now);
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", text, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

std::string summary_text(const TetMesh& mesh, const std::string& path, double seconds) {
  const MeshStatistics s = statistics(mesh);
  return fmt::format("{}: {} vertices, {} tets, {} boundary triangles, in {:.1f} s\n", path, s.vertices, s.tets,
                     s.surface.triangles, seconds) +
         region_text(mesh, s) + fmt::format("volume: {:.6g}\n", s.volume) + quality_text(s);
}

}  // namespace sinew::mesher
