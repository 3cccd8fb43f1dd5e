#include "improve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collapses.h"
#include "flips.h"
#include "moves.h"
#include "stars.h"
#include "volume_balance.h"

namespace sinew::mesher {
namespace {

constexpr int rounds = 12;

// Tets below the goal, the worst first.
std::vector<std::pair<double, Index>> bad_tets(const Stars& stars, double goal) {
  std::vector<std::pair<double, Index>> bad;
  for (Index t = 0; t < stars.tet_count(); ++t) {
    if (stars.alive(t) && stars.quality(t) < goal) bad.emplace_back(stars.quality(t), t);
  }
  std::sort(bad.begin(), bad.end());
  return bad;
}

bool mend(Stars& stars, Index t, double goal, const ImproveOptions& options) {
  Change best;
  offer_flips(stars, t, options.deviation, best);
  offer_collapses(stars, t, options.deviation, best);
  if (best.old.empty()) return move_corners(stars, t, goal, options);
  stars.apply(best);
  return true;
}

void mend_all(Stars& stars, double goal, const ImproveOptions& options) {
  for (int round = 0; round < rounds; ++round) {
    bool changed = false;
    for (const auto& [quality, t] : bad_tets(stars, goal)) {
      if (!stars.alive(t) || stars.quality(t) >= goal || stars.tried_in_vain(t)) continue;
      stars.begin_attempt();
      const bool mended = mend(stars, t, goal, options);
      changed |= mended;
      if (!mended) stars.failed(t);
    }
    if (!changed) break;
  }
}

}  // namespace

void improve(TetMesh& mesh, const ImproveOptions& options) {
  const double goal = std::sin(options.min_dihedral * std::numbers::pi / 180);
  Stars stars(mesh, options.fixed, options.sharp);
  mend_all(stars, goal, options);
  balance_volume(stars, goal, options);
  mend_all(stars, goal, options);
  stars.write_to(mesh);
}

}  // namespace sinew::mesher
