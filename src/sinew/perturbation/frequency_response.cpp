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

// u = u_s + sum_j q_j phi_j with the static displacement u_s, which stands for the modes that are left out. With
// K u_s = f, the modal amplitudes obey
//
//   (Lambda (1 + i eta) - omega^2 I + i omega Phi^T C Phi + 2 i omega zeta Lambda^{1/2}) q
//     = Phi^T (omega^2 M u_s - i eta f - i omega C u_s) - 2 i omega zeta Lambda^{1/2} Phi^T M u_f,
//
// where u_f is the part of u_s by forces: ratios zeta damp motions relative to a moving base.
class ModalSolver final : public HarmonicSolver {
 public:
  ModalSolver(const Dynamic& dynamic, const LoadChange& change, const ModeSet& modes, double ratio)
      : loss_(dynamic.loss), ratio_(ratio), modes_(modes) {
    Tangent& tangent = dynamic.tangent;
    MatX Phi = modes.vectors;
    tangent.set_fixed_to_zero(Phi);
    root_ = modes.values.cwiseSqrt();
    SymBlockMatrix K = tangent.stiffness();
    const std::unique_ptr<SparseCholesky> factor = tangent.factor(K);
    MatX f = change.force;
    tangent.set_fixed_to_zero(f);
    VecX by_force = VecX::Zero(f.rows());
    static_ = change.motion;
    if (factor) {
      static_ = linear_response(tangent, *factor, change);
      by_force = tangent.solve(*factor, f);
    } else if (change.motion.size() > 0 && !change.motion.isZero(0)) {
      fail_input(code::modes,
                 "response: the stiffness is not positive definite, so no static motion follows the prescribed one; give "
                 "--direct");
    }
    const MatX u = static_;
    // f - (1 + i eta) K u_s at free coordinates.
    load_ = (factor ? -i_unit * loss_ : Complex(1)) * (Phi.transpose() * f).cast<Complex>();
    mass_ = Phi.transpose() * Tangent::multiply(dynamic.M, u);
    mass_by_force_ = Phi.transpose() * tangent.multiply_mass(by_force);
    damping_ = Phi.transpose() * Tangent::multiply(dynamic.C, u);
    C_ = Phi.transpose() * Tangent::multiply(dynamic.C, Phi);
    Phi_ = std::move(Phi);
  }

  ComplexVector solve(double omega) override {
    Eigen::MatrixXcd A = i_unit * omega * C_.cast<Complex>();
    for (Index j = 0; j < root_.size(); ++j)
      A(j, j) += modes_.values[j] * (1.0 + i_unit * loss_) - omega * omega + 2.0 * i_unit * omega * ratio_ * root_[j];
    ComplexVector b = omega * omega * mass_.cast<Complex>() + load_;
    b -= i_unit * omega * damping_.cast<Complex>();
    b -= 2.0 * i_unit * omega * ratio_ * root_.cwiseProduct(mass_by_force_).cast<Complex>();
    const ComplexVector q = A.partialPivLu().solve(b);
    const VecX real = q.real(), imaginary = q.imag();
    ComplexVector u(static_.size());
    u.real() = static_ + Phi_ * real;
    u.imag() = Phi_ * imaginary;
    return u;
  }

 private:
  double loss_, ratio_;
  const ModeSet& modes_;
  VecX root_, static_, mass_, mass_by_force_, damping_;
  ComplexVector load_;
  MatX C_, Phi_;
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
    const ComplexSparse A =
        dynamic_.of_stiffness() * K_ - Complex(omega * omega) * M_ + i_unit * omega * C_;
    if (!analyzed_) lu_.analyzePattern(A);
    analyzed_ = true;
    lu_.factorize(A);
    if (lu_.info() != Eigen::Success)
      throw SimulationError(code::factorization,
                            fmt::format("the dynamic stiffness at {:g} Hz is singular: without damping, this is a natural "
                                        "frequency; give the bodies damping",
                                        omega / (2 * std::numbers::pi)));
    ComplexVector u = change_.motion.cast<Complex>();
    const ComplexVector f = change_.force.cast<Complex>() - dynamic_.multiply(u, omega);
    ComplexVector b(static_cast<Index>(free_.size()));
    for (std::size_t k = 0; k < free_.size(); ++k) b[static_cast<Index>(k)] = f[free_[k]];
    const ComplexVector x = lu_.solve(b);
    for (std::size_t k = 0; k < free_.size(); ++k) u[free_[k]] = x[static_cast<Index>(k)];
    return u;
  }

 private:
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
    fail_input(code::usage,
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
