// Bodies made of springs instead of an energy density of F (Liu, Bouaziz, Kavan 2017, section 3). Springs k/2 (|x_i -
// x_j| - l)^2 are on the edges of tets, or of triangles (cloth), with
//
//   k = E sum_e V_e / l^2  over the elements e at the edge; V_e = A_e t for triangles of thickness t
//
// Under a small homogeneous strain eps, an element has the energy density E/2 sum_edges (n . eps n)^2, where n are the
// directions of its edges. Averaged over all orientations, this is the isotropic solid (tets) or membrane (triangles)
// with Young's modulus E. Its Poisson's ratio is 1/4 or 1/3, as always with central forces. E is therefore a modulus
// for any mesh size. Meshes whose edges have few directions are stiffer along some of these.
//
// With a `stretch_limit` c > 0, no edge of an element ever gets longer than (1 + c) l (potential/stretch_limit.h).
//
// Cloth also has bending springs across each inner edge, between the opposite vertices of its two triangles. Their
// stiffness is `bending` times the same k, and they have no limit.
#pragma once

#include <string_view>

#include "sinew/material/model.h"

namespace sinew {

inline constexpr std::string_view mass_spring_name = "mass_spring";

class MassSpring final : public MaterialLaw {
 public:
  // Order of the kernel parameters. Thickness and bending are zero for a body of tets. stretch_limit 0: no limit.
  enum Parameter { young, thickness, bending, stretch_limit };

  std::string name() const override { return std::string(mass_spring_name); }
  std::vector<ParameterInfo> parameters() const override;
  std::vector<std::vector<std::string>> parameter_sets() const override;
  int kernel_parameter_count() const override { return 4; }

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;
};

const MassSpring& mass_spring();

}  // namespace sinew
