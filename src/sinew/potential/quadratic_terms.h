// Terms of the incremental potential that are quadratic or linear in the displacements of vertices, projected once on
// the coordinates of a subspace. They are inertia, mass damping, gravity, accelerations of bodies and dead loads
// (theory, section 6). Nothing after construction is of the size of the mesh, and nothing is allocated.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/coordinate_step.h"

namespace sinew {

// Some of the coordinates y as a matrix C, size x k, of which the last rows are prescribed.
struct CoordinateBlock {
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> where;  // the index in y of each entry of C
  Index unknowns = 0;                                          // rows of C that are unknowns: the first ones
  std::array<int, 3> column{-1, -1, -1};                       // by which vertices move along each axis; -1: by none
};

// How vertices move with such a block: along axis a, vertex v is displaced by
//   u_a = sum_j phi_j(v) C_ji,   i = column[a].
struct ShapeFunctions {
  CoordinateBlock block;
  bool by_axis = false;  // whether each axis has its own phi
  // sum += factor phi(v) along an axis for the vertex vertices[v].
  std::function<void(Index v, int axis, double factor, double* sum)> add;

  std::span<const Index> vertices;  // ascending
  std::span<const double> mass;     // of each, or the share of these coordinates in it [kg]
  // Whether gravity and accelerations (`weighs`) and loads (`is_loaded`) act here: not if their work is not linear in
  // C.
  bool weighs = true, is_loaded = true;

  Index size() const { return static_cast<Index>(block.where.rows()); }
};

// Functions of y that keep work arrays: not for concurrent calls.
class QuadraticTerms {
 public:
  // The functions are used only here; the system must outlive this.
  QuadraticTerms(const System& system, const std::vector<ShapeFunctions>& shapes);

  // `step` must outlive the step.
  void begin_step(const CoordinateStep& step);
  // 1/2 |y - y~|_M^2 + scale / (2 h^) |y - y^|_D^2 - scale f . y with D = zeta M; G += its gradient by the unknowns.
  double value(const MatX& y) const;
  void add_gradient(const MatX& y, MatX& G) const;
  // H += M + scale / h^ D of the unknowns of a column of one of the shapes.
  void add_hessian(Index shape, Eigen::Ref<MatX> H) const;

  double kinetic(const MatX& v) const;                  // 1/2 |v|_M^2 [J]
  double gravity(const MatX& y) const;                  // -sum m g . x of bodies with weight [J]
  void add_mass_product(const MatX& v, MatX& G) const;  // G += M v

  // Gram matrix of phi in the mass inner product, size x size. If each axis has its own phi, it is the sum over the
  // axes.
  const MatX& mass(Index shape) const { return blocks_[shape].mass; }

 private:
  // The acceleration of a body, or a traction, a: the energy is -sum_a a . (moment of a) . C.
  struct Source {
    Index body = -1, load = -1;
    Vec3 rest = Vec3::Zero();  // sum m X of a body [kg m]
    MatX moment;               // size x 1 [kg] or [m^2], or x 3 by axis
  };
  struct Block : CoordinateBlock {
    MatX mass, damping;  // Gram matrices of phi in the mass and in zeta M [kg], [kg/s]; the latter may be empty: none
    std::vector<Source> sources;
    MatX force;                      // of the step, of the unknowns
    mutable MatX C, product, slope;  // work space: C, M C, a gradient by the unknowns

    void gather(const MatX& y) const;
    void gather(const MatX& y, const MatX& from) const;  // y - from
    double square(const MatX& form) const;               // C : form C
    void add_product(const MatX& form, double factor) const;
    void scatter(MatX& G) const;
    template <class F>
    void for_each_axis(const MatX& moment, F&& f) const;
  };
  static Block make_block(const System& system, const ShapeFunctions& shape);
  template <class F>
  void for_each_form(const Block& block, F&& f) const;

  const System& system_;
  std::vector<Block> blocks_;
  const CoordinateStep* step_ = nullptr;
};

}  // namespace sinew
