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
  // Directions and gradients by them: of the size of y, or of as many unknowns where positions are a curved set of y.
  virtual Index unknown_rows() const { return rows(); }
  virtual Index unknown_columns() const { return columns(); }
  virtual bool is_curved() const { return false; }

  // The part of y that is prescribed at a time [s].
  virtual void prescribe(double time, MatX& y) const = 0;
  // The position that t d leads to from y.
  virtual void move(const MatX& y, const MatX& d, double t, MatX& moved) { moved = y + t * d; }
  // g = J^T G of the unknowns at y for a gradient G by y.
  virtual void pull_back(const MatX& /*y*/, const MatX& G, MatX& g) { g = G; }
  // H += G : d2y, the Hessian of y by the unknowns, for such a gradient.
  virtual void add_curvature(const MatX& /*y*/, const MatX& /*G*/, CoordinateHessian& /*H*/) {}

  // How far a direction moves the bodies at y, and how far one y is from another.
  virtual Displacement displacement(const MatX& y, const MatX& d) = 0;
  virtual Displacement distance(const MatX& from, const MatX& to) { return displacement(from, to - from); }
  // The farthest that y is from rest [m].
  virtual double farthest(const MatX& y) { return displacement(y, y).largest; }

  // Vertices: u(y), 3 x dynamic_count, and what velocities, accelerations and differences v of such are at a position.
  virtual void lift(const MatX& y, Points& u) const = 0;
  virtual void lift_motion(const MatX& /*at*/, const MatX& v, Points& u) const { lift(v, u); }
  // The free part of y whose places are nearest to u in mass; the velocity or acceleration at a position that is
  // nearest to v.
  virtual void project(const Points& u, MatX& y) const = 0;
  virtual void project_velocity(const MatX& /*at*/, const Points& v, MatX& y) const { project(v, y); }
  // Removes the parts of a velocity v and an acceleration a that leave a curved set of positions; does nothing if the
  // set is flat.
  virtual void keep_on(const MatX& /*y*/, MatX& /*v*/, MatX& /*a*/) {}
  // J^T g of the unknowns at y for a gradient g by the vertices. For such r: r^T (J^T M J)^-1 r, and the acceleration
  // of y, a = J (J^T M J)^-1 r.
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
