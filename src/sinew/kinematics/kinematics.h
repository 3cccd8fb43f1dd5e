// Positions of the vertices as a function of coordinates: x = X + u(y), where y are the coordinates of a subspace or of
// all vertices. A kinematics defines how coordinates move, which of them are prescribed, and which are nearest to given
// positions. It contains no energies.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/kinematics/coordinate_hessian.h"
#include "sinew/kinematics/point_set.h"

namespace sinew {

struct PointSpring;
struct ReducedBasis;

struct Displacement {
  double largest = 0, mean = 0;  // of points of the bodies [m]
};

class Kinematics {
 public:
  virtual ~Kinematics() = default;

  // The basis of a subspace; null if all vertices are coordinates.
  virtual const ReducedBasis* basis() const { return nullptr; }

  virtual Index rows() const = 0;              // y: rows() x columns()
  virtual Index columns() const { return 3; }  // one for each axis, or one in total
  MatX rest() const { return MatX::Zero(rows(), columns()); }
  // Directions and gradients have the size of y. If the positions are a curved set of y, they have the number of
  // unknowns.
  virtual Index unknown_rows() const { return rows(); }
  virtual Index unknown_columns() const { return columns(); }
  virtual bool is_curved() const { return false; }

  // Sets the prescribed entries of y to their values at `time` [s].
  virtual void prescribe(double time, MatX& y) const = 0;
  // Sets `moved` to the position that t d leads to from y.
  virtual void move(const MatX& y, const MatX& d, double t, MatX& moved) { moved = y + t * d; }
  // Sets g = J^T G at y: the gradient by the unknowns, from the gradient G by y.
  virtual void pull_back(const MatX& /*y*/, const MatX& G, MatX& g) { g = G; }
  // H += G : d2y, where d2y is the second derivative of y by the unknowns and G a gradient by y.
  virtual void add_curvature(const MatX& /*y*/, const MatX& /*G*/, CoordinateHessian& /*H*/) {}

  // displacement(): the displacement of the bodies by a direction d at y. distance(): between two y.
  virtual Displacement displacement(const MatX& y, const MatX& d) = 0;
  virtual Displacement distance(const MatX& from, const MatX& to) { return displacement(from, to - from); }
  // The largest displacement from rest at y [m].
  virtual double farthest(const MatX& y) { return displacement(y, y).largest; }

  // lift() sets u(y) of all vertices, 3 x dynamic_count. lift_motion() does the same for a velocity, an acceleration or
  // a difference v at a position.
  virtual void lift(const MatX& y, Points& u) const = 0;
  virtual void lift_motion(const MatX& /*at*/, const MatX& v, Points& u) const { lift(v, u); }
  // lift_at() and lift_motion_at() set the columns of some vertices alone; other columns are undefined.
  virtual void lift_at(const MatX& y, std::span<const Index> /*vertices*/, Points& u) const { lift(y, u); }
  virtual void lift_motion_at(const MatX& at, const MatX& v, std::span<const Index> /*vertices*/, Points& u) const {
    lift_motion(at, v, u);
  }
  // project() sets the free entries of y so that its positions are nearest to u in the mass norm. For a velocity or
  // acceleration v at a position, project_velocity() does the same.
  virtual void project(const Points& u, MatX& y) const = 0;
  virtual void project_velocity(const MatX& /*at*/, const Points& v, MatX& y) const { project(v, y); }
  // Removes the parts of a velocity v and an acceleration a that leave a curved set of positions. Does nothing if the
  // set is flat.
  virtual void keep_on(const MatX& /*y*/, MatX& /*v*/, MatX& /*a*/) {}
  // Returns r = J^T g, the gradient by the unknowns at y for a gradient g by the vertices. For such r,
  // inverse_mass_square() returns r^T (J^T M J)^-1 r, and accelerate() sets a = J (J^T M J)^-1 r, an acceleration of y.
  virtual MatX restrict_to(const MatX& y, const Points& g) const = 0;
  virtual double inverse_mass_square(const MatX& y, const MatX& r) const = 0;
  virtual void accelerate(const MatX& y, const MatX& r, MatX& a) const = 0;

  // For a basis of modes: the coordinates of substructures, and y at given coordinates. Empty for other bases.
  virtual VecX coordinates(const MatX&) const { return {}; }
  virtual void set_coordinates(const VecX&, MatX&) const {}

  // Makes points that move with y, from rows over vertices. If `springs` is given, spring s acts at point s; springs
  // may then be merged, which leaves fewer springs and points.
  virtual std::unique_ptr<PointSet> make_points(const std::vector<PointRow>& rows,
                                                std::vector<PointSpring>* springs = nullptr) const = 0;
  virtual std::unique_ptr<CoordinateHessian> make_hessian() const = 0;
};

}  // namespace sinew
