#include "progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "sinew/mesh/quality.h"

namespace sinew::mesher {
namespace {

constexpr double interval = 0.1;  // between two updates [s]

}  // namespace

ProgressLine::ProgressLine(bool quiet) : enabled_(!quiet && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (enabled_) std::fputs("\r\033[K", stderr);
}

ProgressFunction ProgressLine::function() {
  if (!enabled_) return {};
  return [this](std::string_view stage, std::size_t tets) { update(stage, tets); };
}

void ProgressLine::update(std::string_view stage, std::size_t tets) {
  const double now = watch_.seconds();
  if (stage == stage_ && now - shown_at_ < interval) return;
  stage_ = stage;
  shown_at_ = now;
  fmt::print(stderr, "\r\033[K{}: {} tets, {:.0f} s", stage, tets, now);
  std::fflush(stderr);
}

std::string summary_text(const TetMesh& mesh, const std::string& path, double seconds) {
  const MeshStatistics s = statistics(mesh);
  return fmt::format("{}: {} vertices, {} tets, {} boundary triangles, in {:.1f} s\n", path, s.vertices, s.tets,
                     s.surface.triangles, seconds) +
         region_text(mesh, s) + fmt::format("volume: {:.6g}\n", s.volume) + quality_text(s);
}

}  // namespace sinew::mesher
