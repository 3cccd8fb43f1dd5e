// Terms of the incremental potential that are quadratic or linear in the displacements of vertices, projected once on
// the coordinates of a subspace. They are inertia, mass damping, gravity, accelerations of bodies and dead loads
// (theory, section 6). After construction, no call costs work of the size of the mesh, and nothing is allocated.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/coordinate_step.h"

namespace sinew {

// A part of the coordinates y as a matrix C, size x k, of which the last rows are prescribed.
struct CoordinateBlock {
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> where;  // index in y of each entry of C
  Index unknowns = 0;                                          // number of rows of C that are unknowns, the first ones
  std::array<int, 3> column{-1, -1, -1};  // by axis: the column of C that moves vertices along it; -1: none
};

// How vertices move with a block C: along axis a, vertex v is displaced by
//   u_a = sum_j phi_j(v) C_ji,   i = column[a].
struct ShapeFunctions {
  CoordinateBlock block;
  bool by_axis = false;  // whether each axis has its own functions phi
  // sum += factor phi(v) along an axis for the vertex vertices[v].
  std::function<void(Index v, int axis, double factor, double* sum)> add;

  std::span<const Index> vertices;  // ascending
  std::span<const double> mass;     // by vertex: its mass, or the share of it that moves with these coordinates [kg]
  // Whether gravity and accelerations (`weighs`) and loads (`is_loaded`) act on these vertices. They must not if their
  // work is not linear in C.
  bool weighs = true, is_loaded = true;

  Index size() const { return static_cast<Index>(block.where.rows()); }
};

// Keeps work arrays: no concurrent calls on one object.
class QuadraticTerms {
 public:
  // A constant force field: an acceleration of a body or a traction, a. Its energy is -sum_a a . (moment of a) . C.
  struct Source {
    Index body = -1, load = -1;
    Vec3 rest = Vec3::Zero();  // sum m X over the body's vertices [kg m]
    MatX moment;               // size x 1 [kg] or [m^2]; with functions by axis size x 3
  };
  // The sums over the mesh for one shape.
  struct Sums {
    MatX mass, damping;  // Gram matrices of phi in M [kg] and in zeta M [kg/s]; `damping` is empty without mass damping
    std::vector<Source> sources;
  };

  // The shapes are used only in the constructor. The system must outlive this.
  QuadraticTerms(const System& system, const std::vector<ShapeFunctions>& shapes);
  // From sums that are known, by shape. The functions and vertices of the shapes are not used.
  QuadraticTerms(const System& system, const std::vector<ShapeFunctions>& shapes, const std::vector<Sums>& sums);

  // `step` must outlive the time step.
  void begin_step(const CoordinateStep& step);
  // value(): 1/2 |y - y~|_M^2 + scale / (2 h^) |y - y^|_D^2 - scale f . y with D = zeta M. add_gradient(): G +=
  // gradient of value() by the unknowns.
  double value(const MatX& y) const;
  void add_gradient(const MatX& y, MatX& G) const;
  // H += M + scale / h^ D for the unknowns in a column of the shape's C.
  void add_hessian(Index shape, Eigen::Ref<MatX> H) const;

  double kinetic(const MatX& v) const;                  // 1/2 |v|_M^2 [J]
  double gravity(const MatX& y) const;                  // -sum m g . x of bodies with weight [J]
  void add_mass_product(const MatX& v, MatX& G) const;  // G += M v

  const Sums& sums(Index shape) const { return blocks_[shape]; }
  // Gram matrix of phi in the mass inner product, size x size. If each axis has its own phi, it is the sum over the
  // axes.
  const MatX& mass(Index shape) const { return blocks_[shape].mass; }

 private:
  struct Block : CoordinateBlock, Sums {
    MatX force;                      // force of the step by the unknowns
    mutable MatX C, product, slope;  // work arrays: C, M C, a gradient by the unknowns

    void make_room();
    void gather(const MatX& y) const;
    void gather(const MatX& y, const MatX& from) const;  // sets C to its entries of y - from
    double square(const MatX& form) const;               // returns C : (form C)
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
