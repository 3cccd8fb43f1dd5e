// Parts of the preparation of reduced models of modes, each timed by itself, and their errors (Yang et al. 2015, "EP"):
// what tests/campaign/mode_tables.py and mode_figures.py make tables and plots of. Prints one JSON object a line.
//
// bench_modes PART SCENE [NUMBER]... [KEY=VALUE]...
//   factor SCENE                        K of the body at rest, its factorisation, and a solve
//   inertia SCENE COUNT...              inertia modes by multigrid and by the factorisation, and linear modes
//   orthogonality SCENE COUNT...        Gram-Schmidt of as many inertia modes (EP, figures 4, 5 and 7)
//   reduction SCENE LINEAR COUNT...  few modes of candidates by principal components and at random (figures 11, 13)
//   training SCENE POSES                errors in POSES other poses as training goes on (figures 9 and 10)
//   cubature SCENE POSES MOST POINTS... modal cubature of POINTS and optimised cubature of up to MOST (table 3)
//
// The scene has one body that is held and solver.subspace a kind of modes; its modes, points and poses are taken.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/tall_products.h"
#include "sinew/modes/inertia_modes.h"
#include "sinew/modes/krylov_multigrid.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/mode_reduction.h"
#include "sinew/modes/nonlinear_modes.h"
#include "sinew/modes/rest_body.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/partition/voxel_sample.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/training.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

using nlohmann::json;
using Numbers = std::vector<Index>;

constexpr int repeats = 3;  // of what takes less than a second
constexpr std::uint64_t other_stream = 1000;
constexpr double degrees = 180 / 3.14159265358979323846;  // a radian

void print(const json& row) {
  fmt::print("{}\n", row.dump());
  std::fflush(stdout);
}

// The least of some runs.
double least_seconds(const std::function<void()>& call) {
  double least = 0;
  for (int k = 0; k < repeats; ++k) {
    const Stopwatch watch;
    call();
    const double seconds = watch.seconds();
    if (k == 0 || seconds < least) least = seconds;
    if (seconds > 1) break;
  }
  return least;
}

std::shared_ptr<const System> system_of(const std::string& path, const std::vector<std::string>& overrides = {}) {
  Scene scene = read_scene(path, overrides);
  return build_system(scene);
}

RestBody held_body(const System& system) {
  std::vector<RestBody> bodies = rest_bodies(system, prescribed_at_start(system));
  if (bodies.size() != 1 || bodies[0].rigid().cols() > 0)
    fail_input(code::usage, "bench_modes: the scene has to have one body that cannot move as a whole");
  return std::move(bodies[0]);
}

// Counts of values in bins that end at `ends`, and of those beyond the last.
std::vector<long> histogram(const std::vector<double>& values, const std::vector<double>& ends) {
  std::vector<long> counts(ends.size() + 1, 0);
  for (const double v : values) ++counts[static_cast<std::size_t>(std::ranges::upper_bound(ends, v) - ends.begin())];
  return counts;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(std::max<std::size_t>(1, values.size()));
}

// Of a share of the values, ascending: no value of the share is larger.
double quantile(std::vector<double> values, double share) {
  const auto k = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(k));
  return values[k];
}

std::vector<double> above_diagonal(const MatX& A) {
  std::vector<double> values;
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < j; ++i) values.push_back(A(i, j));
  return values;
}

// ---- Factorisation.

void factor(const System& system, const Numbers&) {
  const Stopwatch watch;
  RestBody body = held_body(system);
  const double assembly = watch.seconds();
  const MatX b = body.mass().asDiagonal() * body.turns_and_shifts();
  const Stopwatch first;
  body.solve(b);
  const double with_factor = first.seconds();
  const Stopwatch second;
  body.solve(b);
  const double solve = second.seconds();
  print({{"vertices", body.size() / 3},
         {"tets", body.tets().size()},
         {"assembly", assembly},
         {"factor", with_factor - solve},
         {"solve_of_six", solve}});
}

// ---- Gram-Schmidt.

// EP, equation 4, column by column with the products of all vertices: what reduced Gram-Schmidt is compared with there.
void append_modified(const MatX& more, Index most, const VecX& mass, MatX& modes) {
  for (Eigen::Index c = 0; c < more.cols() && modes.cols() < most; ++c) {
    VecX v = more.col(c);
    for (Eigen::Index j = 0; j < modes.cols(); ++j) v -= modes.col(j).dot(mass.cwiseProduct(v)) * modes.col(j);
    modes.conservativeResize(more.rows(), modes.cols() + 1);
    modes.rightCols(1) = v / std::sqrt(v.dot(mass.cwiseProduct(v)));
  }
}

json orthogonality_of(const MatX& modes, const VecX& mass) {
  const MatX gram = weighted_gram(modes, mass);
  std::vector<double> off = above_diagonal(gram.cwiseAbs());
  const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(gram).eigenvalues();
  return {{"modes", modes.cols()},
          {"mean", mean(off)},
          {"largest", *std::ranges::max_element(off)},
          {"condition", values[values.size() - 1] / values[0]},
          {"counts", histogram(off, {1e-15, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 1e-1})}};
}

// The iteration of inertia modes with one of the variants, each order from its own modes: seconds of Gram-Schmidt
// alone, and what it was given.
struct Iteration {
  MatX modes, given;
  double seconds = 0;
};

Iteration iterate(RestBody& body, Index count, bool modified, GramSchmidtOptions options) {
  Iteration result;
  result.modes.resize(body.size(), 0);
  result.given.resize(body.size(), 0);
  MassGramSchmidt orthogonal(body.rest(), body.mass(), count, options);
  MatX last = body.turns_and_shifts();
  while (result.modes.cols() < count && last.cols() > 0) {
    const MatX more = body.solve(body.mass().asDiagonal() * last);
    result.given.conservativeResize(body.size(), result.given.cols() + more.cols());
    result.given.rightCols(more.cols()) = more;
    const Eigen::Index before = result.modes.cols();
    {
      const ScopedTimer timer(result.seconds);
      if (modified)
        append_modified(more, count, body.mass(), result.modes);
      else
        orthogonal.append(more, count, result.modes);
    }
    last = result.modes.rightCols(result.modes.cols() - before);
  }
  return result;
}

void sampled_products(const RestBody& body, const MatX& unit, Index count) {
  const Index n = body.size() / 3;
  const VecX of_vertex = Eigen::Map<const Points>(body.mass().data(), 3, n).row(0).transpose();
  const std::vector<double> exact = above_diagonal(weighted_gram(unit, body.mass()));
  for (const Index wanted : {50, 100, 200, 400, 800, 1600, 3200, 6400}) {
    const VoxelSample sample = voxel_sample(body.rest(), of_vertex, wanted);
    const auto size = static_cast<Index>(sample.chosen.size());
    MatX at(3 * size, unit.cols());
    VecX mass(3 * size);
    for (Index p = 0; p < size; ++p) {
      at.middleRows(3 * p, 3) = unit.middleRows(3 * sample.chosen[static_cast<std::size_t>(p)], 3);
      mass.segment<3>(3 * p).setConstant(sample.share[static_cast<std::size_t>(p)]);
    }
    const std::vector<double> found = above_diagonal(weighted_gram(at, mass));
    std::vector<double> errors;
    for (std::size_t k = 0; k < exact.size(); ++k) errors.push_back(std::abs(found[k] - exact[k]));
    print({{"part", "products"},
           {"vertices", n},
           {"count", count},
           {"sample", size},
           {"mean", mean(errors)},
           {"largest", *std::ranges::max_element(errors)}});
  }
}

void orthogonality(const System& system, const Numbers& counts) {
  RestBody body = held_body(system);
  const VecX& mass = body.mass();
  for (const Index count : counts) {
    MatX unit = iterate(body, count, false, {}).given;
    for (Eigen::Index c = 0; c < unit.cols(); ++c)
      unit.col(c) /= std::sqrt(unit.col(c).dot(mass.cwiseProduct(unit.col(c))));
    const std::vector<double> cosines = above_diagonal(weighted_gram(unit, mass));
    std::vector<double> ends;
    for (int k = 1; k < 20; ++k) ends.push_back(-1 + 0.1 * k);
    const auto small = std::ranges::count_if(cosines, [](double c) { return std::abs(c) < 1e-3; });
    print({{"part", "cosines"},
           {"vertices", body.size() / 3},
           {"count", count},
           {"pairs", cosines.size()},
           {"below_1e-3", static_cast<double>(small) / static_cast<double>(cosines.size())},
           {"counts", histogram(cosines, ends)}});
    sampled_products(body, unit, count);
    struct Variant {
      const char* name;
      bool modified;
      GramSchmidtOptions options;
    };
    for (const Variant& variant : {Variant{"modified", true, {}}, Variant{"blocks", false, {.reduced = false}},
                                   Variant{"sampled", false, {.reduced = true, .least_cosine = 0}},
                                   Variant{"reduced", false, {.reduced = true}}}) {
      Iteration best = iterate(body, count, variant.modified, variant.options);
      for (int k = 1; k < repeats && best.seconds < 0.2; ++k)
        best.seconds = std::min(best.seconds, iterate(body, count, variant.modified, variant.options).seconds);
      json row = orthogonality_of(best.modes, mass);
      row.update(json{{"part", "gram_schmidt"},
                      {"variant", variant.name},
                      {"vertices", body.size() / 3},
                      {"count", count},
                      {"seconds", best.seconds}});
      print(row);
    }
  }
}

// ---- Inertia modes by multigrid, by the factorisation, and linear modes by Lanczos iteration.

// The largest principal angle between two spans of modes that are orthonormal in the mass [degrees].
double largest_angle(const MatX& exact, const MatX& other, const VecX& mass) {
  MatX outside = other;
  subtract_tall_product(exact, weighted_product(exact, mass, other), outside);
  const double square = Eigen::SelfAdjointEigenSolver<MatX>(weighted_gram(outside, mass)).eigenvalues().maxCoeff();
  return std::asin(std::min(1.0, std::sqrt(std::max(0.0, square)))) * degrees;
}

void inertia(const System& system, const Numbers& counts) {
  for (const Index count : counts) {
    RestBody body = held_body(system);
    Stopwatch watch;
    const bool cheaper = multigrid_is_cheaper(body, count, 6);
    const double choice = watch.seconds();
    watch.restart();
    KrylovMultigrid solver(body);
    const auto found = solver.modes(inertia_start(body), count);
    const double multigrid = watch.seconds();
    // Each factor is freed before the next one.
    MatX exact;
    double factor = 0, lanczos = 0;
    std::size_t factor_bytes = 0;
    {
      RestBody own = held_body(system);
      watch.restart();
      exact = inertia_modes_of(own, count, {.solver = InertiaSolver::factor}).vectors;
      factor = watch.seconds();
      factor_bytes = own.factor_bytes();
    }
    {
      RestBody own = held_body(system);
      watch.restart();
      linear_modes_of(own, count);
      lanczos = watch.seconds();
    }
    const KrylovMultigridReport& report = solver.report();
    json row{{"vertices", body.size() / 3},
             {"tets", body.tets().size()},
             {"count", count},
             {"multigrid_chosen", cheaper},
             {"choice_seconds", choice},
             {"multigrid", multigrid},
             {"factor", factor},
             {"lanczos", lanczos},
             {"setup", report.setup_seconds},
             {"solve", report.solve_seconds},
             {"estimate", report.error_seconds},
             {"iterations", report.iterations},
             {"attempts", report.attempts},
             {"complexity", report.complexity},
             {"multigrid_megabytes", static_cast<double>(report.memory_bytes) / 1e6},
             {"factor_megabytes", static_cast<double>(factor_bytes) / 1e6},
             {"estimated_angle", std::asin(std::min(1.0, report.sine)) * degrees}};
    if (found) row["angle"] = largest_angle(exact, found->U, body.mass());
    print(row);
  }
}

// ---- Reduction.

// |c - U U^T M c| / |c| in the mass, in the mean over the candidates, and of all of them together.
void reduction(const System& system, const Numbers& numbers) {
  RestBody body = held_body(system);
  NonlinearModeOptions options;
  options.basis = LinearBasis::inertia;
  options.linear = numbers.at(0);
  const MatX all = mode_candidates(system, body, options);
  const VecX sizes = (all.transpose() * body.mass().asDiagonal() * all).diagonal().cwiseSqrt();
  for (std::size_t k = 1; k < numbers.size(); ++k)
    for (const std::string& method : reduction_methods()) {
      ReducedModes modes;
      const double seconds = least_seconds([&] { modes = reduce_modes(body, all, numbers[k], method); });
      MatX rest = all;
      subtract_tall_product(modes.vectors, weighted_product(modes.vectors, body.mass(), all), rest);
      const VecX left = rest.cwiseProduct(body.mass().asDiagonal() * rest).colwise().sum().cwiseSqrt().transpose();
      print({{"vertices", body.size() / 3},
             {"tets", body.tets().size()},
             {"candidates", all.cols()},
             {"modes", modes.vectors.cols()},
             {"method", method},
             {"seconds", seconds},
             {"mean", left.cwiseQuotient(sizes).mean()},
             {"together", left.norm() / sizes.norm()}});
    }
}

// ---- Training.

// Forces in some poses, of all tets and of points.
struct Seen {
  MatX poses, whole;
  PoseForces::AtTets at;

  // The first T poses as training.
  TrainingForces first(Index T) const {
    TrainingForces training;
    training.whole = whole.leftCols(T);
    training.points = static_cast<Index>(at.gradient.size());
    training.column = [this, T](Index j, MatX& of_points) {
      of_points.resize(T, static_cast<Index>(at.gradient.size()));
      for (std::size_t e = 0; e < at.gradient.size(); ++e)
        of_points.col(static_cast<Index>(e)) = at.stress[e].leftCols(T).transpose() * at.gradient[e].col(j);
    };
    return training;
  }

  // |f - cubature of f| / |f| in each pose.
  std::vector<double> errors(const MatX& weights) const {
    MatX missing = whole;
    for (std::size_t e = 0; e < at.gradient.size(); ++e)
      missing.noalias() -= weights.row(static_cast<Index>(e)).transpose().asDiagonal() *
                           (at.gradient[e].transpose() * at.stress[e]).eval();
    std::vector<double> result;
    for (Eigen::Index t = 0; t < whole.cols(); ++t) result.push_back(missing.col(t).norm() / whole.col(t).norm());
    return result;
  }
};

const std::vector<double> error_ends{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};

// With and without the adjustment of the expectation: the same numbers of poses, the first of them the same.
void training(const System& system, const Numbers& numbers) {
  const auto basis = make_reduced_basis(system, 0);
  const Numbers& points = basis->cubature.tets;
  const auto n = static_cast<Index>(points.size());
  PoseForces forces(system, basis->parts[0].modes);
  TrainingOptions options;
  options.size = system.setup.solver.training.size;
  options.tolerance = 0;  // all rounds
  const VecX zero = VecX::Zero(basis->parts[0].modes.cols());
  const VecX deviation =
      pose_deviation(basis->parts[0].modes, basis->parts[0].quotients, options.size * system.diagonal, options.seed);
  const auto see = [&](MatX poses) {
    Seen seen{std::move(poses), {}, {}};
    seen.whole = forces.whole(seen.poses);
    seen.at = forces.at(points, seen.poses);
    return seen;
  };
  const Seen other = see(gaussian_poses(forces, zero, deviation, numbers.at(0), options.seed, other_stream));
  const Seen adjusted =
      see(train_modal_weights(system, basis->parts[0].modes, basis->parts[0].quotients, points, options).poses);
  const Seen random =
      see(gaussian_poses(forces, zero, deviation, static_cast<Index>(adjusted.poses.cols()), options.seed, 1));
  const auto errors_of = [](const ModalWeights& fit) {
    return std::vector<double>(fit.pose_errors.begin(), fit.pose_errors.end());
  };
  // Before the first round is complete.
  for (const Index T : {n / 4, n / 2, 3 * n / 4, n, 5 * n / 4}) {
    const ModalWeights fit = fit_modal_weights(random.first(T));
    print({{"adjusted", false},
           {"points", n},
           {"poses", T},
           {"error_12", fit.mean_error},
           {"fit", mean(errors_of(fit))},
           {"other", mean(other.errors(fit.weights))}});
  }
  for (Index T = (3 * n + 1) / 2; T <= adjusted.poses.cols(); T += std::max(1, (n + 2) / 3))
    for (const bool is_adjusted : {true, false}) {
      const ModalWeights fit = fit_modal_weights((is_adjusted ? adjusted : random).first(T));
      const std::vector<double> errors = other.errors(fit.weights);
      print({{"adjusted", is_adjusted},
             {"points", n},
             {"poses", T},
             {"error_12", fit.mean_error},
             {"fit", mean(errors_of(fit))},
             {"other", mean(errors)},
             {"other_95", quantile(errors, 0.95)},
             {"ends", error_ends},
             {"fit_counts", histogram(errors_of(fit), error_ends)},
             {"other_counts", histogram(errors, error_ends)}});
    }
}

// ---- Modal beside optimised cubature.

// Of all poses together, |A w - b| / |b|, by which both rules are measured.
double together(const std::vector<double>& errors) {
  double sum = 0;
  for (const double e : errors) sum += e * e;
  return std::sqrt(sum / static_cast<double>(errors.size()));
}

void cubature(const std::string& path, const Numbers& numbers) {
  const Index count = numbers.at(0), most = numbers.at(1);
  const auto points_of = [&](Index points) {
    return make_reduced_basis(*system_of(path, {fmt::format("solver.cubature.points={}", points)}), 0)->cubature.tets;
  };
  const auto system = system_of(path);
  const auto basis = make_reduced_basis(*system, 0);
  const MatX& U = basis->parts[0].modes;
  PoseForces forces(*system, U);
  const double size = system->setup.solver.training.size;
  const VecX zero = VecX::Zero(U.cols()),
             deviation = pose_deviation(U, basis->parts[0].quotients, size * system->diagonal, 1);
  Stopwatch watch;
  const MatX poses = gaussian_poses(forces, zero, deviation, count, 1, 1);
  const double pose_seconds = watch.seconds();
  watch.restart();
  const MatX whole = forces.whole(poses);
  const double force_seconds = watch.seconds();
  const MatX other_poses = gaussian_poses(forces, zero, deviation, count, 1, other_stream);
  const MatX other_whole = forces.whole(other_poses);
  const json common{{"tets", system->tet_count()}, {"modes", U.cols()}, {"poses", count}, {"size", size}};
  const auto report = [&](json row) {
    row.update(common);
    print(row);
  };
  report({{"rule", "poses"}, {"draw", pose_seconds}, {"forces", force_seconds}});
  for (std::size_t k = 2; k < numbers.size(); ++k) {
    const Numbers points = points_of(numbers[k]);
    Seen seen{poses, whole, {}};
    const double at = least_seconds([&] { seen.at = forces.at(points, poses); });
    ModalWeights fit;
    const double seconds = least_seconds([&] { fit = fit_modal_weights(seen.first(count)); });
    const Seen other{other_poses, other_whole, forces.at(points, other_poses)};
    report({{"rule", "modal_forces"},
            {"points", points.size()},
            {"at_points", at},
            {"fit", seconds},
            {"error", together({fit.pose_errors.begin(), fit.pose_errors.end()})},
            {"error_12", fit.mean_error},
            {"other", together(other.errors(fit.weights))}});
  }
  // As train_optimized(), with a clock.
  OptimizedTraining training;
  training.whole = whole;
  training.tets = static_cast<Index>(system->tet_count());
  double at = 0;
  training.forces = [&](std::span<const Index> chosen) {
    const ScopedTimer timer(at);
    const PoseForces::AtTets found = forces.at(chosen, poses);
    MatX columns(U.cols() * count, static_cast<Eigen::Index>(chosen.size()));
    for (std::size_t k = 0; k < chosen.size(); ++k)
      Eigen::Map<MatX>(columns.col(static_cast<Eigen::Index>(k)).data(), U.cols(), count).noalias() =
          found.gradient[k].transpose() * found.stress[k];
    return columns;
  };
  OptimizedOptions options;
  options.points = most;
  options.tolerance = 1e-3;
  watch.restart();
  options.after_point = [&](Index points, double error) {
    report({{"rule", "optimized"},
            {"points", points},
            {"at_points", at},
            {"fit", watch.seconds() - at},
            {"error", error}});
  };
  const OptimizedCubature result = optimized_cubature(training, options);
  const PoseForces::AtTets found = forces.at(result.cubature.tets, other_poses);
  MatX missing = other_whole;
  for (std::size_t e = 0; e < found.gradient.size(); ++e)
    missing -= result.cubature.weights[e] * (found.gradient[e].transpose() * found.stress[e]);
  std::vector<double> errors;
  for (Eigen::Index t = 0; t < count; ++t) errors.push_back(missing.col(t).norm() / other_whole.col(t).norm());
  report({{"rule", "optimized_end"},
          {"points", result.cubature.tets.size()},
          {"error", result.error},
          {"other", together(errors)}});
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) fail_input(code::usage, "bench_modes: expected PART SCENE [NUMBER]... [KEY=VALUE]...");
  const std::string &part = arguments[0], &scene = arguments[1];
  Numbers numbers;
  std::vector<std::string> overrides;
  for (std::size_t k = 2; k < arguments.size(); ++k)
    if (arguments[k].find('=') != std::string::npos)
      overrides.push_back(arguments[k]);
    else
      numbers.push_back(std::stoi(arguments[k]));
  if (part == "factor")
    factor(*system_of(scene, overrides), numbers);
  else if (part == "inertia")
    inertia(*system_of(scene, overrides), numbers);
  else if (part == "orthogonality")
    orthogonality(*system_of(scene, overrides), numbers);
  else if (part == "reduction")
    reduction(*system_of(scene, overrides), numbers);
  else if (part == "training")
    training(*system_of(scene, overrides), numbers);
  else if (part == "cubature")
    cubature(scene, numbers);
  else
    fail_input(
        code::usage,
        "bench_modes: found part \"{}\", expected factor, inertia, orthogonality, reduction, training or cubature",
        part);
  return 0;
}

}  // namespace
}  // namespace sinew

int main(int count, char** values) {
  try {
    return sinew::run({values + 1, values + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
