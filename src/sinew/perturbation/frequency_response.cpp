#include "sinew/perturbation/frequency_response.h"

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <optional>

#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseLU>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/perturbation/vibrations.h"

namespace sinew {
namespace {

using Complex = std::complex<double>;
using ComplexSparse = Eigen::SparseMatrix<Complex>;

constexpr Complex i_unit{0, 1};
// Of the norm of a static response: what the modes leave of one that they span.
constexpr double spanned = 1e-6;

// D(omega) = (1 + i eta) K - omega^2 M + i omega C.
struct Dynamic {
  Tangent& tangent;
  SymBlockMatrix M, C;
  double loss;

  Dynamic(Tangent& tangent, double loss) : tangent(tangent), M(tangent.mass()), C(tangent.damping()), loss(loss) {}

  Complex of_stiffness() const { return 1.0 + i_unit * loss; }

  // D u at all coordinates.
  ComplexVector multiply(const ComplexVector& u, double omega) const {
    MatX parts(u.size(), 2);
    parts << u.real(), u.imag();
    const MatX k = Tangent::multiply(tangent.stiffness(), parts), m = Tangent::multiply(M, parts),
               c = Tangent::multiply(C, parts);
    const auto join = [](const MatX& p) -> ComplexVector { return p.col(0) + i_unit * p.col(1); };
    return of_stiffness() * join(k) - omega * omega * join(m) + i_unit * omega * join(c);
  }
};

// Solutions for one frequency after the other.
class HarmonicSolver {
 public:
  virtual ~HarmonicSolver() = default;
  virtual ComplexVector solve(double omega) = 0;  // displacements, prescribed ones included
};

// A basis of modes, and of the static responses to the inertia and damping of the static displacement u_0 that the
// modes do not span, orthonormal in M. Without these two, reactions to a moving base would lack the inertia of all
// modes that are left out.
MatX response_basis(const Dynamic& dynamic, SparseCholesky* factor, const VecX& u_0, const MatX& Phi) {
  MatX W = Phi;
  if (!factor) return W;
  for (const SymBlockMatrix* A : {&dynamic.M, &dynamic.C}) {
    VecX s = dynamic.tangent.solve(*factor, Tangent::multiply(*A, u_0)).col(0);
    const double before = std::sqrt(s.dot(Tangent::multiply(dynamic.M, s).col(0)));
    if (!(before > 0)) continue;
    s /= before;
    for (int pass = 0; pass < 2; ++pass) s -= W * (W.transpose() * Tangent::multiply(dynamic.M, s));
    const double remains = std::sqrt(s.dot(Tangent::multiply(dynamic.M, s).col(0)));
    if (!(remains > spanned)) continue;
    W.conservativeResize(Eigen::NoChange, W.cols() + 1);
    W.rightCols(1) = s / remains;
  }
  return W;
}

// u = u_0 + W q with the static displacement u_0, K u_0 = f, and the basis W of modes and static responses:
//
//   W^T D W q + 2 i omega zeta Lambda^{1/2} q = W^T (omega^2 M u_0 - i eta f - i omega C u_0)
//                                               - 2 i omega zeta Lambda^{1/2} Phi^T M u_f,
//
// where the terms with zeta are those of the modes, and u_f is the part of u_0 by forces: ratios zeta damp motions
// relative to a moving base.
class ModalSolver final : public HarmonicSolver {
 public:
  ModalSolver(const Dynamic& dynamic, const LoadChange& change, const ModeSet& modes, double ratio)
      : stiffness_(dynamic.of_stiffness()), ratio_(ratio) {
    const Tangent& tangent = dynamic.tangent;
    MatX Phi = modes.vectors;
    tangent.set_fixed_to_zero(Phi);
    SymBlockMatrix K = tangent.stiffness();
    const std::unique_ptr<SparseCholesky> factor = tangent.factor(K);
    MatX f = change.force;
    tangent.set_fixed_to_zero(f);
    VecX by_force = VecX::Zero(f.rows());
    static_ = change.motion;
    if (factor) {
      static_ = linear_response(tangent, *factor, change);
      by_force = tangent.solve(*factor, f);
    } else if (!change.motion.isZero(0)) {
      fail_input(
          code::modes,
          "response: the stiffness is not positive definite, so no static motion follows the prescribed one; give "
          "--direct");
    }
    W_ = response_basis(dynamic, factor.get(), static_, Phi);
    const auto projected = [&](const SymBlockMatrix& A, const MatX& u) -> MatX {
      return W_.transpose() * Tangent::multiply(A, u);
    };
    K_ = projected(tangent.stiffness(), W_);
    M_ = projected(dynamic.M, W_);
    C_ = projected(dynamic.C, W_);
    mass_ = projected(dynamic.M, static_);
    damping_ = projected(dynamic.C, static_);
    // f - (1 + i eta) K u_0 at free coordinates.
    load_ = (factor ? 1.0 - stiffness_ : Complex(1)) * (W_.transpose() * f).cast<Complex>();
    root_ = VecX::Zero(W_.cols());
    root_.head(Phi.cols()) = modes.values.cwiseSqrt();
    relative_ = VecX::Zero(W_.cols());
    relative_.head(Phi.cols()) = Phi.transpose() * Tangent::multiply(dynamic.M, by_force);
  }

  ComplexVector solve(double omega) override {
    const Complex ratio = 2.0 * i_unit * omega * ratio_;
    Eigen::MatrixXcd A = stiffness_ * K_ - Complex(omega * omega) * M_ + i_unit * omega * C_;
    A.diagonal() += ratio * root_;
    ComplexVector b = load_ + Complex(omega * omega) * mass_ - i_unit * omega * damping_;
    b -= ratio * root_.cwiseProduct(relative_);
    const ComplexVector q = A.partialPivLu().solve(b);
    const VecX real = q.real(), imaginary = q.imag();
    ComplexVector u(static_.size());
    u.real() = static_ + W_ * real;
    u.imag() = W_ * imaginary;
    return u;
  }

 private:
  Complex stiffness_;
  double ratio_;
  VecX static_, root_, relative_, mass_, damping_;
  ComplexVector load_;
  MatX W_, K_, M_, C_;
};

// D(omega) u = f - D u_p at free coordinates, by sparse LU factorisation.
class DirectSolver final : public HarmonicSolver {
 public:
  DirectSolver(const Dynamic& dynamic, const LoadChange& change) : dynamic_(dynamic), change_(change) {
    const std::vector<char>& fixed = dynamic.tangent.fixed();
    number_.assign(fixed.size(), -1);
    for (std::size_t c = 0; c < fixed.size(); ++c)
      if (!fixed[c]) {
        number_[c] = static_cast<Index>(free_.size());
        free_.push_back(static_cast<Index>(c));
      }
    K_ = sparse(dynamic.tangent.stiffness());
    M_ = sparse(dynamic.M);
    C_ = sparse(dynamic.C);
  }

  ComplexVector solve(double omega) override {
    const ComplexSparse A = dynamic_.of_stiffness() * K_ - Complex(omega * omega) * M_ + i_unit * omega * C_;
    if (!analyzed_) lu_.analyzePattern(A);
    analyzed_ = true;
    lu_.factorize(A);
    if (lu_.info() != Eigen::Success)
      throw SimulationError(
          code::factorization,
          fmt::format("the dynamic stiffness at {:g} Hz is singular: without damping, this is a natural "
                      "frequency; give the bodies damping",
                      omega / (2 * std::numbers::pi)));
    ComplexVector u = change_.motion.cast<Complex>();
    const ComplexVector f = change_.force.cast<Complex>() - dynamic_.multiply(u, omega);
    ComplexVector b(static_cast<Index>(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k) b[static_cast<Index>(k)] = f[free_[k]];
    ComplexVector x = lu_.solve(b);
    correct(x);
    for (std::size_t k = 0; k < free_.size(); ++k) u[free_[k]] = x[static_cast<Index>(k)];
    return u;
  }

 private:
  // Terms of rank one of the stiffness, by Woodbury's formula (linalg/rank_correction.h).
  void correct(ComplexVector& x) {
    const std::vector<RankOne>& terms = dynamic_.tangent.stiffness().ranks();
    if (terms.empty()) return;
    const auto count = static_cast<Eigen::Index>(terms.size());
    Eigen::MatrixXcd U = Eigen::MatrixXcd::Zero(x.size(), count), Z(x.size(), count);
    for (Eigen::Index k = 0; k < count; ++k) {
      for (std::size_t i = 0; i < terms[k].rows.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) {
          const Index free = number_[3 * static_cast<std::size_t>(terms[k].rows[i]) + axis];
          if (free >= 0) U(free, k) = terms[k].u(axis, static_cast<Index>(i));
        }
      Z.col(k) = lu_.solve(U.col(k));
    }
    Eigen::MatrixXcd S = U.transpose() * Z;
    for (Eigen::Index k = 0; k < count; ++k) S(k, k) += 1.0 / (dynamic_.of_stiffness() * terms[k].factor);
    x -= Z * S.partialPivLu().solve(U.transpose() * x);
  }

  // The entries of free coordinates, both triangles. Zeros stay, so that all frequencies have one pattern.
  ComplexSparse sparse(const SymBlockMatrix& A) const {
    std::vector<Eigen::Triplet<Complex>> entries;
    const BlockPattern& pattern = A.pattern();
    for (Index row = 0; row < A.rows(); ++row)
      for (std::int64_t s = pattern.row_begin[row]; s < pattern.row_begin[row + 1]; ++s) {
        const Index column = pattern.columns[s];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const Index a = number_[3 * static_cast<std::size_t>(row) + i],
                        b = number_[3 * static_cast<std::size_t>(column) + j];
            if (a < 0 || b < 0) continue;
            const double value = A.block(s)[i + 3 * j];
            entries.emplace_back(a, b, value);
            if (row != column) entries.emplace_back(b, a, value);
          }
      }
    const auto n = static_cast<Index>(free_.size());
    ComplexSparse matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }

  const Dynamic& dynamic_;
  const LoadChange& change_;
  std::vector<Index> number_, free_;
  ComplexSparse K_, M_, C_;
  Eigen::SparseLU<ComplexSparse, Eigen::AMDOrdering<int>> lu_;
  bool analyzed_ = false;
};

// All vertices, those that follow others too.
ComplexVector lifted(const Tangent& tangent, const ComplexVector& u) {
  const System& system = tangent.system();
  MatX parts(u.size(), 2);
  parts << u.real(), u.imag();
  tangent.place_tied(parts);
  ComplexVector all(3 * system.body_vertex_count());
  for (int k = 0; k < 2; ++k) {
    Points x = Points::Zero(3, system.body_vertex_count());
    x.leftCols(system.dynamic_count) = Eigen::Map<const Points>(parts.col(k).data(), 3, system.dynamic_count);
    system.embedding.place(x);
    const auto values = Eigen::Map<const VecX>(x.data(), x.size());
    if (k == 0)
      all.real() = values;
    else
      all.imag() = values;
  }
  return all;
}

}  // namespace

HarmonicResponse frequency_response(Tangent& tangent, const HarmonicOptions& options) {
  const LinearSensors sensors(tangent.system());
  if (options.modes == 0 && options.damping_ratio != 0)
    fail_input(
        code::usage,
        "--damping-ratio: found a ratio with --direct, expected modes to which it applies; remove --direct, or give "
        "--loss-factor or the damping of bodies");
  const LoadChange change = load_change(tangent, "response");
  const Dynamic dynamic(tangent, options.loss_factor);
  ModeSet modes;
  HarmonicResponse response;
  std::unique_ptr<HarmonicSolver> solver;
  if (options.modes > 0) {
    modes = vibrations(tangent, options.modes);
    if (modes.values[0] < 0)
      fail_input(code::modes,
                 "response: the state is unstable, its lowest mode grows by exp({:.3g} t / s); expected a stable state",
                 std::sqrt(-modes.values[0]));
    response.natural = modes.values.cwiseSqrt() / (2 * std::numbers::pi);
    solver = std::make_unique<ModalSolver>(dynamic, change, modes, options.damping_ratio);
  } else {
    solver = std::make_unique<DirectSolver>(dynamic, change);
  }
  response.columns = sensors.columns();
  const auto count = static_cast<Index>(options.frequencies.size());
  response.values.resize(count, static_cast<Index>(response.columns.size()));
  activity::begin("frequency response", count);
  for (Index k = 0; k < count; ++k) {
    const double omega = 2 * std::numbers::pi * options.frequencies[static_cast<std::size_t>(k)];
    const ComplexVector u = solver->solve(omega);
    // What holds prescribed coordinates: D u - f.
    ComplexVector reactions;
    if (sensors.reads_forces()) reactions = dynamic.multiply(u, omega) - change.force.cast<Complex>();
    response.values.row(k) = sensors.measure(lifted(tangent, u), reactions, omega).transpose();
    activity::reached(k + 1);
  }
  activity::finish();
  return response;
}

}  // namespace sinew
