// Lagged Coulomb friction of one contact stencil (Li et al. 2020, section 5), smoothed around rest.
//
// With normal force lambda, tangent basis T and closest points fixed at lagged positions, the energy is
//
//   mu lambda f0(|u|),  u = T^T (sum_i c_i (x_i - x^_i) - m).
//
// u is the tangential displacement since x^. m is the displacement of an analytic plane's material at the contact
// point.
#pragma once

#include <array>
#include <span>

#include "sinew/contact/stencil_energy.h"

namespace sinew {

struct FrictionStencil {
  std::array<Index, 4> v{-1, -1, -1, -1};       // vertex ids; -1 where the contact has fewer
  Eigen::Vector4d c = Eigen::Vector4d::Zero();  // weights of the relative displacement, zero where v is -1
  Eigen::Matrix<double, 3, 2> T = Eigen::Matrix<double, 3, 2>::Zero();  // orthonormal, normal to the contact normal
  double normal_force = 0;                                              // lambda [N]
  double coefficient = 0;                                               // mu
  Vec3 plane_displacement = Vec3::Zero();                               // m [m]; zero without a plane
  int first = 1;                                                        // number of vertices of the first side
  Index plane = -1;                                                     // the plane that is touched; -1: none
};

// Two orthonormal vectors normal to the unit vector n.
Eigen::Matrix<double, 3, 2> tangent_basis(const Vec3& n);

// The coefficient of friction between the materials of the stencil's primitives.
double friction_coefficient(const CollisionMesh& mesh, const ContactStencil& stencil);

// Displacement [m] of a plane's material point that ends at `point`, as the plane moves rigidly from `from` to `to`. If
// the states have no tangents, a rotation about the plane's normal is ignored.
Vec3 plane_displacement(const PlaneState& from, const PlaneState& to, const Vec3& point);

// Fixes normal force, tangents and closest points of a contact at positions x (3 x n_all) [m] and plane states. The
// plane displacement stays zero.
FrictionStencil lag_friction(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                             const BarrierParameters& barrier, double coefficient);

// f0(y) for y = |u| >= 0: y^2/eps - y^3/(3 eps^2) + eps/3 below eps, y above. eps > 0 [m] is the displacement below
// which contacts stick. f1 = f0' is C1.
double friction_potential(double y, double eps);  // [m]

// f1(y)/y [1/m], finite at y = 0, and f1'(y) [1/m] >= 0.
struct FrictionSlopes {
  double secant, tangent;
};
FrictionSlopes friction_slopes(double y, double eps);

// Tangential displacement u [m] of positions x from reference x^ (both 3 x n_all).
Eigen::Vector2d friction_slip(const FrictionStencil& stencil, const Points& x, const Points& reference);

double friction_energy(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps);  // [J]

// Gradient by the relative displacement sum_i c_i x_i: mu lambda f1(|u|)/|u| T u [N]. The gradient by vertex i is c_i
// times this vector.
Vec3 friction_gradient(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps);

// Derivative of friction_gradient() by the relative displacement [N/m], positive semidefinite for sticking and
// slipping:
//
//   mu lambda T [ f1/|u| (I - u u^T/|u|^2) + f1' u u^T/|u|^2 ] T^T.
//
// Block (i, j) of the Hessian is c_i c_j times this matrix.
Mat3 friction_hessian(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps);

// Newton's method with the Hessian above overshoots rest, because a slipping contact shows no resistance along its
// slip. The primal-dual method of Chan, Golub and Mulet (1999, "A nonlinear primal-dual method for total
// variation-based image restoration") makes the friction force over mu lambda an unknown w, |w| <= 1. The method
// linearises, by u and w,
//
//   phi(|u|) w = u,  phi(y) = y / f1(y).
//
// Elimination of w leaves the gradient unchanged. The Hessian becomes
//
//   mu lambda T [ f1/|u| I - (f1/|u| - f1') / f1 sym(w u^T) / |u| ] T^T,
//
// It is positive semidefinite, and exact for w = f1 u/|u|. With w = 0 it is the secant stiffness, whose quadratic model
// lies above the energy. A contact whose force has not settled therefore does not overshoot.
Mat3 friction_hessian(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps,
                      const Eigen::Vector2d& w);

// The dual variable w that the linearisation at x predicts after the displacement alpha d (d: 3 x n_all), cut to length
// 1.
Eigen::Vector2d friction_dual(const FrictionStencil& stencil, const Points& x, const Points& d, double alpha,
                              const Points& reference, double eps, const Eigen::Vector2d& w);

// A lower bound of the exact Hessians at all slips within `radius` [m] of u. f1/y and f1' both fall with y = |u|. If a
// slip within the radius is zero, the slip may have any direction.
Mat3 least_friction_hessian(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps,
                            double radius);

// Ratio of least_friction_hessian() to the exact Hessian, along the slip or across it, whichever is smaller: 0 to 1.
double friction_softening(const FrictionStencil& stencil, const Points& x, const Points& reference, double eps,
                          double radius);

}  // namespace sinew
