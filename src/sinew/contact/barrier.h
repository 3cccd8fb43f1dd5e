// The logarithmic barrier of incremental potential contact (Li et al. 2020, eq. 6, on squared distances).
#pragma once

namespace sinew {

// The barrier b(d2) = -(d2 - dhat2)^2 ln(d2 / dhat2) [m^4] for d2 < dhat2, otherwise exactly 0; +infinity at d2 = 0.
// The squared distances d2, dhat2 are in m^2. The barrier is twice continuously differentiable at dhat2 and convex as a
// function of the distance.
double barrier(double d2, double dhat2);
double barrier_first(double d2, double dhat2);  // db/d(d2) [m^2], <= 0

struct BarrierDerivatives {
  double value, first, second;  // b [m^4], db/d(d2) [m^2], d2b/d(d2)^2 [1]
};
BarrierDerivatives barrier_derivatives(double d2, double dhat2);

// Scales the barrier to an energy: kappa w b(d2) / dhat^3 [J], where w [m^2] is the weight of a stencil.
struct BarrierParameters {
  double stiffness = 0;  // kappa [Pa]
  double distance = 0;   // dhat [m]

  // The barrier that begins at `reach` [m] instead; 0: at this distance. Pressures are those at the same share of it.
  BarrierParameters at(double reach) const { return {stiffness, reach > 0 ? reach : distance}; }
  double distance2() const { return distance * distance; }
  double factor() const { return stiffness / (distance * distance * distance); }  // [Pa/m^3]
};

}  // namespace sinew
