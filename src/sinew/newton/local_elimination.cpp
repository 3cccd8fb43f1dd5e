#include "sinew/newton/local_elimination.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/newton/newton.h"
#include "sinew/solver/line_search.h"

namespace sinew {
namespace {

// The few hold this share of the descent, with so many rings of neighbours around them, and are at most this share of
// all vertices.
constexpr double held_share = 0.8;
constexpr int rings = 2;
constexpr double most_share = 0.15;
// Newton iterations on the few, which end early below this share of their first descent.
constexpr int most_iterations = 10;
constexpr double balanced = 0.02;
// The few may move by this multiple of the longest motion along d, but by no more than an edge.
constexpr double motions = 8;
// Shorter steps, over Newton's, than this end the iterations: the few have come to the end of their reach.
constexpr double shortest_step = 1e-3;

// The longest share of d by which no vertex is further than `reach` from where it began.
double step_within(double reach, Index moving, const Points& start, const Points& x, const Points& d) {
  double longest = 1;
  for (Index v = 0; v < moving; ++v) {
    const double moved = (x.col(v) - start.col(v)).norm(), motion = d.col(v).norm();
    if (moved + motion > reach) longest = std::min(longest, std::max(0.0, reach - moved) / motion);
  }
  return longest;
}

}  // namespace

LocalElimination::LocalElimination(const IncrementalPotential& potential)
    : potential_(potential), maker_(potential.system()) {}

// The vertices with the largest |g_i . d_i|, until they hold their share of sum |g_i . d_i|, and the rings around them;
// none if they are too many. O(n).
std::vector<Index> LocalElimination::choose(const Points& g, const Points& d) {
  const Index n = potential_.columns();
  descent_.resize(n);
  parallel_for(
      n, [&](std::size_t i) { descent_[i] = std::abs(g.col(i).dot(d.col(i))); }, 4096);
  const double total = parallel_sum(n, [&](std::size_t i) { return descent_[i]; });
  order_.clear();
  for (Index i = 0; i < n; ++i)
    if (descent_[i] > 0 && maker_.may_move(i)) order_.push_back(i);
  const auto most = std::min<std::size_t>(order_.size(), static_cast<std::size_t>(most_share * n));
  const auto before = [&](Index a, Index b) { return descent_[a] != descent_[b] ? descent_[a] > descent_[b] : a < b; };
  std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(most), order_.end(), before);
  order_.resize(most);
  std::ranges::sort(order_, before);
  double sum = 0;
  std::size_t count = 0;
  while (count < most && sum < held_share * total) sum += descent_[order_[count++]];
  if (sum < held_share * total) return {};
  std::vector<Index> few(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(count));
  std::ranges::sort(few);
  for (int ring = 0; ring < rings; ++ring) maker_.grow(few);
  if (static_cast<double>(few.size()) > most_share * n) few.clear();
  return few;
}

double LocalElimination::reach_of(const std::vector<Index>& moving, const Points& d) const {
  double motion = 0;
  for (const Index v : moving) motion = std::max(motion, d.col(v).norm());
  const double edge = maker_.edge_length(moving);
  if (edge > 0) motion = std::min(motions * motion, edge);
  return std::max(potential_.system().contact_distance, motion);
}

// 1. The few: vertices that hold most of g . d.
// 2. Their patch: E as a function of these vertices alone, with its own contacts and filter.
// 3. Newton's method on the patch, with the filter and line search of all iterations. Each step decreases E.
EliminationReport LocalElimination::eliminate(const Points& g, const Points& d, Points& x) {
  EliminationReport report;
  if (potential_.contact().contacts().empty() || !potential_.pseudo_inertia().empty()) return report;
  const Stopwatch watch;
  // Step 1.
  const std::vector<Index> moving = choose(g, d);
  if (moving.empty()) return report;
  // Step 2.
  const double reach = reach_of(moving, d);
  const Patch patch = maker_.make(potential_, x, moving, reach);
  IncrementalPotential& part = *patch.potential;
  NewtonDirection direction(std::make_unique<SparseCholesky>());
  direction.begin_step(*patch.context, part);
  // Step 3.
  LineSearch line_search{LineSearchSettings{}};
  std::vector<PlaneState> planes = part.contact().planes();
  Aim aim;
  aim.planes = planes;
  const Points no_drift;
  Points at = patch.x, g_part, d_part;
  PotentialValue E = part.value(at);
  double first = 0;
  int iterations = 0;
  while (iterations < most_iterations) {
    d_part.setZero(3, at.cols());
    const DirectionResult result = direction.direction(at, no_drift, g_part, d_part);
    if (!result.ok || !d_part.allFinite()) break;
    part.complete(d_part);
    const double descent = -part.slope(g_part, d_part);
    if (iterations == 0) first = descent;
    if (!(descent > balanced * first)) break;
    const double longest = step_within(reach, patch.moving, patch.x, at, d_part);
    if (longest < shortest_step) break;
    const LineSearchResult step = line_search.search(part, aim, g_part, d_part, longest, at, planes, E);
    if (!step.accepted) break;
    ++iterations;
    direction.accepted(at, step.alpha, step.model_error);
    if (step.at_floor) break;
  }
  for (Index v = 0; v < patch.system->body_vertex_count(); ++v) x.col(patch.vertices[v]) = at.col(v);
  report.iterations = iterations * static_cast<double>(patch.moving) / static_cast<double>(potential_.columns());
  report.seconds = watch.seconds();
  return report;
}

}  // namespace sinew
