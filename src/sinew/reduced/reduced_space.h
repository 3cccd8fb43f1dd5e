// Positions of a reduced simulation, x = X + U y, and everything of the incremental potential that is quadratic in them
// or sees deformation gradients alone: no operation between two frames is of the size of the mesh.
//
// y holds q and q_D (reduced_basis.h) as a matrix of a column for each axis: row 4 i + k is the factor of monomial k of
// handle i. U = W (x) I_3, so that one row of W (a vector of as many scalars) stands for a place, and the gradient of a
// tet, dF/dy = g (x) I_3, is a matrix g of three columns (methods, section 6).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/position_space.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_contact.h"

namespace sinew {

class ReducedSpace final : public PositionSpace {
 public:
  // time: at which springs count until a step begins.
  ReducedSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
               double time);

  const ReducedBasis& basis() const { return *basis_; }
  Index rows() const override { return columns_; }
  Index free_rows() const { return free_; }  // those of q, the first

  void place(double time, MatX& y) const override;
  void begin_step(const SpaceStep& step, const MatX& start) override;
  bool aim(const MatX& target, MatX& y) override;
  double max_step(const MatX& y, const MatX& d) override;
  void took(const MatX& before, const MatX& after) override;
  void check_start(const MatX& y, double time) override;
  void add_contact_gradient(const MatX& y, double scale, Points& barrier, Points& friction) override;
  long contact_count() const override { return contact_ ? contact_->count() : 0; }
  SpaceContact contact() const override;
  double value(const MatX& y) override;
  void gradient(const MatX& y, MatX& g) override;
  void deformation_gradients(const MatX& y, bool displacement, std::span<double> F) override;
  void add_forces(std::span<const double> P, MatX& g) override;
  bool factor(std::span<const double> K) override;
  void solve(const MatX& g, MatX& d) override;
  Displacement displacement(const MatX& d) override;
  double kinetic(const MatX& v) const override;
  double gravity(const MatX& y) const override;
  double springs(const MatX& y) const override;
  void lift(const MatX& y, Points& u) const override;
  void project(const Points& u, MatX& y) const override;

  // U^T g of the free rows, for g of 3 x dynamic_count.
  MatX restrict_to(const Points& g) const;

  // r^T (U^T M U)^{-1} r over the free rows, for r of free_rows() x 3.
  double inverse_mass_square(const MatX& r) const;

  // H += sum_c (g_c (x) I) K_c (g_c (x) I)^T, lower triangle of 3 free x 3 free, axis slowest.
  void add_stiffness(std::span<const double> K, MatX& H);

 private:
  struct Set {
    const AxisHandles* handles;
    MatX mass, damping;     // columns x columns
    MatX body_moment;       // columns x bodies: U^T of the masses of each body [kg]
    MatX load_moment;       // columns x loads: U^T of the shares of the faces' areas [m^2]
    MatX driven_gradients;  // driven columns x 3 slots [1/m]
    MatX probes;            // columns x slots
    Eigen::LLT<MatX> free_mass;
  };
  // Some slots in a row and the free columns that their tets see: all with global handles, few with local ones.
  struct Chunk {
    Index slot_begin = 0, slot_end = 0;
    std::vector<Index> columns;     // ascending
    std::array<MatX, 3> gradients;  // by set: columns x 3 slots [1/m]
  };
  // Springs without a rest length, of the same other end and release: quadratic in y.
  struct SpringGroup {
    Index motion = -1;
    double until = forever;
    std::array<MatX, 3> stiffness;                                   // by axis: sum k w w^T
    std::array<VecX, 3> rest;                                        // sum k w X
    std::array<Eigen::Matrix<double, Eigen::Dynamic, 4>, 3> anchor;  // sum k w (p, 1)^T
    double rest_square = 0;                                          // sum k |X|^2
    Eigen::Matrix<double, 3, 4> rest_anchor;                         // sum k X (p, 1)^T
    Eigen::Matrix4d anchor_square;                                   // sum k (p, 1) (p, 1)^T
    bool holds = true;
    Eigen::Matrix<double, 3, 4> place;  // of the anchors, now
  };
  struct LongSpring {  // with a rest length
    const Spring* spring;
    std::array<VecX, 3> w;
    Vec3 rest, target;
    bool holds = true;
  };

  // Row of W: the free columns, then the driven ones.
  VecX row(int set, Index vertex) const;
  Vec3 rest(Index vertex) const { return system_.rest.col(vertex); }
  const Set& along(int axis) const { return sets_[set_[axis]]; }
  void external_force(double time, double ramp, MatX& f) const;
  void begin_springs(double time);
  Vec3 extension(const LongSpring& spring, const MatX& y) const;
  void add_springs(const MatX& y, MatX& g) const;
  void add_springs_hessian(MatX& H) const;
  MatX gram(int set, const std::vector<double>& weight) const;
  void make_quadratic(int set);
  void make_points(const ElasticPoints& points);
  void make_springs();
  void make_contact();

  const System& system_;
  std::shared_ptr<const ReducedBasis> basis_;
  std::array<int, 3> set_;  // of each axis, into sets_
  std::vector<Set> sets_;
  Index columns_ = 0, free_ = 0, slots_ = 0;
  bool mass_damping_ = false;
  double rest_gravity_ = 0;  // energy of gravity at rest [J]
  std::vector<Chunk> chunks_;
  VecX volume_;  // of the slots [m^3]
  std::vector<SpringGroup> spring_groups_;
  std::vector<LongSpring> long_springs_;
  std::unique_ptr<ReducedContact> contact_;  // null: nothing may touch
  // Of the step.
  const SpaceStep* step_ = nullptr;
  MatX force_;  // U^T f_ext [N], free x 3
  MatX H_;      // its factor, 3 free x 3 free
  // Work space.
  MatX at_;  // y of the last gradient()
  MatX difference_;
  VecX solution_, floor_;
  MatX y_part_, rows_part_, product_, square_, moved_;
};

}  // namespace sinew
