#include "sinew/mesh/strain.h"

#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew {

std::vector<double> equivalent_strain(const Points& rest, const Points& x, const Tets& tets) {
  std::vector<double> strain(static_cast<std::size_t>(tets.cols()));
  const auto edges = [&](const Points& of, Eigen::Index t) {
    Mat3 D;
    for (int k = 0; k < 3; ++k) D.col(k) = of.col(tets(k + 1, t)) - of.col(tets(0, t));
    return D;
  };
  parallel_for(strain.size(), [&](std::size_t t) {
    const auto tet = static_cast<Eigen::Index>(t);
    const Mat3 F = edges(x, tet) * edges(rest, tet).inverse();
    Mat3 E = 0.5 * F.transpose() * F;  // I / 2 is no part of the deviator
    E.diagonal().array() -= E.trace() / 3;
    strain[t] = std::sqrt(2.0 / 3.0) * E.norm();
  });
  return strain;
}

}  // namespace sinew
