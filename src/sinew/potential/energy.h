// The interface of each term of the incremental potential.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/change.h"
#include "sinew/model/step_context.h"

namespace sinew {

// Whether each stencil's Hessian is projected to the nearest positive semidefinite matrix.
enum class Projection { none, psd };

// The kind of a term in reports of energies.
enum class EnergyKind { inertia, elastic, barrier, friction, springs, other };
constexpr int energy_kinds = 6;

// The change of a term's lagged forces if they were lagged again, and the size of these forces [N].
struct LaggingChange {
  double change = 0, size = 0;
};

// One term of the potential, a function of all positions x (3 x n_all [m]). Only the first dynamic_count vertices have
// equations: gradients are 3 x dynamic_count and Hessians have dynamic_count block rows.
//
// Terms made of stencils have a second version of these functions for a list of stencils. It takes (x, ids, weights,
// ...) in place of (x, ...) and counts stencil ids[k] with weights[k]. The list may have any order and repetitions.
class Energy {
 public:
  virtual ~Energy() = default;

  virtual std::string_view name() const = 0;
  virtual EnergyKind kind() const { return EnergyKind::other; }

  // Whether the term adds nothing in the current step.
  virtual bool empty() const { return false; }

  // The factor of value() in E; scale: a h^2.
  virtual double weight(double scale) const { return scale; }

  // Call adapt() when the system has changed, begin_step() when a step starts. `context` is kept by reference until the
  // next step.
  virtual void adapt(Change) {}
  virtual void begin_step(const StepContext&) {}

  // Lagging: lag() keeps parts of the term at their values at x. lagging_change() compares them with the values at x.
  virtual bool lags() const { return false; }
  virtual void lag(const Points& /*x*/) {}
  virtual LaggingChange lagging_change(const Points& /*x*/) const { return {}; }

  // The value [J]; +infinity outside the domain.
  virtual double value(const Points& x) const = 0;

  // Bound on the rounding of value() where it is more than a few roundings of the value itself [J].
  virtual double value_rounding(const Points& /*x*/) const { return 0; }

  // values[v] += scale * energy of every stencil at vertex v; dynamic_count entries. A stencil counts in full at each
  // of its vertices (TS, section 3.4). Constants that no position changes may be left out.
  virtual void add_vertex_energies(const Points& x, double scale, std::span<double> values) const = 0;

  // g += scale * gradient [N].
  virtual void add_gradient(const Points& x, double scale, Points& g) const = 0;

  // g += scale * gradient and H += scale * Hessian, in one pass. The pattern of H must contain all of collect_pairs().
  virtual void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                               SymBlockMatrix& H) const = 0;

  // Appends the off-diagonal blocks (row < column) that add_derivatives() touches.
  virtual void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const = 0;
};

}  // namespace sinew
