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
  // First Piola stresses times the rest volume of tets in the poses, and the gradients of the modes. The reduced force
  // of a tet is P : G.
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

// EP, algorithm 1: poses q_i ~ N(E_i, sigma_i) with sigma_i = c / sqrt(Q_i), Q_i the Rayleigh quotients and c from
// options.size. The first round has 3/2 poses per point. Later rounds add 1/3 per point about the mean of the fifth
// with the largest errors. Poses that invert a tet are halved until they do not.
TrainedWeights train_modal_weights(const System& system, const MatX& U, const VecX& quotients,
                                   std::span<const Index> points, const TrainingOptions& options);

// One weight per point, fitted to the energies of poses q_t, so that forces are the gradient of an energy: w >= 0
// minimises sum_t (sum_e w_e W_e(q_t) / W(q_t) - 1)^2. Points with zero weight are dropped. Poses are of two kinds:
// - All modes together, one per point, then 1/3 per point in each round. Rounds end when the error of new poses, before
//   they are fitted, changes by less than the tolerance. Their sizes go down to a hundredth, since large poses give
//   soft tets no weight: linear modes stretch the stiffest tets instead of turning them.
//
// - Each mode alone, of the same energy and of a hundredth of it. A sum over all modes does not separate modes.
TrainedWeights train_energy_weights(const System& system, const MatX& U, const VecX& quotients,
                                    std::span<const Index> points, const TrainingOptions& options);

// Optimised cubature for poses of that distribution: options.poses of them, or 10 per mode.
OptimizedCubature train_optimized(const System& system, const MatX& U, const VecX& quotients, Index points,
                                  double tolerance, const TrainingOptions& options);

// Gaussian poses about `mean`, r x count; deviation: of each coordinate.
MatX gaussian_poses(PoseForces& forces, const VecX& mean, const VecX& deviation, Index count, std::uint64_t seed,
                    std::uint64_t stream);

// c / sqrt(Q_i) so that a pose's largest displacement is, in the mean over poses, `size` [m].
VecX pose_deviation(const MatX& U, const VecX& quotients, double size, std::uint64_t seed);

}  // namespace sinew
