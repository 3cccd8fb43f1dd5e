// Stop rules of conjugate gradients: objects that see the sums of each iteration and say when the solution is good
// enough.
#pragma once

#include <vector>

namespace sinew {

// With the residual r = b - A x and the preconditioned residual z = M^{-1} r of an iterate x.
struct PcgSums {
  double rr = 0;  // r^T r
  double rz = 0;  // r^T z
  double zz = 0;  // z^T z
  double xx = 0;  // |offset + x|^2
};

class PcgStop {
 public:
  virtual ~PcgStop() = default;

  // Whether the rule looks at zz and xx, which are not formed for others.
  virtual bool by_change() const { return false; }
  // 3 rows that are added to x in xx; null: zero.
  virtual const double* offset() const { return nullptr; }

  // At the start of a solve, where bb = b^T b: whether the start is good enough.
  virtual bool begin(double bb, const PcgSums& start) = 0;
  // After an iteration that lowered 1/2 x^T A x - b^T x by gain / 2.
  virtual bool reached(const PcgSums& sums, double gain) = 0;
};

// |r|_2 <= tolerance |b|_2. There is no absolute tolerance.
class ResidualStop : public PcgStop {
 public:
  explicit ResidualStop(double tolerance) : tolerance_(tolerance) {}
  bool begin(double bb, const PcgSums& start) override;
  bool reached(const PcgSums& sums, double gain) override;

 private:
  double tolerance_, target_ = 0;
};

// When the direction offset + x of a Newton step is good enough.
//
// Energy: r^T M^{-1} r <= energy_share^2 (energy_before + its value at the start). If M resembles A, the error of the
// direction in the norm of A is then energy_share of the direction. Residuals of very stiff rows count for little.
// Change: |M^{-1} r| <= change_share |offset + x|, so a further correction by M would hardly change the direction.
struct DirectionCriteria {
  double energy_share = 0.1;
  double change_share = 0;   // 0: energy alone
  double energy_before = 0;  // d^T A d of the offset and the start of x
  const double* offset = nullptr;
  bool both = false;  // energy and change; else one of the two is enough
  // Whether the error estimated from the gains of the iterations must be as small, too. If M is much stiffer than A,
  // r^T M^-1 r is far below the error. Takes eight iterations at least.
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
  double target_ = 0;  // of the root of r^T M^{-1} r
  std::vector<double> gains_;
};

}  // namespace sinew
