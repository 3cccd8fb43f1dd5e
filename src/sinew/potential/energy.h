// The interface of the terms of the incremental potential.
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

// Whether Hessians are made positive semidefinite stencil by stencil.
enum class Projection { none, psd };

// The kind of a term in reports of energies.
enum class EnergyKind { inertia, elastic, barrier, friction, springs, other };
constexpr int energy_kinds = 6;

// The change of the lagged forces of a term if they were lagged again, and their size [N].
struct LaggingChange {
  double change = 0, size = 0;
};

// One term of the potential, a function of all positions x (3 x n_all). Only the first dynamic_count vertices have
// equations: gradients are 3 x dynamic_count and Hessians have dynamic_count block rows.
//
// Terms with stencils have the same functions over a list of them: (x, ids, weights, ...) in place of (x, ...), stencil
// ids[k] times weights[k], in any order, repetitions allowed.
class Energy {
 public:
  virtual ~Energy() = default;

  virtual std::string_view name() const = 0;
  virtual EnergyKind kind() const { return EnergyKind::other; }

  // Whether the term adds nothing in the present step.
  virtual bool empty() const { return false; }

  // The factor of value() in E, with a h^2 = `scale`.
  virtual double weight(double scale) const { return scale; }

  // The system has changed; a step starts. `context` is kept by reference until the next.
  virtual void adapt(Change) {}
  virtual void begin_step(const StepContext&) {}

  // Lagging: lag() keeps parts of the term at their values at x.
  virtual bool lags() const { return false; }
  virtual void lag(const Points& /*x*/) {}
  virtual LaggingChange lagging_change(const Points& /*x*/) const { return {}; }

  // [J]; +infinity outside the domain.
  virtual double value(const Points& x) const = 0;

  // values[v] += scale * energy of every stencil at vertex v, of dynamic_count: a stencil counts in full at each of its
  // vertices (TS, section 3.4). Constants that no position changes may be left out.
  virtual void add_vertex_energies(const Points& x, double scale, std::span<double> values) const = 0;

  // g += scale * gradient [N].
  virtual void add_gradient(const Points& x, double scale, Points& g) const = 0;

  // g += scale * gradient and H += scale * Hessian, in one pass. The pattern of H holds all of collect_pairs().
  virtual void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                               SymBlockMatrix& H) const = 0;

  // Appends the blocks (row <= column) off the diagonal that add_derivatives touches.
  virtual void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const = 0;
};

}  // namespace sinew
