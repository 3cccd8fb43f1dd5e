// Corrects quasi-Newton directions by rotations of parts, which the constant matrix resists as if they were strain.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

// A part is a connected set of tets of one material; vertices between two parts belong to the stiffer part. Its
// rotation moves vertex i by w_p x (x_i - c_p), where c_p is the part's centre at the start of the step. For such
// motions only inertia and the tets between parts contribute much to the true Hessian. This gives S = R^T (M +
// a h^2 L') R, where L' is L without the tets inside parts. The matrix A also has the stiffness of the parts
// themselves. The sum A^{-1} + R S^{-1} R^T is symmetric positive definite and lets stiff parts rotate freely.
class PartRotations {
 public:
  explicit PartRotations(const System& system);

  // weight: a h^2 V_e k_e of each tet e.
  void set(const StepContext& context, std::span<const double> weight);

  // The next call of add() sets the centres of the parts.
  void begin_step() { center_.clear(); }

  // r += R S^{-1} R^T q at the positions x (3 x dynamic_count or more). q must be zero at prescribed coordinates.
  void add(const Points& x, const Points& q, Points& r);

  Index part_count() const { return static_cast<Index>(begin_.size()) - 1; }

 private:
  // A tet between several parts.
  struct Link {
    std::array<Index, 4> vertices, parts;  // -1: prescribed, or in no part
    Eigen::Matrix<double, 3, 4> gradients;
    double weight = 0;
  };

  void find_centers(const Points& x);
  void sum_parts(const Points& x, const Points& q, VecX& torque);
  void add_links(const Points& x);

  const System& system_;
  std::vector<Index> tet_part_;          // by tet: its part
  std::vector<Index> vertex_part_;       // by vertex (dynamic_count); -1: prescribed
  std::vector<Index> begin_, vertices_;  // vertices of each part, compressed
  std::vector<Link> links_;
  bool inertia_ = false;
  // Work arrays.
  std::vector<Vec3> center_, turn_;
  Eigen::MatrixXd S_;
};

}  // namespace sinew
