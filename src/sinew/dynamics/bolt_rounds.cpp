#include "sinew/dynamics/bolt_rounds.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "sinew/model/bolt.h"

namespace sinew {
namespace {

constexpr const char* slope_entry = "bolts/slope";  // in checkpoints
// The largest change of s in a round, over the range that its tets allow.
constexpr double largest_step = 0.2;
// The slope of a bolt is at least this share of the stiffness of its cut.
constexpr double least_slope = 1e-4;
// A bolt with less than this share of its force hangs loose.
constexpr double loose_force = 1e-3;

// The tolerance is relative to a bolt's force, or to this share of the largest one that the scene gives it.
constexpr double least_target = 1e-3;

// The largest force that the scene gives a bolt [N].
double largest_force(const BoltSetup& setup) {
  return setup.keys.empty() ? std::abs(setup.value) : setup.keys.values.cwiseAbs().maxCoeff();
}

}  // namespace

bool BoltRounds::begin(const StepContext& context, double start) {
  rounds_ = 0;
  kept_.clear();
  for (std::size_t b = 0; b < system_.bolts.size(); ++b)
    if (keeps_force(system_.bolts[b], start)) kept_.push_back(static_cast<Index>(b));
  shortening_ = context.shortening;
  const auto count = static_cast<Index>(kept_.size());
  target_.resize(count);
  scale_.resize(count);
  before_.resize(0);
  for (Index k = 0; k < count; ++k) {
    const Bolt& bolt = system_.bolts[kept_[k]];
    target_[k] = bolt_target(bolt, system_.setup.time, context.time_end, context.load_factor);
    scale_[k] = std::max(std::abs(target_[k]), least_target * largest_force(bolt.setup));
  }
  if (count > 0 && slope_.size() == 0) set_slope();
  return count > 0;
}

void BoltRounds::set_slope() {
  const auto count = static_cast<Index>(system_.bolts.size());
  slope_.setZero(count, count);
  for (Index b = 0; b < count; ++b) slope_(b, b) = cut_stiffness(system_, system_.bolts[b]);
}

VecX BoltRounds::missing(const std::vector<BoltForce>& forces) const {
  VecX result = target_;
  for (std::size_t k = 0; k < kept_.size(); ++k) result[static_cast<Index>(k)] -= forces[kept_[k]].axial;
  return result;
}

// s + J^-1 missing, within the range that tets allow. A bolt without force closes a gap first: it is shortened by twice
// as much in each round, beginning with what its cut alone would need for the force.
std::vector<double> BoltRounds::step(const VecX& missing) {
  const std::vector<Index>& kept = kept_;
  const VecX change = slope_(kept, kept).fullPivLu().solve(missing);
  last_step_.resize(change.size());
  std::vector<double> result = shortening_;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const auto row = static_cast<Index>(k);
    const Bolt& bolt = system_.bolts[kept[k]];
    const double least = smallest_shortening(bolt), most = largest_shortening(bolt), bound = largest_step * most;
    const double own_slope = std::max(slope_(kept[k], kept[k]), least_slope * cut_stiffness(system_, bolt));
    double own = change[row];
    // Its own shortening raises the force of a bolt; the others change it less.
    if (!std::isfinite(own) || own * missing[row] < 0) own = missing[row] / own_slope;
    if (is_loose(row, missing)) own = std::ldexp(target_[row] / cut_stiffness(system_, bolt), loose_rounds_[k]++);
    result[kept[k]] = std::clamp(shortening_[kept[k]] + std::clamp(own, -bound, bound), least, most);
    last_step_[row] = result[kept[k]] - shortening_[kept[k]];
  }
  before_ = missing;
  return shortening_ = result;
}

bool BoltRounds::is_loose(Index kept, const VecX& missing) const {
  const double force = target_[kept] - missing[kept];
  return std::abs(force) < loose_force * std::abs(target_[kept]);
}

std::vector<double> BoltRounds::predict(const std::vector<BoltForce>& at_start) {
  loose_rounds_.assign(kept_.size(), 0);
  std::vector<double> result = step(missing(at_start));
  before_.resize(0);  // loads have changed, too: no secant
  return result;
}

// Broyden's J + (dN - J ds) ds^T / |ds|^2, where N changes by dN with ds. Bolts that hang loose teach nothing about J.
std::vector<double> BoltRounds::next(const std::vector<BoltForce>& forces) {
  ++rounds_;
  const VecX now = missing(forces);
  bool tight = before_.size() > 0 && last_step_.squaredNorm() > 0;
  for (Index k = 0; k < now.size() && tight; ++k) tight = !is_loose(k, now) && !is_loose(k, before_);
  if (tight) {
    const MatX own = slope_(kept_, kept_);
    slope_(kept_, kept_) = own + (before_ - now - own * last_step_) * last_step_.transpose() / last_step_.squaredNorm();
  }
  const double tolerance = system_.setup.solver.force_tolerance;
  if ((now.array().abs() <= tolerance * scale_.array()).all()) return {};
  return step(now);
}

std::string BoltRounds::lack(const std::vector<BoltForce>& forces) const {
  const VecX now = missing(forces);
  Index worst = 0;
  (now.array().abs() / scale_.array()).maxCoeff(&worst);
  const Bolt& bolt = system_.bolts[kept_[worst]];
  const double shortening = shortening_[kept_[worst]];
  const bool at_end = shortening >= largest_shortening(bolt) || shortening <= smallest_shortening(bolt);
  return fmt::format(
      "bolt '{}' of body '{}' does not reach its force: it has {:.4g} N of {:.4g} N at a shortening of {:.4g} m{}",
      bolt.setup.name, system_.bodies[bolt.body].name, forces[kept_[worst]].axial, target_[worst], shortening,
      at_end ? ", the largest that the tets of its cut allow" : "");
}

void BoltRounds::save(ArchiveWriter& archive) const {
  if (slope_.size() > 0) archive.write(slope_entry, std::span(slope_.data(), static_cast<std::size_t>(slope_.size())));
}

void BoltRounds::load(const ArchiveReader& archive) {
  slope_.resize(0, 0);
  if (!archive.has(slope_entry)) return;
  const std::vector<double> numbers = archive.doubles(slope_entry);
  const auto count = static_cast<Index>(system_.bolts.size());
  if (static_cast<Index>(numbers.size()) == count * count)
    slope_ = Eigen::Map<const MatX>(numbers.data(), count, count);
}

}  // namespace sinew
