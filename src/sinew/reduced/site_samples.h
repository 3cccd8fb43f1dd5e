// Samples of the surface on substructures. One that several share is at the mean of its places there, by mass, where
// lifted positions have it.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/reduced/sample_motion.h"
#include "sinew/reduced/sites.h"

namespace sinew {

class SiteSamples final : public SampleMotion {
 public:
  // vertices: of the samples.
  SiteSamples(const System& system, const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
              std::span<const Index> vertices);

  void positions(const MatX& y, Points& out) override;
  void reference(const MatX& y, Points& out) override;
  void way(const MatX& from, const MatX& to, Points& out) override;
  // Before gradients: the placement that they are at.
  void settle(const Placement& at) { sites_.settle(at); }
  // As a gradient by y.
  void add_gradient(const Points& f, MatX& G) override;

  // H += J^T H_c J with the sparse Hessian H_c by the samples, of which those in `touched` have entries.
  void add_hessian(const Placement& at, const SymBlockMatrix& Hc, std::span<const Index> touched, BlockCholesky& H);

 private:
  void add_up(Points& out) const;
  Index count() const { return static_cast<Index>(begin_.size()) - 1; }

  const FrameCoordinates& coordinates_;
  std::vector<Index> begin_;  // of the sites of each sample, one a substructure
  Sites sites_;
  // Work space.
  Placement at_;
  Points before_, x_;
  Eigen::Matrix3Xd row_;
  std::vector<char> reached_;                // by substructure
  std::vector<std::vector<Index>> of_part_;  // sites touched
  std::vector<Index> number_;                // of each, its place among those of its substructure; -1: not touched
  std::vector<MatX> rows_;                   // by substructure: J^T of its sites touched, 3 columns each
  MatX product_;                             // (H_c J)^T of all sites, 3 columns each
};

}  // namespace sinew
