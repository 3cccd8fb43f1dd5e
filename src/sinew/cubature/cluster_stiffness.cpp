#include "sinew/cubature/cluster_stiffness.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/linalg/dense_decompositions.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr Index lot = 512;              // tets whose B_e are formed at a time
constexpr Index most_sums = 16;         // partial sums of T in parallel
constexpr double least_energy = 1e-10;  // eigenvalues of the scaled T below this share of the largest are rigid motions

// Twice the energy density of a strain e is 2 mu |e|^2 + lambda tr(e)^2. For the normal strains this is
// 2 mu |(I + coupling 1 1^T) e|^2 with (1 + 3 coupling)^2 = 1 + 3 lambda / (2 mu), so that the energy is a sum of
// squares.
struct StrainMetric {
  double size = 0;  // sqrt(2 mu V)
  double coupling = 0;
};

StrainMetric strain_metric(const Domain& domain, Index t) {
  double mu = domain.mu[t], lambda = domain.lambda[t];
  if (!(mu > 0)) {  // models without moduli of their own: Poisson's ratio 1/3
    mu = 0.375 * domain.young[t];
    lambda = 2 * mu;
  }
  const double ratio = std::max(1 + 1.5 * lambda / mu, 0.0);
  return {std::sqrt(2 * mu * domain.volume[t]), (std::sqrt(ratio) - 1) / 3};
}

// Row x: the scaled strain (xx, yy, zz, and the three of shear times sqrt 2) of the displacement gradient e_x g^T.
Eigen::Matrix<double, 3, 6> strains(const Vec3& g, double coupling) {
  Eigen::Matrix<double, 3, 6> S = Eigen::Matrix<double, 3, 6>::Zero();
  S.leftCols<3>() = coupling * g * Eigen::RowVector3d::Ones();
  S.leftCols<3>().diagonal() += g;
  const Vec3 shear = g * std::sqrt(0.5);
  S(0, 3) = shear[1], S(1, 3) = shear[0];
  S(0, 4) = shear[2], S(2, 4) = shear[0];
  S(1, 5) = shear[2], S(2, 5) = shear[1];
  return S;
}

}  // namespace

ClusterStiffness::ClusterStiffness(const Domain& domain, const HandleBasis& basis, std::span<const Index> tets)
    : domain_(domain), basis_(basis), tets_(tets) {
  for (const Index e : tets) {
    for (int c = 0; c < 4; ++c) {
      const Index v = domain.tets(c, e);
      handles_.insert(handles_.end(), basis.handle.begin() + basis.begin[v], basis.handle.begin() + basis.begin[v + 1]);
    }
    if (handles_.size() > 1 << 12) sort_unique(handles_);
  }
  sort_unique(handles_);
  whiten();
}

MatX ClusterStiffness::energies(Index begin, Index end) const {
  std::vector<Index> chosen(end - begin);
  std::iota(chosen.begin(), chosen.end(), begin);
  return energies(chosen);
}

// B_e side by side: row 12 i + 3 a + x is the displacement along x of phi_i [1, (X - c_i) / r_i]_a.
MatX ClusterStiffness::energies(std::span<const Index> chosen) const {
  MatX B = MatX::Zero(12 * static_cast<Eigen::Index>(handles_.size()), 6 * static_cast<Eigen::Index>(chosen.size()));
  MatX gradients = MatX::Zero(3, 4 * static_cast<Eigen::Index>(handles_.size()));  // of the scalar functions
  std::vector<Index> there;                                                        // handles with support on the tet
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Index e = tets_[chosen[k]];
    const auto hats = hat_gradients(domain_.vertices, domain_.tets, e);
    const StrainMetric metric = strain_metric(domain_, e);
    // Gradients of the functions of each handle on the tet: grad(phi) = sum_v phi_v grad N_v, grad(phi X_a) likewise.
    there.clear();
    for (int c = 0; c < 4; ++c) {
      const Index v = domain_.tets(c, e);
      auto place = handles_.begin();
      for (auto p = basis_.begin[v]; p < basis_.begin[v + 1]; ++p) {
        const Index i = basis_.handle[p];
        if (place == handles_.end() || *place != i) place = std::lower_bound(handles_.begin(), handles_.end(), i);
        const auto h = static_cast<Index>(place++ - handles_.begin());
        there.push_back(h);
        const Vec3 g = metric.size * basis_.weight[p] * hats.col(c);
        const Vec3 x = (domain_.vertices.col(v) - basis_.center[i]) / basis_.radius[i];
        gradients.col(4 * h).head<3>() += g;
        gradients.middleCols<3>(4 * h + 1) += g * x.transpose();
      }
    }
    // Strains of the 12 displacements of each handle, and zeros again for the next tet.
    sort_unique(there);
    for (const Index h : there) {
      for (int a = 0; a < 4; ++a)
        B.block<3, 6>(12 * h + 3 * a, 6 * k) = strains(gradients.col(4 * h + a), metric.coupling);
      gradients.middleCols<4>(4 * h).setZero();
    }
  }
  return B;
}

// Three stages: T = sum_e B_e B_e^T in lots; its eigenvectors with unit diagonal, without the null space of rigid
// motions; the leverages |T^-1/2 B_e|^2 in a second pass over the tets, since keeping all B_e would take 72 k values
// for each.
void ClusterStiffness::whiten() {
  const auto size = 12 * static_cast<Eigen::Index>(handles_.size());
  const auto count = static_cast<Index>(tets_.size()), lots = (count + lot - 1) / lot;
  leverage_ = VecX::Zero(count);
  if (size == 0) return;
  const Index lots_a_sum = (lots + most_sums - 1) / most_sums;
  std::vector<MatX> sums((lots + lots_a_sum - 1) / lots_a_sum);
  parallel_for(
      sums.size(),
      [&](std::size_t s) {
        sums[s] = MatX::Zero(size, size);
        const auto first = static_cast<Index>(s) * lots_a_sum;
        for (Index l = first; l < std::min(first + lots_a_sum, lots); ++l)
          sums[s].selfadjointView<Eigen::Lower>().rankUpdate(energies(l * lot, std::min((l + 1) * lot, count)));
      },
      1);
  MatX T = std::move(sums[0]);
  for (std::size_t s = 1; s < sums.size(); ++s) T += sums[s];
  if (!(T.diagonal().maxCoeff() > 0)) return;
  // T = D^{-1} (Q L Q^T) D^{-1} with D = diag(T)^{-1/2}: the whitening is L^{-1/2} Q^T D over L > 0.
  VecX scale = VecX::Zero(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    if (T(i, i) > 0) scale[i] = 1 / std::sqrt(T(i, i));
  }
  T = scale.asDiagonal() * T * scale.asDiagonal();
  const SymmetricEigen eigen = symmetric_eigen(T);
  const VecX& values = eigen.values;  // ascending
  const auto rank = (values.array() > least_energy * values[size - 1]).count();
  whitening_ = values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal() * eigen.vectors.rightCols(rank).transpose() *
               scale.asDiagonal();
  // |Y_e|^2, Y_e the whitened B_e
  parallel_for(
      lots,
      [&](std::size_t l) {
        const auto begin = static_cast<Index>(l) * lot;
        const MatX Y = whitening_ * energies(begin, std::min(begin + lot, count));
        for (Index k = 0; 6 * k < Y.cols(); ++k) leverage_[begin + k] = Y.middleCols<6>(6 * k).squaredNorm();
      },
      1);
}

}  // namespace sinew
