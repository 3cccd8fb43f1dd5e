// Contacts to come, in the quadratic model of a direction.
//
// A direction knows only the contacts that are closer than dhat. Where it would bring many other pairs together, the
// step filter cuts it at the first of them, and the next direction hits the second: thin, soft shapes crumple in
// hundreds of tiny steps. So the pairs that the rest of a direction would have brought together join the model of the
// next one as one-sided constraints, gap + grad gap . d >= target, by penalties; pairs that push stay, as in an active
// set, until they are contacts of their own or push no more. Penalties are soft, as thin shapes give way easily. The
// potential itself does not change, nor what it converges to: a step never ends with such a direction.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/contact/barrier.h"
#include "sinew/contact/stencil.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/collision_mesh.h"
#include "sinew/potential/stencil_sum.h"

namespace sinew {

class PredictedContacts {
 public:
  explicit PredictedContacts(Index dynamic_count) : rows_(dynamic_count) {}

  void clear();
  bool empty() const { return contacts_.empty(); }
  std::size_t size() const { return contacts_.size(); }

  // Those of the next model, at x (3 x n_all) [m]: `found` (canonical, sorted, no two alike), and the present ones that
  // pushed in direction d [m], unless they are nearer than the barrier's distance by now.
  void update(std::span<const ContactStencil> found, const Points& x, const Points& d,
              std::span<const PlaneState> planes, const BarrierParameters& barrier);

  // Gaps as what is prescribed will leave them: kinematic vertices move by their d [m] (3 x n_all), planes to
  // `planes`. Once between two updates.
  void move_prescribed(const Points& x, const Points& d, std::span<const PlaneState> planes);

  // g += scale * gradient of the penalties at d = 0 [N], H += scale * their Hessian [N/m].
  void add_gradient(double scale, Points& g) const;
  void add_hessian(double scale, SymBlockMatrix& H) const;
  // In series with springs of their vertices (SoftenedStencils in stencil_sum.h).
  void add_softened(double scale, std::span<const double> stiffness, SymBlockMatrix& H) const;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const;

 private:
  struct Contact {
    ContactStencil stencil;
    Vec12 gradient = Vec12::Zero();  // of the gap, by the stencil's vertices
    double gap = 0;                  // [m]
    double stiffness = 0;            // of the penalty [N/m]
  };
  struct Kernel;

  Kernel kernel() const;
  bool pushes(const Contact& contact, const Points& d) const;
  static void measure(Contact& contact, const Points& x, std::span<const PlaneState> planes);

  Index rows_;
  double target_ = 0;  // gap that penalties ask for [m]
  std::vector<Contact> contacts_, next_;
  mutable Points unused_gradient_;
  mutable StencilSum sum_;
};

}  // namespace sinew
