#include "sinew/cubature/stiffness_fitting.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "sinew/core/sort_unique.h"
#include "sinew/linalg/nnls.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr Index lot = 512;              // tets at a time
constexpr double least_energy = 1e-10;  // of the largest: eigenvalues of the scaled T below belong to rigid motions
constexpr double lame_ratio = 1;        // lambda / (2 mu), of Poisson's ratio 1/3
constexpr double ridge = 0.03;          // on the change of a weight against the drawn one

// sqrt of the isotropic stiffness on the normal strains is 1 + normal_coupling 1 1^T.
const double normal_coupling = (std::sqrt(1 + 3 * lame_ratio) - 1) / 3;

class ClusterStiffness {
 public:
  ClusterStiffness(const Domain& domain, const HandleBasis& basis, std::span<const Index> tets)
      : domain_(domain), basis_(basis), tets_(tets) {
    for (const Index e : tets) {
      for (int c = 0; c < 4; ++c) {
        const Index v = domain.tets(c, e);
        handles_.insert(handles_.end(), basis.handle.begin() + basis.begin[v],
                        basis.handle.begin() + basis.begin[v + 1]);
      }
      if (handles_.size() > 1 << 12) shrink_handles();
    }
    shrink_handles();
    whiten();
  }

  Index rank() const { return static_cast<Index>(whitening_.rows()); }
  const VecX& leverage() const { return leverage_; }  // |Y_e|^2 of each tet; their sum is the rank

  // Y_e of the given tets of the cluster, side by side: rank x 6 count.
  MatX whitened(std::span<const Index> chosen) const { return whitening_ * energies(chosen); }

 private:
  void shrink_handles() { sort_unique(handles_); }

  // B_e side by side. Strains xx, yy, zz, and the three of shear times sqrt 2; row 12 i + 3 a + x is the displacement
  // along x of phi_i [1, (X - c_i) / r_i]_a.
  MatX energies(std::span<const Index> chosen) const {
    MatX B = MatX::Zero(12 * static_cast<Eigen::Index>(handles_.size()), 6 * static_cast<Eigen::Index>(chosen.size()));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const Index e = tets_[chosen[k]];
      const auto gradients = hat_gradients(domain_.vertices, domain_.tets, e);
      const double size = std::sqrt(domain_.volume[e] * domain_.young[e]);
      for (int c = 0; c < 4; ++c) {
        const Index v = domain_.tets(c, e);
        for (auto p = basis_.begin[v]; p < basis_.begin[v + 1]; ++p) {
          const Index i = basis_.handle[p];
          const auto row = 12 * (std::lower_bound(handles_.begin(), handles_.end(), i) - handles_.begin());
          Eigen::Vector4d value(1, 0, 0, 0);
          value.tail<3>() = (domain_.vertices.col(v) - basis_.center[i]) / basis_.radius[i];
          for (int a = 0; a < 4; ++a) {
            const Vec3 g = size * basis_.weight[p] * value[a] * gradients.col(c);
            B.block<3, 6>(row + 3 * a, 6 * k) += strains(g);
          }
        }
      }
    }
    return B;
  }

  // Row x: the scaled strain of the displacement gradient e_x g^T.
  static Eigen::Matrix<double, 3, 6> strains(const Vec3& g) {
    Eigen::Matrix<double, 3, 6> S = Eigen::Matrix<double, 3, 6>::Zero();
    S.leftCols<3>() = normal_coupling * g * Eigen::RowVector3d::Ones();
    S.leftCols<3>().diagonal() += g;
    const Vec3 shear = g * std::sqrt(0.5);
    S(0, 3) = shear[1], S(1, 3) = shear[0];
    S(0, 4) = shear[2], S(2, 4) = shear[0];
    S(1, 5) = shear[2], S(2, 5) = shear[1];
    return S;
  }

  // f(B of a lot, its first tet).
  template <class F>
  void for_lots(F&& f) const {
    std::vector<Index> chosen;
    for (Index begin = 0; begin < static_cast<Index>(tets_.size()); begin += lot) {
      chosen.clear();
      for (Index k = begin; k < std::min(begin + lot, static_cast<Index>(tets_.size())); ++k) chosen.push_back(k);
      f(energies(chosen), begin);
    }
  }

  void whiten() {
    const auto size = 12 * static_cast<Eigen::Index>(handles_.size());
    leverage_ = VecX::Zero(static_cast<Eigen::Index>(tets_.size()));
    if (size == 0) return;
    MatX T = MatX::Zero(size, size);
    for_lots([&](const MatX& B, Index) { T.selfadjointView<Eigen::Lower>().rankUpdate(B); });
    if (!(T.diagonal().maxCoeff() > 0)) return;
    VecX scale = VecX::Zero(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      if (T(i, i) > 0) scale[i] = 1 / std::sqrt(T(i, i));
    }
    T = scale.asDiagonal() * T * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(T);  // of the lower triangle; ascending
    const VecX& values = eigen.eigenvalues();
    const auto rank = (values.array() > least_energy * values[size - 1]).count();
    whitening_ = values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal() *
                 eigen.eigenvectors().rightCols(rank).transpose() * scale.asDiagonal();
    for_lots([&](const MatX& B, Index begin) {
      const MatX Y = whitening_ * B;
      for (Index k = 0; 6 * k < Y.cols(); ++k) leverage_[begin + k] = Y.middleCols<6>(6 * k).squaredNorm();
    });
  }

  const Domain& domain_;
  const HandleBasis& basis_;
  std::span<const Index> tets_;
  std::vector<Index> handles_;
  MatX whitening_;  // rank x 12 k: T^{-1/2} without rigid motions
  VecX leverage_;
};

// Weights u_e of the unit-trace matrices Y_e Y_e^T / |Y_e|^2, with the sum `trace`.
struct Weights {
  VecX u;
  double residual;
};

Weights fit_identity(const MatX& Y, const VecX& leverage, double trace) {
  const auto count = leverage.size();
  const MatX scaled = Y * leverage.cwiseSqrt().cwiseInverse().replicate(1, 6).transpose().reshaped().asDiagonal();
  // G_ef = <Y_e Y_e^T, Y_f Y_f^T>; each has the product 1 with I.
  const MatX products = scaled.transpose() * scaled;
  MatX G(count, count);
  for (Eigen::Index f = 0; f < count; ++f) {
    for (Eigen::Index e = f; e < count; ++e) G(e, f) = G(f, e) = products.block<6, 6>(6 * e, 6 * f).squaredNorm();
  }
  const double drawn = trace / static_cast<double>(count);
  MatX ridged = G;
  ridged.diagonal().array() += ridge;
  const Eigen::LLT<MatX> factor(ridged);
  const MatX A = factor.matrixU();
  const VecX b = factor.matrixL().solve(VecX::Constant(count, 1 + ridge * drawn));
  Weights weights{nnls(A, b).x, 0.0};
  weights.u *= trace / weights.u.sum();
  const double squared = weights.u.dot(G * weights.u) - 2 * weights.u.sum() + trace;
  weights.residual = std::sqrt(std::max(0.0, squared) / trace);
  return weights;
}

ClusterRule rule_of_cluster(const Domain& domain, const HandleBasis& basis, const StiffnessFittingOptions& options,
                            std::size_t cluster, std::span<const Index> tets) {
  ClusterRule rule;
  if (tets.size() < 2) return full_sum(tets.size());
  const ClusterStiffness stiffness(domain, basis, tets);
  const Index rank = stiffness.rank();
  rule.functions = rank;
  rule.weights.assign(tets.size(), 0.0);
  if (rank == 0) {  // nothing moves: the largest tet keeps the volume
    std::size_t largest = 0;
    double volume = 0;
    for (std::size_t k = 0; k < tets.size(); ++k) {
      volume += domain.volume[tets[k]];
      if (domain.volume[tets[k]] > domain.volume[tets[largest]]) largest = k;
    }
    rule.weights[largest] = volume / domain.volume[tets[largest]];
    return rule;
  }
  const double wanted = std::ceil(options.density * rank / 6);
  if (wanted >= full_share * static_cast<double>(tets.size())) return full_sum(tets.size());
  RandomStream random(options.seed, cluster);
  const std::vector<Index> drawn = draw(stiffness.leverage(), static_cast<Index>(wanted), random);
  const VecX leverage = stiffness.leverage()(drawn);
  const Weights weights = fit_identity(stiffness.whitened(drawn), leverage, rank);
  for (std::size_t k = 0; k < drawn.size(); ++k) rule.weights[drawn[k]] = weights.u[k] / leverage[k];
  rule.residual = weights.residual;
  return rule;
}

}  // namespace

Cubature stiffness_fitting(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                           const StiffnessFittingOptions& options, FittingReport& report) {
  return rule_by_cluster(
      partition,
      [&](std::size_t c, std::span<const Index> tets) { return rule_of_cluster(domain, basis, options, c, tets); },
      report);
}

}  // namespace sinew
