// Drag of the air on faces, from the velocity of the wind relative to each face.
//
// A face has the area A, the normal n and the velocity v of its centroid; the wind there is w, and u = w - v. The flow
// across a face and the flow along it drag independently (Taylor 1952; Wejchert and Haumann 1991, section 4):
//
//   f = rho A / 2 (c_d |u_n| u_n n + c_f |u_t| u_t),   u_n = u . n,   u_t = u - u_n n.
//
// A closed body meets the flow across its faces only where the air blows against them from outside (u_n < 0); cloth
// meets it from both sides. The values of A, n and w are those at the start of the step, v is the integrator's velocity
// at its end, (x - x^) / h^. The force f then derives from a convex potential of x:
//
//   E = h^ rho A / 6 (c_d |u_n|^3 + c_f |u_t|^3).
//
// Its third of the force acts on each corner. Without inertia there is no wind.
#pragma once

#include <array>
#include <vector>

#include "sinew/potential/load_energy.h"

namespace sinew {

// Turbulence as a sum of random Fourier modes (Kraichnan 1970):
//
//   w = sum_k a_k cos(p_k) + b_k sin(p_k),   p_k = k . x + omega_k t.
//
// Vectors a_k and b_k are across k, so that the field has no divergence. Each component of k has the standard deviation
// 1 / length, omega has 1 / time. Each component of w has the given root mean square over space.
class Turbulence {
 public:
  explicit Turbulence(const WindSetup& wind);
  Vec3 at(const Vec3& x, double time) const;

 private:
  struct Mode {
    Vec3 k, a, b;  // [1/m], [m/s], [m/s]
    double omega;  // [1/s]
  };
  std::vector<Mode> modes_;  // empty: no turbulence
};

class WindEnergy final : public LoadEnergy {
 public:
  explicit WindEnergy(const System& system);

  void begin_step(const StepContext& context) override;

  bool empty() const override { return faces_.empty(); }
  std::string_view name() const override { return "wind"; }
  std::size_t count() const override { return loads_.size(); }
  const FaceLoad& source(std::size_t load) const override { return *loads_[load].source; }
  void add_load_gradient(std::size_t load, const Points& x, double scale, Points& g) const override;
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

 private:
  struct Load {
    const FaceLoad* source;
    Turbulence turbulence;
    std::size_t begin, end;  // its faces
  };
  // A face in a step.
  struct Face {
    std::array<Index, 3> v;
    Vec3 normal;            // unit, outward; zero for a face without area
    Vec3 wind;              // w plus the mean of x^ over h^ [m/s], so that u = wind - mean of x / h^
    double drag, friction;  // rho A c / 2 [kg/m]
    bool from_outside;
  };
  Vec3 relative_velocity(const Face& face, const Points& x) const;
  // -dE/dx of the mean of the corners: the force [N].
  static Vec3 force(const Face& face, const Vec3& u);
  double energy(const Face& face, const Vec3& u) const;
  void add_force(const Face& face, const Points& x, double scale, Points& g) const;

  std::vector<Load> loads_;
  std::vector<Face> faces_;  // of all loads; empty: no wind in this step
  double step_ = 0;          // h^ [s]
};

}  // namespace sinew
