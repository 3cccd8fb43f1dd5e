// Springs between sites of substructures and to points: of the scene, those that users pull with, and the seams of
// domains.
#pragma once

#include <optional>
#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/model/system.h"
#include "sinew/reduced/sites.h"

namespace sinew {

class SiteSprings {
 public:
  // scene: the springs of the scene and the seams, else the pulls. The arguments must outlive this.
  SiteSprings(const System& system, const std::vector<Substructure>& parts, const std::vector<Seam>& seams,
              const FrameCoordinates& coordinates, bool scene);

  bool empty() const { return springs_.empty(); }
  void begin_step(double time);  // the time at its end

  double value(const Placement& at);  // [J]
  // As a gradient by y.
  void add_gradient(const Placement& at, double scale, MatX& G);
  // Projected to positive semidefinite, but for what the curvature of the frames adds.
  void add_hessian(const Placement& at, double scale, BlockCholesky& H);

 private:
  // Holds u = sum of its ends - A (p, w) at the length.
  struct OneSpring {
    std::vector<Index> ends;                           // sites
    Eigen::Vector4d anchor = Eigen::Vector4d::Zero();  // (p, w); zero: between sites
    Index motion = -1;
    double stiffness = 0, length = 0, until = forever;
    bool holds = true;
    Vec3 target = Vec3::Zero();  // A (p, w), now
  };
  struct Draft;

  std::vector<Draft> drafts(bool scene, const std::vector<Seam>& seams) const;
  static void merge(std::vector<Draft>& drafts);
  Vec3 extension(const OneSpring& spring) const;
  void place(const Placement& at);

  const System& system_;
  const std::vector<Substructure>& parts_;
  std::vector<OneSpring> springs_;
  std::optional<Sites> sites_;
  // Work space.
  Points x_;
  std::vector<Eigen::Matrix3Xd> rows_;  // of the ends of one spring
};

}  // namespace sinew
