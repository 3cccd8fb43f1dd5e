#include "sinew/potential/added_forces.h"

namespace sinew {

// Until the next step begins there are none.
void AddedForceEnergy::adapt(Change change) {
  if (change != Change::forces) return;
  acts_ = false;
  start_.resize(3, 0);
}

// Displacements are small, so that the energy keeps its digits.
void AddedForceEnergy::begin_step(const StepContext& context) {
  const AddedForces& added = system_.added_forces;
  acts_ = added.act_at(context.time_end);
  start_.resize(3, acts_ ? static_cast<Index>(added.vertices.size()) : 0);
  for (Index i = 0; i < start_.cols(); ++i) start_.col(i) = context.start.col(added.vertices[i]);
}

template <class F>
void AddedForceEnergy::for_each(const Points& x, F&& f) const {
  const AddedForces& added = system_.added_forces;
  for (Index i = 0; i < start_.cols(); ++i)
    f(added.vertices[i], added.forces.col(i), x.col(added.vertices[i]) - start_.col(i));
}

double AddedForceEnergy::value(const Points& x) const {
  double sum = 0;
  for_each(x, [&](Index, const auto& force, const auto& moved) { sum -= force.dot(moved); });
  return sum;
}

void AddedForceEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for_each(x, [&](Index v, const auto& force, const auto& moved) { values[v] -= scale * force.dot(moved); });
}

void AddedForceEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  for_each(x, [&](Index v, const auto& force, const auto&) { g.col(v) -= scale * force; });
}

void AddedForceEnergy::add_derivatives(const Points& x, double scale, Projection, Points& g, SymBlockMatrix&) const {
  add_gradient(x, scale, g);
}

}  // namespace sinew
