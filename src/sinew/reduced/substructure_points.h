// Points of substructures: sums of material points (material_points.h). A vertex that several substructures share is at
// the mass-weighted mean of its positions in them, as in lifted positions.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/point_set.h"
#include "sinew/linalg/block_cholesky.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/reduced/material_points.h"

namespace sinew {

// Material points of different substructures whose sum is the point. With warping, which rotates each vertex
// separately, there is one material point for each vertex.
using SubstructurePoint = std::vector<MaterialPoint>;

// For merge_springs() (point_springs.h): all numbers of the material points, one after another.
VecX numbers_of(const SubstructurePoint& point);
void set_numbers(const VecX& numbers, SubstructurePoint& point);
std::vector<Index> key_of(const SubstructurePoint& point);  // the substructures, in order
bool is_linear(const SubstructurePoint& point);             // whether there is no warping

// Makes points from vertices and their weights.
class SubstructurePointMaker {
 public:
  // The arguments must outlive this.
  SubstructurePointMaker(const System& system, const std::vector<Substructure>& parts);

  SubstructurePoint make(const PointRow& row) const;
  std::vector<SubstructurePoint> make_all(const std::vector<PointRow>& rows) const;
  // A vertex as part of one of its substructures, times a weight.
  MaterialPoint of_part(Index part, Index vertex, double weight) const;

 private:
  const System& system_;
  const std::vector<Substructure>& parts_;
  std::vector<std::vector<std::pair<Index, double>>> shares_;  // by vertex: substructures, shares of its mass
};

class SubstructurePoints final : public PointSet {
 public:
  SubstructurePoints(const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
                     const std::vector<SubstructurePoint>& points);

  Index count() const override { return static_cast<Index>(begin_.size()) - 1; }
  void positions(const MatX& y, Points& out) override;
  void reference(const MatX& y, Points& out) override;
  void displacement(const MatX& from, const MatX& to, Points& out) override;
  void add_gradient(const MatX& y, const Points& f, MatX& G) override;
  // H must be a ModeHessian.
  void add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& H) override;

 private:
  void add_up(Points& out) const;

  const FrameCoordinates& coordinates_;
  std::vector<Index> begin_;  // index of the first material point of each point
  MaterialPoints material_points_;
  // Work space.
  Placement at_;
  Points before_, x_;
  Eigen::Matrix3Xd row_;
  std::vector<std::vector<Index>> of_part_;  // by substructure: touched material points
  std::vector<std::vector<Index>> reached_;  // by substructure: touched material points that couple with it
  std::vector<Index> number_;                // by material point: its index in of_part_; -1: not touched
  std::vector<char> is_reached_;             // by material point
  std::vector<MatX> rows_;                   // by substructure: J^T of its touched material points, 3 columns each
  MatX product_;                             // (H_p J)^T of all material points, 3 columns each
};

}  // namespace sinew
