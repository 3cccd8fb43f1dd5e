// The barrier energy of one contact stencil, kappa w b(d2) / dhat^3 [times the mollifier], with derivatives.
#pragma once

#include <span>

#include "sinew/contact/barrier.h"
#include "sinew/contact/distance_derivatives.h"
#include "sinew/contact/stencil.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// Positions of a stencil's vertices; zero columns where it has fewer than four.
StencilPoints gather(const ContactStencil& stencil, const Points& x);

// Squared distance [m^2]. `planes` are all analytic planes' states.
double stencil_distance2(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes);

// Energy [J]: +infinity for touching primitives or a point on or behind its plane, exactly 0 from dhat on.
double stencil_energy(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                      const BarrierParameters& barrier);

// Sets g to the gradient [N]: rows 3 i .. 3 i + 2 for v[i], zero beyond the stencil's vertices. Returns the energy.
double stencil_gradient(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                        const BarrierParameters& barrier, Vec12& g);

// Sets g to the gradient [N] and H to the Hessian [N/m], and returns the energy. psd: H becomes the nearest positive
// semidefinite matrix (negative eigenvalues set to 0).
//
// Without mollifier the eigenproblem has size 1, 3 or 5 instead of 6, 9 or 12. In the notation of
// distance_derivatives.h, with gap d and unit normal n, the Hessian is
//
//   (4 b'' d2 + 2 b') (c (x) n)(c (x) n)^T - 2 b' [ U W^T + W U^T + W A W^T ] + 2 b' c c^T (x) (P - n n^T).
//
// It acts on span{c, C} (x) n and c (x) span J, and is negative (b' < 0) on the remaining directions of c (x) R^3.
double stencil_derivatives(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                           const BarrierParameters& barrier, bool psd, Vec12& g, Mat12& H);

// Normal force of the barrier, -dB/dd [N] >= 0, mollifier included.
double stencil_normal_force(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                            const BarrierParameters& barrier);

// Second derivative of the energy by the gap [N/m], without mollifier. It decreases as the gap grows.
double stencil_normal_stiffness(const ContactStencil& stencil, double gap, const BarrierParameters& barrier);

}  // namespace sinew
