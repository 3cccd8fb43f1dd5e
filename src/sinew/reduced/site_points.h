// Points on substructures: sums of sites (sites.h). A vertex that several substructures share is at the mean of its
// places there, by mass, where lifted positions have it.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/point_set.h"
#include "sinew/linalg/block_cholesky.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/reduced/sites.h"

namespace sinew {

// Of different substructures; with warping, where each vertex turns by itself, one a vertex.
using SitePoint = std::vector<Site>;

// Of merge_springs() (point_springs.h): all numbers of the sites, site by site.
VecX numbers_of(const SitePoint& point);
void set_numbers(const VecX& numbers, SitePoint& point);
std::vector<Index> key_of(const SitePoint& point);  // the substructures
bool is_linear(const SitePoint& point);             // without warping

// Makes points of vertices.
class SitePointMaker {
 public:
  // The arguments must outlive this.
  SitePointMaker(const System& system, const std::vector<Substructure>& parts);

  SitePoint make(const PointRow& row) const;
  std::vector<SitePoint> make_all(const std::vector<PointRow>& rows) const;
  // A vertex as one of its substructures has it, times a weight.
  Site of_part(Index part, Index vertex, double weight) const;

 private:
  const System& system_;
  const std::vector<Substructure>& parts_;
  std::vector<std::vector<std::pair<Index, double>>> shares_;  // by vertex: its substructures, and shares of its mass
};

class SitePoints final : public PointSet {
 public:
  SitePoints(const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
             const std::vector<SitePoint>& points);

  Index count() const override { return static_cast<Index>(begin_.size()) - 1; }
  void positions(const MatX& y, Points& out) override;
  void reference(const MatX& y, Points& out) override;
  void way(const MatX& from, const MatX& to, Points& out) override;
  void add_gradient(const MatX& y, const Points& f, MatX& G) override;
  // Of a ModeHessian.
  void add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& H) override;

 private:
  void add_up(Points& out) const;

  const FrameCoordinates& coordinates_;
  std::vector<Index> begin_;  // of the sites of each point
  Sites sites_;
  // Work space.
  Placement at_;
  Points before_, x_;
  Eigen::Matrix3Xd row_;
  std::vector<std::vector<Index>> of_part_, reached_;  // sites touched; those of them that one substructure reaches
  std::vector<Index> number_;                          // of each, its place in of_part_; -1: not touched
  std::vector<char> is_reached_;                       // by site
  std::vector<MatX> rows_;                             // by substructure: J^T of its sites touched, 3 columns each
  MatX product_;                                       // (H_p J)^T of all sites, 3 columns each
};

}  // namespace sinew
