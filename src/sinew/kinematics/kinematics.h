// Positions of the vertices as a function of coordinates: x = X + u(y), with the coordinates y of a subspace or of all
// vertices. A kinematics knows how coordinates move, which of them are prescribed, and which are nearest to given
// places. It knows no energies.
#pragma once

#include <memory>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/kinematics/coordinate_hessian.h"
#include "sinew/kinematics/point_set.h"

namespace sinew {

struct PointSpring;
struct ReducedBasis;

struct Displacement {
  double largest = 0, mean = 0;  // [m]
};

class Kinematics {
 public:
  virtual ~Kinematics() = default;

  // The basis of a subspace; null where all vertices are coordinates.
  virtual const ReducedBasis* basis() const { return nullptr; }

  virtual Index rows() const = 0;              // y: rows() x columns()
  virtual Index columns() const { return 3; }  // one an axis, or one for all
  MatX rest() const { return MatX::Zero(rows(), columns()); }
  // Directions and gradients have the size of y, or the number of unknowns if positions are a curved set of y.
  virtual Index unknown_rows() const { return rows(); }
  virtual Index unknown_columns() const { return columns(); }
  virtual bool is_curved() const { return false; }

  // Sets the prescribed entries of y to their values at `time` [s].
  virtual void prescribe(double time, MatX& y) const = 0;
  // moved = the position that t d leads to from y.
  virtual void move(const MatX& y, const MatX& d, double t, MatX& moved) { moved = y + t * d; }
  // g = J^T G of the unknowns at y for a gradient G by y.
  virtual void pull_back(const MatX& /*y*/, const MatX& G, MatX& g) { g = G; }
  // H += G : d2y, the Hessian of y by the unknowns, for such a gradient.
  virtual void add_curvature(const MatX& /*y*/, const MatX& /*G*/, CoordinateHessian& /*H*/) {}

  // The displacement of the bodies by a direction d at y, and between two y.
  virtual Displacement displacement(const MatX& y, const MatX& d) = 0;
  virtual Displacement distance(const MatX& from, const MatX& to) { return displacement(from, to - from); }
  // The largest displacement of y from rest [m].
  virtual double farthest(const MatX& y) { return displacement(y, y).largest; }

  // u(y) of all vertices, 3 x dynamic_count. lift_motion() does the same for velocities, accelerations and differences
  // v at a position.
  virtual void lift(const MatX& y, Points& u) const = 0;
  virtual void lift_motion(const MatX& /*at*/, const MatX& v, Points& u) const { lift(v, u); }
  // Sets the free entries of y so that its places are nearest to u in mass; project_velocity() does this for a velocity
  // or acceleration v at a position.
  virtual void project(const Points& u, MatX& y) const = 0;
  virtual void project_velocity(const MatX& /*at*/, const Points& v, MatX& y) const { project(v, y); }
  // Removes the parts of a velocity v and an acceleration a that leave a curved set of positions; does nothing if the
  // set is flat.
  virtual void keep_on(const MatX& /*y*/, MatX& /*v*/, MatX& /*a*/) {}
  // J^T g: the gradient by the unknowns at y for a gradient g by the vertices. For such r, inverse_mass_square() is r^T
  // (J^T M J)^-1 r, and accelerate() gives the acceleration of y, a = J (J^T M J)^-1 r.
  virtual MatX restrict_to(const MatX& y, const Points& g) const = 0;
  virtual double inverse_mass_square(const MatX& y, const MatX& r) const = 0;
  virtual void accelerate(const MatX& y, const MatX& r, MatX& a) const = 0;

  // For a basis of modes: coordinates of substructures, and y at given ones; empty otherwise.
  virtual VecX coordinates(const MatX&) const { return {}; }
  virtual void set_coordinates(const VecX&, MatX&) const {}

  // Points that y moves, from rows over vertices. If `springs` are given, spring s acts at point s. Springs may be
  // merged, which leaves fewer springs and points.
  virtual std::unique_ptr<PointSet> make_points(const std::vector<PointRow>& rows,
                                                std::vector<PointSpring>* springs = nullptr) const = 0;
  virtual std::unique_ptr<CoordinateHessian> make_hessian() const = 0;
};

}  // namespace sinew
