// Training poses of a basis of dense modes and the forces that they cause (EP, section 6; theory, section 9).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/cubature/cubature.h"
#include "sinew/cubature/modal_weights.h"
#include "sinew/cubature/optimized_weights.h"
#include "sinew/model/system.h"
#include "sinew/potential/elastic.h"

namespace sinew {

struct TrainingOptions {
  double size = 0.1;  // of a pose: its largest displacement over the diagonal, in the mean
  Index poses = 0;    // 0: rounds until the error changes by less than `tolerance`
  double tolerance = 0.005;
  std::uint64_t seed = 1;
};

// Forces of a system in the poses X + U q of a basis.
class PoseForces {
 public:
  // U: 3 dynamic_count x r.
  PoseForces(const System& system, const MatX& U);

  // The smallest det F of the tets at q.
  double min_jacobian(const VecX& q);
  // U^T f(X + U q) of the poses q, r x T, f the gradient of the elastic energy; values: the energies [J].
  MatX whole(const MatX& poses, VecX* values = nullptr);
  VecX energies(const MatX& poses);  // [J]
  // First Piola stresses times the rest volume of the tets in the poses, and the gradients of the modes there, from
  // which the reduced force of a tet is P : G.
  struct AtTets {
    std::vector<MatX> stress;    // of each tet: 9 x T, row-major [N m]
    std::vector<MatX> gradient;  // 9 x r [1/m]
    MatX energy;                 // tets x T [J]
  };
  AtTets at(std::span<const Index> tets, const MatX& poses) const;

  Index modes() const { return static_cast<Index>(U_.cols()); }

 private:
  const System& system_;
  const MatX& U_;
  ElasticEnergy elastic_;
  std::vector<double> volumes_;
  Points x_, g_;
};

struct TrainedWeights {
  Cubature cubature;        // the points, with the weights that give the energy best
  MatX weights;             // points x r: of the coordinates' forces
  MatX poses, forces;       // r x T
  double error = 0;         // EP, equation 12, over r; of the energies that of poses not fitted to
  double energy_error = 0;  // |A w - b| / |b| of the energies
  int rounds = 0;
};

// EP, algorithm 1: poses q_i ~ N(E_i, sigma_i) with sigma_i = c / sqrt(Q_i), Q_i the Rayleigh quotients and c from the
// size wanted; at first 3/2 a point, then 1/3 a point each round about the mean of the fifth that fits worst. Poses
// that invert a tet are halved until they do not.
TrainedWeights train_modal_weights(const System& system, const MatX& U, const VecX& quotients,
                                   std::span<const Index> points, const TrainingOptions& options);

// One weight a point, of the places given that have any, fitted to the energies of poses q, so that forces are the
// gradient of an energy: the weights w >= 0 that are least in sum_t (sum_e w_e W_e(q_t) / W(q_t) - 1)^2. Beside poses
// of all modes, one a place and then 1/3 in each round until the error of poses that a round adds, before they are
// fitted, changes by less than the tolerance, poses of each mode alone, of the same energy and of a hundredth of it,
// which a sum over all modes would not tell apart. Poses of all modes are of all sizes down to a hundredth: in large
// ones nearly all energy is that of the stiffest tets, which linear modes stretch where they should turn, so that soft
// tets beside them would get no weight.
TrainedWeights train_energy_weights(const System& system, const MatX& U, const VecX& quotients,
                                    std::span<const Index> points, const TrainingOptions& options);

// Optimised cubature for poses of the same distribution, as many as asked for or 10 a mode.
OptimizedCubature train_optimized(const System& system, const MatX& U, const VecX& quotients, Index points,
                                  double tolerance, const TrainingOptions& options);

// Gaussian poses about `mean`, r x count; deviation: of each coordinate.
MatX gaussian_poses(PoseForces& forces, const VecX& mean, const VecX& deviation, Index count, std::uint64_t seed,
                    std::uint64_t stream);

// c / sqrt(Q_i) so that a pose's largest displacement is, in the mean over poses, `size` [m].
VecX pose_deviation(const MatX& U, const VecX& quotients, double size, std::uint64_t seed);

}  // namespace sinew
