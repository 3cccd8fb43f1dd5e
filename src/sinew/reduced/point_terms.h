// Terms of the potential that see points alone, in a subspace: the springs and pressures of full space
// (potential/springs.h, potential/pressure.h) over a system whose vertices are the points.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/pressure.h"
#include "sinew/potential/springs.h"
#include "sinew/reduced/point_motion.h"
#include "sinew/reduced/point_springs.h"
#include "sinew/reduced/position_space.h"

namespace sinew {

// Loads of kind pressure, whose faces have points for corners, and the rows of these.
struct PointPressures {
  std::vector<FaceLoad> loads;
  std::vector<PointRow> rows;
};
// The vertices under pressure are points `first`, `first` + 1, ...
PointPressures point_pressures(const System& system, Index first);

class PointTerms {
 public:
  // motion: of all points; of the springs the first. `system` must outlive this.
  PointTerms(const System& system, const std::vector<PointSpring>& springs, std::vector<FaceLoad> loads,
             std::unique_ptr<PointMotion> motion);

  bool empty() const { return points_.springs.empty() && points_.loads.empty(); }
  const PointMotion& motion() const { return *motion_; }

  // Anchors at a time, and which springs still hold.
  void set_time(double time) { springs_.set_time(time); }
  void begin_step(const SpaceStep& step, const MatX& start);
  // Pressures on patches with a border (Energy::lag).
  void lag(const MatX& y);
  double lagging_change(const MatX& y);  // relative

  double value(const MatX& y);          // [J]
  double spring_energy(const MatX& y);  // of that [J]
  void add_gradient(const MatX& y, double scale, MatX& g);
  // By the points at the y of the last gradient, projected to positive semidefinite; null: there is none. And the
  // points that it has.
  const SymBlockMatrix* hessian(double scale);
  std::span<const Index> touched() const { return all_; }

 private:
  System points_;  // rest, springs, loads and motions alone
  std::unique_ptr<PointMotion> motion_;
  SpringEnergy springs_;
  PressureEnergy pressure_;
  std::vector<Index> all_;
  // Work space.
  Points x_, g_;
  Points gradient_x_;  // of the last gradient
  SymBlockMatrix H_;
};

// Terms over points of a kind, which knows how its own Hessian goes on to the unknowns.
template <class Motion>
struct TermsOver {
  std::unique_ptr<PointTerms> terms;
  Motion* points = nullptr;  // those of the terms

  TermsOver() = default;
  // Anchors are those at a time [s]. The system must outlive this.
  TermsOver(const System& system, const std::vector<PointSpring>& springs, std::vector<FaceLoad> loads,
            std::unique_ptr<Motion> motion, double time)
      : points(motion.get()) {
    terms = std::make_unique<PointTerms>(system, springs, std::move(loads), std::move(motion));
    terms->set_time(time);
  }
};

}  // namespace sinew
