// Stop rules of conjugate gradients. A rule sees the sums of each iteration and decides when the solution is accurate
// enough.
#pragma once

#include <vector>

namespace sinew {

// Sums over an iterate x with the residual r = b - A x and the preconditioned residual z = M^{-1} r.
struct PcgSums {
  double rr = 0;  // r^T r
  double rz = 0;  // r^T z
  double zz = 0;  // z^T z
  double xx = 0;  // |offset + x|^2
};

class PcgStop {
 public:
  virtual ~PcgStop() = default;

  // Whether the rule needs zz and xx; otherwise they are not computed.
  virtual bool by_change() const { return false; }
  // 3 rows() entries that are added to x in xx; null: zero.
  virtual const double* offset() const { return nullptr; }

  // Called at the start of a solve with bb = b^T b. Returns whether the start is accurate enough.
  virtual bool begin(double bb, const PcgSums& start) = 0;
  // Called after an iteration that lowered 1/2 x^T A x - b^T x by gain / 2. Returns whether x is accurate enough.
  virtual bool reached(const PcgSums& sums, double gain) = 0;
};

// Accepts |r|_2 <= tolerance |b|_2. There is no absolute tolerance.
class ResidualStop : public PcgStop {
 public:
  explicit ResidualStop(double tolerance) : tolerance_(tolerance) {}
  bool begin(double bb, const PcgSums& start) override;
  bool reached(const PcgSums& sums, double gain) override;

 private:
  double tolerance_, target_ = 0;
};

// Criteria for the direction offset + x of a Newton step.
//
// Energy: r^T M^{-1} r <= energy_share^2 (energy_before + r^T M^{-1} r at the start). If M resembles A, the error of
// the direction in the norm of A is then energy_share of the direction. Residuals of very stiff rows count little.
//
// Change: |M^{-1} r| <= change_share |offset + x|, so a further correction by M would hardly change the direction.
struct DirectionCriteria {
  double energy_share = 0.1;
  double change_share = 0;   // 0: only the energy criterion
  double energy_before = 0;  // d^T A d for d = offset + x at the start
  const double* offset = nullptr;
  bool both = false;  // both criteria must hold; otherwise one is enough
  // Whether the error estimated from the gains of the iterations must be as small, too. If M is much stiffer than A,
  // r^T M^-1 r is far below the error. Takes at least eight iterations.
  bool by_gains = false;
};

class DirectionStop : public PcgStop {
 public:
  explicit DirectionStop(const DirectionCriteria& criteria) : criteria_(criteria) {}
  bool by_change() const override { return criteria_.change_share > 0; }
  const double* offset() const override { return criteria_.offset; }
  bool begin(double bb, const PcgSums& start) override;
  bool reached(const PcgSums& sums, double gain) override;

 private:
  bool good_enough(const PcgSums& sums) const;
  double gains_to_come() const;

  DirectionCriteria criteria_;
  double target_ = 0;  // bound on the root of r^T M^{-1} r
  std::vector<double> gains_;
};

}  // namespace sinew
