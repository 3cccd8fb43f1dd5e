// Terms of elastic kernels from a second Piola stress S: the constant one that history leaves, and 2 psi' A of fiber
// families (material/fiber_family.h).
#pragma once

#include "sinew/material/fiber_family.h"
#include "sinew/material/second_stress.h"
#include "sinew/model/system.h"

namespace sinew::elastic_detail {

// The tets of lanes, counted in their group, with the kernel parameters there.
struct LanesOfGroup {
  const ElasticGroup& group;
  const Lanes* kernel;
  const Index* tets;
};

// f(family) for the families of fibers.
template <class F>
void for_each_family(const LanesOfGroup& of, F&& f) {
  for (const Points& directions : of.group.families) {
    const bool uniform = directions.cols() == 1;
    Lanes d[3];
    for (int i = 0; i < 3; ++i) d[i] = Lanes([&](auto lane) { return directions(i, uniform ? 0 : of.tets[lane]); });
    f(fiber_family(of.kernel + of.group.model->family_parameter(), d));
  }
}

inline bool has_second_stress(const ElasticGroup& group, const Lanes* history) {
  return history || !group.families.empty();
}

// P += F S. history: S of history, or null.
inline void add_second_stress(const LanesOfGroup& of, const Lanes* history, const Lanes* f, Lanes* p) {
  Lanes S[6];
  for (int k = 0; k < 6; ++k) S[k] = history ? history[k] : Lanes(0.0);
  for_each_family(of, [&](const FiberFamily& family) { add_family_stress(family, family_derivatives(family, f), S); });
  sinew::add_second_stress(f, S, p);
}

// g and h of corners += those of S. f and shape have the G of states. psd clamps the eigenvalues of the history's S;
// those of families are not negative.
inline void add_second_stress(const LanesOfGroup& of, const Lanes* history, const Lanes* f, const Lanes* shape,
                              const Lanes& volume, bool psd, Lanes* g, TetHessian<Lanes>& h) {
  Lanes S[6], of_hessian[6];
  for (int k = 0; k < 6; ++k) S[k] = of_hessian[k] = history ? history[k] : Lanes(0.0);
  if (psd && history) clamp_symmetric(history, of_hessian);
  for_each_family(of, [&](const FiberFamily& family) {
    const FamilyDerivatives psi = family_derivatives(family, f);
    add_family_stress(family, psi, S);
    add_family_stress(family, psi, of_hessian);
    add_family_hessian(family, psi, f, volume, shape, h);
  });
  add_second_stress_hessian(of_hessian, volume, shape, h);
  Lanes p[9], forces[12];
  for (Lanes& entry : p) entry = Lanes(0.0);
  sinew::add_second_stress(f, S, p);
  for (Lanes& entry : p) entry *= volume;
  forces_from_stress(p, shape, forces);
  for (int k = 0; k < 12; ++k) g[k] += forces[k];
}

}  // namespace sinew::elastic_detail
