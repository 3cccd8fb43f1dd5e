// Makes training poses for a basis of dense modes, and the forces in these poses (EP, section 6; theory, section 9).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/cubature/cubature.h"
#include "sinew/cubature/modal_weights.h"
#include "sinew/cubature/optimized_weights.h"
#include "sinew/model/system.h"
#include "sinew/potential/linear_tet_energy.h"

namespace sinew {

struct TrainingOptions {
  double size = 0.1;  // mean over poses of the largest displacement over the diagonal
  Index poses = 0;    // number of poses; 0: rounds until the error changes by less than `tolerance`
  double tolerance = 0.005;
  std::uint64_t seed = 1;
};

// Elastic forces of a system in poses X + U q of a basis.
class PoseForces {
 public:
  // U: 3 dynamic_count x r. system and U must outlive this.
  PoseForces(const System& system, const MatX& U);

  // The smallest det F of all tets in the pose q.
  double min_jacobian(const VecX& q);
  // Returns U^T f(X + U q) for each of the poses q (r x T), where f is the gradient of the elastic energy. values:
  // receives the energies [J].
  MatX whole(const MatX& poses, VecX* values = nullptr);
  VecX energies(const MatX& poses);  // [J]
  // First Piola stresses P of tets in the poses, times the tets' rest volumes, and the gradients G of the modes. The
  // reduced force of a tet is P : G.
  struct AtTets {
    std::vector<MatX> stress;    // by tet: 9 x T, row-major [N m]
    std::vector<MatX> gradient;  // by tet: 9 x r [1/m]
    MatX energy;                 // tets x T [J]
  };
  AtTets at(std::span<const Index> tets, const MatX& poses) const;

  Index modes() const { return static_cast<Index>(U_.cols()); }

 private:
  const System& system_;
  const MatX& U_;
  LinearTetEnergy elastic_;
  std::vector<double> volumes_;
  Points x_, g_;
};

struct TrainedWeights {
  Cubature cubature;        // points, with the weights that fit the energy best
  MatX weights;             // points x r: weights for the force on each coordinate
  MatX poses, forces;       // r x T: all poses, and their reduced forces
  double error = 0;         // EP, equation 12, over r; for energies that of poses not fitted to
  double energy_error = 0;  // |A w - b| / |b| for the energies
  int rounds = 0;
};

// Fits modal weights to forces (EP, algorithm 1). Poses are q_i ~ N(E_i, sigma_i) with sigma_i = c / sqrt(Q_i), the
// Rayleigh quotients Q_i, and c from options.size. The first round has 3/2 poses for each point. Each later round adds
// 1/3 of a pose for each point, about the mean of the fifth of the poses with the largest errors. Poses that invert a
// tet are halved until they do not.
TrainedWeights train_modal_weights(const System& system, const MatX& U, const VecX& quotients,
                                   std::span<const Index> points, const TrainingOptions& options);

// Fits one weight for each point to the energies of poses q_t, so that forces are the gradient of an energy: w >= 0
// minimises sum_t (sum_e w_e W_e(q_t) / W(q_t) - 1)^2. Points with zero weight are dropped. There are two kinds of
// poses:
// - All modes together: one pose for each point, then 1/3 for each point in each round. Rounds end when the error of
// new poses, before they are fitted, changes by less than the tolerance. The sizes go down to a hundredth, because
// large poses give soft tets no weight: linear modes stretch the stiffest tets instead of rotating them.
//
// - Each mode alone, at the same energy and at a hundredth of it. A sum over all modes does not separate the modes.
TrainedWeights train_energy_weights(const System& system, const MatX& U, const VecX& quotients,
                                    std::span<const Index> points, const TrainingOptions& options);

// Fits optimised cubature to poses of the distribution of train_modal_weights(): options.poses of them, or 10 for each
// mode.
OptimizedCubature train_optimized(const System& system, const MatX& U, const VecX& quotients, Index points,
                                  double tolerance, const TrainingOptions& options);

// Returns Gaussian poses about `mean`, r x count. deviation: standard deviation of each coordinate.
MatX gaussian_poses(PoseForces& forces, const VecX& mean, const VecX& deviation, Index count, std::uint64_t seed,
                    std::uint64_t stream);

// Returns c / sqrt(Q_i), with c such that the largest displacement of a pose is `size` [m] in the mean over poses.
VecX pose_deviation(const MatX& U, const VecX& quotients, double size, std::uint64_t seed);

}  // namespace sinew
