// The potential at a state at one time, without inertia, history of steps or damping: what linear analyses
// differentiate.
#pragma once

#include <memory>

#include "sinew/model/state.h"
#include "sinew/model/step_context.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

// Which motions closed contacts allow.
// scene: those with friction stick, others slide
// tied: all stick
// sliding: all slide
// open: contacts have no stiffness
enum class ContactTangent { scene, tied, sliding, open };

// Returns a system with these contacts and statics as its mode. Loads of a dynamic scene act in full. Throws InputError
// for bodies with a skeleton, whose vertices have no equations of their own.
std::shared_ptr<const System> static_system(const System& system, ContactTangent contact);

class StaticPotential {
 public:
  // `system` is a static_system(). Loads and constraints are those at `time`; contacts are those of the state.
  StaticPotential(std::shared_ptr<const System> system, const State& state, double time);

  IncrementalPotential& potential() { return potential_; }
  const IncrementalPotential& potential() const { return potential_; }
  const StepContext& context() const { return context_; }

  // grad E [N], 3 x dynamic_count; also at prescribed coordinates, but zero at tied vertices.
  Points gradient(const Points& x) const;
  // The exact Hessian of E [N/m], with the symmetric part of the stiffness of pressure on open patches, and zero rows
  // and columns at tied vertices.
  SymBlockMatrix hessian(const Points& x);
  // Returns hessian() with contacts and friction projected, so that no pair of them has negative stiffness.
  SymBlockMatrix hessian_with_projected_contacts(const Points& x);

 private:
  void add_lagged_part(const Points& x, SymBlockMatrix& H) const;

  StepContext context_;
  IncrementalPotential potential_;
};

}  // namespace sinew
