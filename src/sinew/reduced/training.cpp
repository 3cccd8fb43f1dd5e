#include "sinew/reduced/training.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sinew/core/activity.h"
#include "sinew/core/parallel.h"
#include "sinew/core/random_stream.h"
#include "sinew/linalg/nnls.h"
#include "sinew/linalg/tall_products.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/muscle.h"
#include "sinew/partition/laplacian.h"
#include "sinew/reduced/elastic_points.h"

namespace sinew {
namespace {

constexpr Index poses_at_once = 16;
constexpr Index sampled_sizes = 64;      // poses whose mean size is measured
constexpr double least_jacobian = 0.05;  // of a training pose
constexpr int most_halvings = 40;
constexpr double worst_share = 0.2;      // of the poses, whose mean is the next centre (EP, algorithm 1, line 14)
constexpr double least_deviation = 0.1;  // of the first, at any centre
constexpr int most_rounds = 30;
constexpr double smallest_pose = 0.01;  // of the largest, where poses of all sizes are wanted
constexpr Index optimized_poses_a_mode = 10;

// Standard normal numbers (Box and Muller 1958).
double normal(RandomStream& random) {
  return std::sqrt(-2 * std::log(random.uniform())) * std::cos(2 * std::numbers::pi * random.uniform());
}

std::vector<double> all_volumes(const System& system) {
  std::vector<double> volumes(system.tet_count());
  parallel_for(volumes.size(), [&](std::size_t t) { volumes[t] = tet_volume(system.rest, system.tets, t); });
  return volumes;
}

// Halves poses until det F > least_jacobian in every tet: energies of inverted tets would drown all others.
void keep_from_inversion(PoseForces& forces, MatX& poses) {
  for (Eigen::Index t = 0; t < poses.cols(); ++t)
    for (int k = 0; k < most_halvings && !(forces.min_jacobian(poses.col(t)) > least_jacobian); ++k)
      poses.col(t) *= 0.5;
}

// Poses of one mode alone, both ways: with the energy that a pose of all modes has in the mean, and with a hundredth
// of it. A sum over r modes hardly tells one mode's stiffness.
MatX single_poses(PoseForces& forces, const VecX& deviation) {
  const auto moving = static_cast<double>((deviation.array() > 0).count());
  MatX poses(deviation.size(), 0);
  for (Eigen::Index j = 0; j < deviation.size(); ++j) {
    if (deviation[j] == 0) continue;
    for (const double share : {1.0, -1.0, 0.1, -0.1}) {
      poses.conservativeResize(Eigen::NoChange, poses.cols() + 1);
      poses.rightCols(1).setZero();
      poses(j, poses.cols() - 1) = share * std::sqrt(moving) * deviation[j];
    }
  }
  keep_from_inversion(forces, poses);
  return poses;
}

// Sizes with a uniform logarithm in [log smallest_pose, 0]. In large poses linear modes stretch stiff parts that
// should turn, and their energy hides that of soft parts.
void scatter_sizes(MatX& poses, std::uint64_t seed, std::uint64_t stream) {
  RandomStream random(seed, stream);
  for (Eigen::Index t = 0; t < poses.cols(); ++t) poses.col(t) *= std::pow(smallest_pose, random.uniform());
}

}  // namespace

PoseForces::PoseForces(const System& system, const MatX& U)
    : system_(system),
      U_(U),
      elastic_(system.rest, system.tets, groups_at(system, 0), system.dynamic_count),
      volumes_(all_volumes(system)),
      x_(system.rest),
      g_(3, system.dynamic_count) {}

// Smallest det F of all tets in a pose.
double PoseForces::min_jacobian(const VecX& q) {
  const MatX u = tall_product(U_, q);
  x_.leftCols(system_.dynamic_count) =
      system_.rest.leftCols(system_.dynamic_count) + Eigen::Map<const Points>(u.data(), 3, system_.dynamic_count);
  return elastic_.min_jacobian(x_);
}

// f(q) = U^T grad Psi(X + U q) for all poses, and Psi. U is read once for poses_at_once poses: it has 3 n r numbers,
// and reading it is the cost.
MatX PoseForces::whole(const MatX& poses, VecX* values) {
  const Index n = system_.dynamic_count;
  const VecX ones = VecX::Ones(U_.rows());
  MatX result(U_.cols(), poses.cols());
  if (values) values->resize(poses.cols());
  for (Eigen::Index first = 0; first < poses.cols(); first += poses_at_once) {
    const auto count = std::min<Eigen::Index>(poses_at_once, poses.cols() - first);
    MatX u = tall_product(U_, poses.middleCols(first, count));
    for (Eigen::Index t = 0; t < count; ++t) {
      Eigen::Map<Points> moved(u.col(t).data(), 3, n);
      x_.leftCols(n) = system_.rest.leftCols(n) + moved;
      if (values) (*values)[first + t] = elastic_.value(x_);
      g_.setZero();
      elastic_.add_gradient(x_, 1, g_);
      moved = g_;
      activity::advance();
    }
    result.middleCols(first, count) = weighted_product(U_, ones, u);
  }
  return result;
}

// Psi(X + U q) for all poses.
VecX PoseForces::energies(const MatX& poses) {
  const Index n = system_.dynamic_count;
  VecX values(poses.cols());
  for (Eigen::Index first = 0; first < poses.cols(); first += poses_at_once) {
    const auto count = std::min<Eigen::Index>(poses_at_once, poses.cols() - first);
    const MatX u = tall_product(U_, poses.middleCols(first, count));
    for (Eigen::Index t = 0; t < count; ++t) {
      x_.leftCols(n) = system_.rest.leftCols(n) + Eigen::Map<const Points>(u.col(t).data(), 3, n);
      values[first + t] = elastic_.value(x_);
      activity::advance();
    }
  }
  return values;
}

// At single tets: G_e with F = I + G_e q, G_e = sum_c (grad N_c) (x) U_c over the corners, and P, W at all poses.
PoseForces::AtTets PoseForces::at(std::span<const Index> tets, const MatX& poses) const {
  AtTets result;
  const auto count = tets.size();
  const Eigen::Index T = poses.cols();
  result.gradient.resize(count);
  result.stress.assign(count, MatX::Zero(9, T));
  result.energy.setZero(static_cast<Eigen::Index>(count), T);
  std::vector<MatX> F(count);
  parallel_for(
      count,
      [&](std::size_t k) {
        const auto hats = hat_gradients(system_.rest, system_.tets, tets[k]);
        MatX& G = result.gradient[k];
        G.setZero(9, U_.cols());
        for (int c = 0; c < 4; ++c) {
          const Index v = system_.tets(c, tets[k]);
          if (v >= system_.dynamic_count) continue;
          for (int a = 0; a < 3; ++a)
            for (int j = 0; j < 3; ++j) G.row(3 * a + j) += hats(j, c) * U_.row(3 * v + a);
        }
        F[k] = G * poses;
        for (const int d : {0, 4, 8}) F[k].row(d).array() += 1;
      },
      16);
  Cubature all;
  all.tets.assign(tets.begin(), tets.end());
  all.weights.assign(count, 1.0);
  const ElasticPoints points(system_, all, volumes_);
  const auto slots = static_cast<std::size_t>(points.slot_count());
  std::vector<double> f(9 * slots), p(9 * slots);
  const auto entry = [](Index slot, int k) {
    return static_cast<std::size_t>((9 * (slot / lane_count) + k) * lane_count + slot % lane_count);
  };
  for (Eigen::Index t = 0; t < T; ++t) {
    for (Index i = 0; i < points.slot_count(); ++i)
      for (int k = 0; k < 9; ++k) f[entry(i, k)] = F[static_cast<std::size_t>(points.point(i))](k, t);
    points.stress(f.data(), 1, p.data());
    for (Index i = 0; i < points.slot_count(); ++i) {
      if (points.volume(i) == 0) continue;
      for (int k = 0; k < 9; ++k) result.stress[static_cast<std::size_t>(points.point(i))](k, t) = p[entry(i, k)];
    }
    const std::vector<double> energies = points.energies(f.data());
    for (Index i = 0; i < points.slot_count(); ++i)
      if (points.volume(i) > 0) result.energy(points.point(i), t) = energies[static_cast<std::size_t>(i)];
  }
  return result;
}

// sigma_i = c / sqrt(Q_i) (EP, section 6.1), Q_i the Rayleigh quotients, so that every mode has the same energy in
// the mean. c follows from the wanted mean of the largest displacement, which 64 sampled poses measure; EP does not
// say its c.
VecX pose_deviation(const MatX& U, const VecX& quotients, double size, std::uint64_t seed) {
  // Rigid motions, of quotient zero, cause no forces and stay out of the poses.
  VecX deviation = VecX::Zero(quotients.size());
  double softest = 0;
  for (const double quotient : quotients)
    if (quotient > 0 && !(softest > 0 && softest < quotient)) softest = quotient;
  for (Eigen::Index i = 0; i < quotients.size(); ++i)
    if (quotients[i] > 0) deviation[i] = std::sqrt(softest / quotients[i]);
  RandomStream random(seed, 0);
  double mean = 0;
  for (Index first = 0; first < sampled_sizes; first += poses_at_once) {
    MatX q(U.cols(), poses_at_once);
    for (Eigen::Index t = 0; t < q.cols(); ++t)
      for (Eigen::Index i = 0; i < q.rows(); ++i) q(i, t) = deviation[i] * normal(random);
    const MatX u = tall_product(U, q);
    for (Eigen::Index t = 0; t < u.cols(); ++t)
      mean += std::sqrt(Eigen::Map<const Points>(u.col(t).data(), 3, u.rows() / 3).colwise().squaredNorm().maxCoeff()) /
              sampled_sizes;
  }
  return mean > 0 ? VecX(deviation * (size / mean)) : deviation;
}

// q_i ~ N(E_i, sigma_i) (EP, algorithm 1, lines 7 to 11), from a stream of random numbers of its own: the same poses
// whatever was drawn before.
MatX gaussian_poses(PoseForces& forces, const VecX& mean, const VecX& deviation, Index count, std::uint64_t seed,
                    std::uint64_t stream) {
  RandomStream random(seed, stream);
  MatX poses(mean.size(), count);
  for (Index t = 0; t < count; ++t) {
    for (Eigen::Index i = 0; i < mean.size(); ++i) poses(i, t) = mean[i] + deviation[i] * normal(random);
    activity::advance();
  }
  keep_from_inversion(forces, poses);
  return poses;
}

// The mean of the share worst_share of the poses, those with the largest errors (EP, algorithm 1, line 14).
VecX worst_poses_mean(const MatX& poses, const VecX& errors) {
  std::vector<Index> order(static_cast<std::size_t>(poses.cols()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](Index a, Index b) { return errors[a] > errors[b]; });
  order.resize(std::max<std::size_t>(1, static_cast<std::size_t>(worst_share * static_cast<double>(order.size()))));
  VecX mean = VecX::Zero(poses.rows());
  for (const Index t : order) mean += poses.col(t) / static_cast<double>(order.size());
  return mean;
}

// Weights w >= 0 of n points for the energies of the whole at all poses,
//
//   min sum_t (sum_e w_e W_e(q_t) / W(q_t) - 1)^2;
//
// error: what is left, relative.
NnlsResult fit_energies(const std::vector<PoseForces::AtTets>& rounds, Index n, const VecX& energies, double& error) {
  const Eigen::Index T = energies.size();
  MatX A(T, n);
  Eigen::Index row = 0;
  for (const PoseForces::AtTets& at : rounds) {
    A.middleRows(row, at.energy.cols()) = at.energy.transpose();
    row += at.energy.cols();
  }
  VecX scale(T);
  for (Eigen::Index t = 0; t < T; ++t) scale[t] = energies[t] > 0 ? 1 / energies[t] : 0;
  const VecX b = scale.cwiseProduct(energies);
  const NnlsResult fit = nnls(scale.asDiagonal() * A, b);
  error = b.norm() > 0 ? fit.residual / b.norm() : 0;
  return fit;
}

// EP, algorithm 1, with modal cubature (section 5):
//
// 1. 3/2 n poses for n points, later n/3 a round.
// 2. Forces of the whole part and of each point at the new poses.
// 3. For each coordinate j: min |A^j w^j - b^j|, w^j >= 0, A_te = g_e^j(t) / |f(t)|, b_t = f_j(t) / |f(t)|.
// 4. End if the mean error changes by less than the tolerance.
// 5. Next centre E: the mean of the fifth of the poses that fits worst (line 14); sigma_i - |E_i|, but at least a
//    tenth of sigma_i (line 17 has E_i under the root, whose units do not agree).
// 6. Weights of the points for the energy, for reports.
TrainedWeights train_modal_weights(const System& system, const MatX& U, const VecX& quotients,
                                   std::span<const Index> points, const TrainingOptions& options) {
  PoseForces forces(system, U);
  const auto n = static_cast<Index>(points.size());
  const VecX first = pose_deviation(U, quotients, options.size * system.diagonal, options.seed);
  VecX mean = VecX::Zero(U.cols()), deviation = first;
  TrainedWeights result;
  result.poses.resize(U.cols(), 0);
  result.forces.resize(U.cols(), 0);
  VecX energies;
  std::vector<PoseForces::AtTets> rounds;  // of the points
  const auto stack = [](MatX& all, const MatX& more) {
    all.conservativeResize(more.rows(), all.cols() + more.cols());
    all.rightCols(more.cols()) = more;
  };
  const Index begin = (3 * n + 1) / 2, more = std::max(1, (n + 2) / 3);
  ModalWeights fit;
  for (Index wanted = options.poses > 0 ? options.poses : begin; result.rounds < most_rounds; wanted = more) {
    // Step 1.
    activity::begin("training poses", wanted);
    const MatX poses =
        gaussian_poses(forces, mean, deviation, wanted, options.seed, 1 + static_cast<std::uint64_t>(result.rounds));
    VecX values;
    activity::begin("forces of training poses", wanted);
    // Step 2.
    stack(result.forces, forces.whole(poses, &values));
    stack(result.poses, poses);
    energies.conservativeResize(energies.size() + values.size());
    energies.tail(values.size()) = values;
    rounds.push_back(forces.at(points, poses));

    // Step 3.
    TrainingForces training;
    training.whole = result.forces;
    training.points = n;
    training.column = [&](Index j, MatX& of_points) {
      of_points.resize(result.poses.cols(), n);
      Eigen::Index row = 0;
      for (const PoseForces::AtTets& at : rounds) {
        const Eigen::Index T = at.energy.cols();
        for (Index e = 0; e < n; ++e)
          of_points.col(e).segment(row, T) = at.stress[e].transpose() * at.gradient[e].col(j);
        row += T;
      }
    };
    const double before = fit.mean_error;
    fit = fit_modal_weights(training);
    ++result.rounds;
    // Step 4.
    if (options.poses > 0) break;
    if (result.rounds > 1 && std::abs(fit.mean_error - before) < options.tolerance) break;
    // Step 5.
    mean = worst_poses_mean(result.poses, fit.pose_errors);
    deviation = (first - mean.cwiseAbs()).cwiseMax(least_deviation * first);
  }
  result.weights = std::move(fit.weights);
  result.error = fit.mean_error;

  // Step 6.
  const NnlsResult of_energy = fit_energies(rounds, n, energies, result.energy_error);
  result.cubature.tets.assign(points.begin(), points.end());
  result.cubature.weights.assign(of_energy.x.begin(), of_energy.x.end());
  activity::finish();
  return result;
}

// Weights of energies (theory, section 9; rule `energies`): one weight a point, the least of
//
//   sum_t (sum_e w_e W_e(q_t) / W(q_t) - 1)^2,   w >= 0,
//
// over poses of all sizes:
//
// 1. single modes first,
// 2. rounds of Gaussian poses, until the error of what a round adds, before it is fitted, changes by less than the
//    tolerance: an error that was fitted says nothing of other poses,
// 3. points with weight zero leave the rule.
//
// Forces are then the gradient of an energy, so that a step is a minimisation.
TrainedWeights train_energy_weights(const System& system, const MatX& U, const VecX& quotients,
                                    std::span<const Index> points, const TrainingOptions& options) {
  PoseForces forces(system, U);
  const auto n = static_cast<Index>(points.size());
  const VecX deviation = pose_deviation(U, quotients, options.size * system.diagonal, options.seed);
  TrainedWeights result;
  result.poses.resize(U.cols(), 0);
  result.forces.resize(U.cols(), 0);
  MatX A(0, n);  // W_e(q_t) / W(q_t)
  const auto append = [&](const MatX& poses) {
    activity::begin("energies of training poses", static_cast<Index>(poses.cols()));
    const VecX whole = forces.energies(poses);
    const MatX of_points = forces.at(points, poses).energy;
    auto row = A.rows();
    const auto added = (whole.array() > 0).count();
    A.conservativeResize(row + added, Eigen::NoChange);
    result.poses.conservativeResize(Eigen::NoChange, row + added);
    for (Eigen::Index t = 0; t < poses.cols(); ++t) {
      if (!(whole[t] > 0)) continue;
      A.row(row) = of_points.col(t).transpose() / whole[t];
      result.poses.col(row++) = poses.col(t);
    }
  };
  // Step 1.
  append(single_poses(forces, deviation));
  // Step 2.
  VecX weights = VecX::Zero(n);
  const Index more = std::max(1, (n + 2) / 3);
  for (Index wanted = options.poses > 0 ? options.poses : n; result.rounds < most_rounds; wanted = more) {
    activity::begin("training poses", wanted);
    const auto known = A.rows();
    const std::uint64_t stream = 1 + static_cast<std::uint64_t>(result.rounds);
    MatX poses = gaussian_poses(forces, VecX::Zero(U.cols()), deviation, wanted, options.seed, stream);
    scatter_sizes(poses, options.seed, most_rounds + stream);
    append(poses);
    const double before = result.error;
    const auto added = A.rows() - known;
    if (added > 0)  // of poses that are new to the weights
      result.error = (A.bottomRows(added) * weights - VecX::Ones(added)).norm() / std::sqrt(static_cast<double>(added));
    const NnlsResult fit = nnls(A, VecX::Ones(A.rows()));
    weights = fit.x;
    result.energy_error = A.rows() > 0 ? fit.residual / std::sqrt(static_cast<double>(A.rows())) : 0;
    ++result.rounds;
    if (options.poses > 0 || added == 0) break;
    if (result.rounds > 2 && std::abs(result.error - before) < options.tolerance) break;
  }
  // Step 3.
  if (options.poses > 0) result.error = result.energy_error;
  for (Index e = 0; e < n; ++e) {
    if (weights[e] == 0) continue;
    result.cubature.tets.push_back(points[e]);
    result.cubature.weights.push_back(weights[e]);
  }
  activity::finish();
  return result;
}

// Optimised cubature (An, Kim and James 2008): points are added one by one, each the candidate whose forces in all
// poses point most along what is missing, and all weights fitted anew by NNLS (cubature/optimized_weights.h).
OptimizedCubature train_optimized(const System& system, const MatX& U, const VecX& quotients, Index points,
                                  double tolerance, const TrainingOptions& options) {
  PoseForces forces(system, U);
  const VecX deviation = pose_deviation(U, quotients, options.size * system.diagonal, options.seed);
  const Index count = options.poses > 0 ? options.poses : optimized_poses_a_mode * forces.modes();
  activity::begin("training poses", count);
  const MatX poses = gaussian_poses(forces, VecX::Zero(U.cols()), deviation, count, options.seed, 1);
  activity::begin("forces of training poses", count);
  OptimizedTraining training;
  training.whole = forces.whole(poses);
  training.tets = system.groups.empty() ? 0 : system.groups.back().tet_end;
  training.forces = [&](std::span<const Index> chosen) {
    const PoseForces::AtTets at = forces.at(chosen, poses);
    MatX columns(U.cols() * count, static_cast<Eigen::Index>(chosen.size()));
    parallel_for(
        chosen.size(),
        [&](std::size_t k) {
          Eigen::Map<MatX>(columns.col(static_cast<Eigen::Index>(k)).data(), U.cols(), count) =
              at.gradient[k].transpose() * at.stress[k];
        },
        8);
    return columns;
  };
  OptimizedOptions wanted;
  wanted.points = points;
  wanted.tolerance = tolerance;
  wanted.seed = options.seed;
  activity::begin("optimised cubature", points);
  wanted.after_point = [](Index, double) { activity::advance(); };
  OptimizedCubature result = optimized_cubature(training, wanted);
  activity::finish();
  return result;
}

}  // namespace sinew
