#include "sinew/dynamics/bolt_rounds.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "sinew/model/bolt.h"

namespace sinew {
namespace {

constexpr const char* slope_entry = "bolts/slope";  // in checkpoints
// The largest change of s in a round, over the range that its tets allow: N may be zero until gaps close.
constexpr double largest_step = 0.2;
// The slope of a bolt is at least this share of the stiffness of its cut, for the same reason.
constexpr double least_slope = 1e-4;

// The tolerance is relative to a bolt's force, or to this share of the largest one that the scene gives it.
constexpr double least_target = 1e-3;

// The largest force that the scene gives a bolt [N].
double largest_force(const BoltSetup& setup) {
  return setup.keys.empty() ? std::abs(setup.value) : setup.keys.values.cwiseAbs().maxCoeff();
}

}  // namespace

bool BoltRounds::begin(const StepContext& context) {
  rounds_ = 0;
  kept_.clear();
  for (std::size_t b = 0; b < system_.bolts.size(); ++b)
    if (keeps_force(system_.bolts[b], context.time_end)) kept_.push_back(static_cast<Index>(b));
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

// s + J^-1 missing, within the range that tets allow.
std::vector<double> BoltRounds::step(const VecX& missing) {
  const std::vector<Index>& kept = kept_;
  MatX slope = slope_(kept, kept);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const double least = least_slope * cut_stiffness(system_, system_.bolts[kept[k]]);
    auto& own = slope(static_cast<Index>(k), static_cast<Index>(k));
    if (!(own > least)) own = least;
  }
  VecX change = slope.fullPivLu().solve(missing);
  last_step_.resize(change.size());
  std::vector<double> result = shortening_;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const Bolt& bolt = system_.bolts[kept[k]];
    const double least = smallest_shortening(bolt), most = largest_shortening(bolt), bound = largest_step * most;
    double own = change[static_cast<Index>(k)];
    if (!std::isfinite(own)) own = 0;
    result[kept[k]] = std::clamp(shortening_[kept[k]] + std::clamp(own, -bound, bound), least, most);
    last_step_[static_cast<Index>(k)] = result[kept[k]] - shortening_[kept[k]];
  }
  before_ = missing;
  return shortening_ = result;
}

std::vector<double> BoltRounds::predict(const std::vector<BoltForce>& at_start) {
  std::vector<double> result = step(missing(at_start));
  before_.resize(0);  // loads have changed, too: no secant
  return result;
}

// Broyden's J + (dN - J ds) ds^T / |ds|^2, where N changes by dN with ds.
std::vector<double> BoltRounds::next(const std::vector<BoltForce>& forces) {
  ++rounds_;
  const VecX now = missing(forces);
  if (before_.size() > 0 && last_step_.squaredNorm() > 0) {
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
      "bolts[{}] of body '{}' does not reach its force: it has {:.4g} N of {:.4g} N at a shortening of {:.4g} m{}",
      bolt.entry, system_.bodies[bolt.body].name, forces[kept_[worst]].axial, target_[worst], shortening,
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
