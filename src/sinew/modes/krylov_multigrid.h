// Inertia modes by multigrid in place of a factorisation, as accurate as their span needs (theory, section 9).
#pragma once

#include <memory>
#include <optional>

#include "sinew/linalg/block_cg.h"
#include "sinew/linalg/multigrid.h"
#include "sinew/modes/krylov_error.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

struct KrylovMultigridOptions {
  // Largest estimated sine of the angle to the exact span: 0.011 degrees. True angles were up to 6.3 times the estimate
  // (bench_modes inertia, 200,000 tets), so that they stay below 0.1 degrees.
  double angle = 2e-4;
  int max_iterations = 100;  // of a solve
  int attempts = 3;          // with ever smaller errors
  MultigridOptions multigrid;
};

struct KrylovMultigridReport {
  int solves = 0, iterations = 0, attempts = 0;
  double setup_seconds = 0, solve_seconds = 0, error_seconds = 0;
  double sine = 0;               // estimate of the span's error
  double complexity = 0;         // entries of all levels over those of K
  std::size_t memory_bytes = 0;  // beside the modes
};

struct KrylovModes {
  MatX U;          // orthonormal in the mass
  VecX quotients;  // their Rayleigh quotients
};

class KrylovMultigrid {
 public:
  explicit KrylovMultigrid(const RestBody& body, const KrylovMultigridOptions& options = {});

  // Returns `count` modes of the Krylov space of K^+ M from `start`: independent columns, orthogonal in the mass to
  // the rigid motions. Returns nothing unless the estimated angle between their span and the exact one is small. The
  // modes are orthonormal to rounding, because the estimate needs that.
  std::optional<KrylovModes> modes(const MatX& start, Index count);

  const KrylovMultigridReport& report() const { return report_; }

 private:
  bool extend(const MatX& last, Index first, double sine, MassGramSchmidt& orthogonal, Index count, MatX& U,
              KrylovError& error);
  bool iterate(const MatX& last, double sine, const MatX& U, MatX& X);
  bool improve_start(const MatX& last, MatX& b);
  void see(const MatX& U);
  std::optional<MatX> transported(const MatX& deviations);

  const RestBody& body_;
  KrylovMultigridOptions options_;
  BlockRows<double, 3, 3> K_;
  std::unique_ptr<Multigrid> multigrid_;  // null: not possible
  std::unique_ptr<BlockConjugateGradients> iterations_;
  MatX known_, stiffness_;  // modes of the guess, and U^T K U of them
  double underestimate_ = 1;
  StripVector<double> r_, x_;
  KrylovMultigridReport report_;
};

// Whether multigrid needs less work for `count` modes of orders of `order` columns than a factorisation, as estimated.
bool multigrid_is_cheaper(const RestBody& body, Index count, Index order);

}  // namespace sinew
