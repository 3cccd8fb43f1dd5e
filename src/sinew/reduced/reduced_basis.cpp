#include "sinew/reduced/reduced_basis.h"

#include <algorithm>
#include <filesystem>

#include "sinew/core/activity.h"
#include "sinew/core/archive.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/cache_folder.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/suggest.h"
#include "sinew/core/timer.h"
#include "sinew/cubature/cluster_points.h"
#include "sinew/cubature/cubature_archive.h"
#include "sinew/cubature/make_cubature.h"
#include "sinew/cubature/stiffness_points.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/mode_cache.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/modes/mode_union.h"
#include "sinew/modes/monomials.h"
#include "sinew/modes/rest_body.h"
#include "sinew/partition/laplacian.h"
#include "sinew/partition/partition.h"
#include "sinew/partition/voxel_sample.h"
#include "sinew/reduced/hierarchy.h"
#include "sinew/reduced/mode_library.h"
#include "sinew/reduced/preparation_sources.h"
#include "sinew/reduced/training.h"
#include "sinew/subspace/affine.h"
#include "sinew/subspace/basis_archive.h"
#include "sinew/subspace/basis_methods.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

constexpr const char* reduced_archive_kind = "reduced";

constexpr Index automatic_reduced_handles = 16;
constexpr Index automatic_modes = 30;  // EP, table 1
constexpr Index points_per_mode = 4;
constexpr double rigid_quotient = 1e-12;  // of the largest Rayleigh quotient
constexpr Index points_per_handle = 24;   // as in the paper's tables: 21 to 45

// The prescribed coordinates: which axes of which vertices, and the motion that each follows.
struct Pins {
  std::array<std::vector<char>, 3> fixed;    // n, by axis
  std::array<std::vector<Index>, 3> motion;  // n, into System::motions; -1: not prescribed
};

// The vertices that are prescribed at a time, axis by axis. Throws InputError for one with a place of its own.
Pins pins_at(const System& system, double time) {
  Pins pins;
  for (int a = 0; a < 3; ++a) {
    pins.fixed[a].assign(system.dynamic_count, 0);
    pins.motion[a].assign(system.dynamic_count, -1);
  }
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!prescribed.holds_at(time)) continue;
    if (prescribed.own_place)
      fail_input(
          "a vertex is held at a place of its own, which the handles of a subspace cannot hold exactly; pull at it "
          "instead, or take solver.subspace \"full\"");
    for (int a = 0; a < 3; ++a) {
      if (!prescribed.axes[a]) continue;
      pins.fixed[a][prescribed.vertex] = 1;
      pins.motion[a][prescribed.vertex] = prescribed.motion;
    }
  }
  return pins;
}

// Vertices per handle, at least: a handle has four scalar columns.
constexpr Index vertices_per_handle = 4;

struct Made {
  HandleBasis basis;
  Partition partition;  // empty unless the handles are of clusters
  std::vector<double> eigenvalues;
};

// The handles of solver.subspace, whose weights vanish at the fixed vertices of the domain.
Made make_free(const System& system, const Domain& domain, Index handles) {
  const std::string& name = system.setup.solver.subspace;
  Made made;
  if (name == "eigenmodes") {
    activity::begin("skinning eigenmodes", handles);
    made.basis = skinning_eigenmodes(domain, handles, &made.eigenvalues);
  } else if (name == "affine") {
    made.basis = affine_basis(domain);
  } else {
    PartitionOptions options;
    options.handles = handles;
    activity::begin("clusters");
    made.partition = make_partition(domain, options);
    activity::begin("basis functions", made.partition.cluster_count());
    made.basis = make_basis(domain, made.partition, name);
  }
  activity::finish();
  return made;
}

// The handles that follow prescribed motions. The weight w_m of motion m is harmonic: with the stiffness-weighted
// Laplacian L (theory, section 5), f the free and p the prescribed vertices,
//   L_ff w_f = -L_fp w_p,   w_p = 1 at the vertices that follow m, 0 at the others.
// L_ff is factored once for the right-hand sides of all motions. All handles have the centre and radius of the system.
HandleBasis make_driven(const Domain& domain, const std::vector<Index>& vertex_motion,
                        const std::vector<Index>& motions) {
  HandleBasis driven;
  const auto n = domain.vertex_count();
  if (motions.empty()) {
    driven.begin.assign(n + 1, 0);
    return driven;
  }
  const SparseMatrix L = stiffness_laplacian(domain.vertices, domain.tets, domain.volume, spread_stiffness(domain));
  // Free vertices get the numbers of the unknowns.
  std::vector<Index> number(n, -1), free;
  for (Index v = 0; v < n; ++v) {
    if (vertex_motion[v] >= 0) continue;
    number[v] = static_cast<Index>(free.size());
    free.push_back(v);
  }
  // Each entry L_rv of a free row r goes to L_ff where v is free, else to the right-hand side of the motion of v.
  std::vector<Eigen::Triplet<double, Index>> entries;
  MatX b = MatX::Zero(static_cast<Index>(free.size()), static_cast<Index>(motions.size()));
  for (Index v = 0; v < n; ++v) {
    for (SparseMatrix::InnerIterator e(L, v); e; ++e) {
      const auto row = static_cast<Index>(e.row());
      if (number[row] < 0) continue;
      if (number[v] >= 0) {
        entries.emplace_back(number[row], number[v], e.value());
        continue;
      }
      const auto m = std::ranges::find(motions, vertex_motion[v]) - motions.begin();
      if (m < std::ssize(motions)) b(number[row], m) -= e.value();
    }
  }
  // Components without any prescribed vertex see no load, but their block is singular.
  SparseMatrix A(static_cast<Index>(free.size()), static_cast<Index>(free.size()));
  A.setFromTriplets(entries.begin(), entries.end());
  constexpr double shift = 1e-12;
  A.diagonal() *= 1 + shift;
  ScalarCholesky cholesky;
  if (!free.empty() && !cholesky.compute(A))
    throw SimulationError("the Laplacian of the free vertices cannot be factored");
  const MatX x = free.empty() ? b : cholesky.solve(b);
  // Rows of weights by vertex, zeros left out.
  std::vector<std::vector<std::pair<Index, double>>> rows(n);
  for (Index v = 0; v < n; ++v) {
    for (Index m = 0; m < static_cast<Index>(motions.size()); ++m) {
      const double weight = number[v] >= 0 ? x(number[v], m) : vertex_motion[v] == motions[m] ? 1.0 : 0.0;
      if (weight != 0) rows[v].emplace_back(m, weight);
    }
  }
  const Vec3 low = domain.vertices.rowwise().minCoeff(), high = domain.vertices.rowwise().maxCoeff();
  driven.center.assign(motions.size(), 0.5 * (low + high));
  driven.radius.assign(motions.size(), std::max(0.5 * (high - low).norm(), 1e-300));
  set_rows(rows, driven);
  return driven;
}

// The cubature points that solver.cubature asks for, for the handles of all axes in `basis`. made: the clusters of the
// handles of the first set, empty where they have none.
Cubature make_points(const System& system, const Domain& domain, const ReducedBasis& basis, const Partition& made) {
  const HandleBasis& handles = basis.sets[0].free;
  const SolverSetup& solver = system.setup.solver;
  if (solver.cubature_rule == "all") return full_cubature(domain.tet_count());
  if (solver.cubature_rule == "clusters") {
    activity::begin("cubature points");
    ClusterPointsOptions options;
    options.points = reduced_points(system);
    options.power = solver.cubature_power;
    Cubature cubature = cluster_points(domain, handles, basis.eigenvalues, options);
    activity::finish();
    return cubature;
  }
  if (solver.cubature_rule == "stiffness") {
    activity::begin("cubature points");
    std::vector<const HandleBasis*> moving;
    for (const AxisHandles& set : basis.sets) moving.insert(moving.end(), {&set.free, &set.driven});
    Cubature cubature = stiffness_points(domain, joined_handles(moving), reduced_points(system));
    activity::finish();
    return cubature;
  }
  // Rules that are fitted cluster by cluster; where the handles have none, clusters are made for them.
  activity::begin("cubature rules");
  PartitionOptions clusters;
  clusters.handles = handles.handle_count();
  const Partition partition = made.center.empty() ? make_partition(domain, clusters) : made;
  CubatureOptions options;
  options.method = solver.cubature_rule;
  options.fitting.degree = solver.cubature_degree;
  Cubature cubature = make_cubature(domain, partition, handles, options);
  activity::finish();
  if (cubature.point_count() < handles.handle_count())
    fail_input(
        "solver.cubature: rule \"{}\" of degree {} has {} points, fewer than the {} handles, which would leave "
        "motions without any stiffness; raise its degree, or give a number of points",
        solver.cubature_rule, solver.cubature_degree, cubature.point_count(), handles.handle_count());
  return cubature;
}

// Adds the bytes of all values.
template <class T>
void add_all(ContentHash& hash, const std::vector<T>& values) {
  hash.add_values(std::span<const T>(values));
}

// The modes of solver.subspace in the order of the system, rigid motions left out, and before them the affine motions
// of bodies that nothing holds: dense modes of such bodies turn with none of them.
void make_modes(const System& system, const Domain& domain, const std::vector<char>& fixed, ReducedBasis& basis) {
  const SolverSetup& solver = system.setup.solver;
  const ModeSet modes = modes_of_kinds(system, fixed, solver.subspaces(),
                                       {reduced_handles(system), solver.handles > 0 ? "solver.handles" : ""});
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  MatX affine(3 * system.dynamic_count, 0);
  for (const RestBody& body : bodies) {
    MatX own = body.rigid();  // of a body that is held in part, what it may still do
    if (body.is_free()) {
      own.resize(body.size(), 12 + body.rigid().cols());  // turns of its parts about hinges are among the last
      own << body.turns_and_shifts().leftCols(3), monomials(body.rest()).leftCols(9), body.rigid();
    }
    const auto before = static_cast<Index>(affine.cols()), more = static_cast<Index>(own.cols());
    affine.conservativeResize(affine.rows(), before + more);
    affine.rightCols(more).setZero();
    for (std::size_t v = 0; v < body.vertices().size(); ++v)
      affine.block(3 * body.vertices()[v], before, 3, more) = own.middleRows(3 * static_cast<Index>(v), 3);
  }
  MatX all(affine.rows(), affine.cols() + modes.vectors.cols());
  all << affine, modes.vectors;
  // Orthonormal in the mass, which keeps the reduced matrices well conditioned.
  VecX mass(3 * system.dynamic_count);
  for (Index i = 0; i < mass.size(); ++i) mass[i] = system.mass[i / 3];
  MassGramSchmidt(system.rest.leftCols(system.dynamic_count), mass, static_cast<Index>(all.cols()))
      .append(all, static_cast<Index>(all.cols()), basis.modes);
  if (basis.modes.cols() == 0) fail_input("solver.subspace: \"{}\" has no modes for these bodies", modes.kind);
  const SymBlockMatrix K = stiffness_at_rest(system);
  VecX f(basis.modes.rows());
  basis.quotients.resize(basis.modes.cols());
  for (Eigen::Index i = 0; i < basis.modes.cols(); ++i) {
    K.multiply(basis.modes.col(i).data(), f.data());
    basis.quotients[i] = basis.modes.col(i).dot(f);
  }
  // What rounding leaves of rigid motions.
  const double stiffest = basis.quotients.maxCoeff();
  for (double& quotient : basis.quotients)
    if (quotient < rigid_quotient * stiffest) quotient = 0;
}

// The points of a rule for dense modes and their weights. Poses leave out motions that bend nothing.
void train(const System& system, const Domain& domain, ReducedBasis& basis) {
  const SolverSetup& solver = system.setup.solver;
  const Index points = reduced_points(system);
  if (solver.cubature_rule == "all") {
    basis.cubature = full_cubature(domain.tet_count());
    return;
  }
  TrainingOptions options;
  options.size = solver.training.size;
  options.poses = solver.training.poses;
  options.tolerance = solver.training.tolerance;
  if (solver.cubature_rule == "optimized") {
    OptimizedCubature trained =
        train_optimized(system, basis.modes, basis.quotients, points, solver.training.tolerance, options);
    basis.cubature = std::move(trained.cubature);
    basis.training_error = trained.error;
    return;
  }
  Points middles(3, domain.tet_count());
  for (Index t = 0; t < domain.tet_count(); ++t) {
    middles.col(t).setZero();
    for (int c = 0; c < 4; ++c) middles.col(t) += 0.25 * domain.vertices.col(domain.tets(c, t));
  }
  const VoxelSample sample =
      voxel_sample(middles, Eigen::Map<const VecX>(domain.volume.data(), domain.tet_count()), points);
  TrainedWeights trained = train_modal_weights(system, basis.modes, basis.quotients, sample.chosen, options);
  basis.cubature = std::move(trained.cubature);
  basis.mode_weights = std::move(trained.weights);
  basis.poses = std::move(trained.poses);
  basis.forces = std::move(trained.forces);
  basis.training_error = trained.error;
}

// A file named by the hash of all that the basis and the points follow from, and of the sources that make them.
std::string cache_path(const System& system, const Domain& domain, const Pins& pins) {
  const SolverSetup& solver = system.setup.solver;
  const std::string folder = cache_folder();
  if (folder.empty() || !is_kept(domain, solver)) return {};
  ContentHash hash;
  hash.add(std::string(preparation_sources()));
  const std::int64_t counts[] = {domain.vertex_count(), domain.tet_count(), reduced_handles(system),
                                 reduced_points(system), solver.cubature_degree};
  hash.add_values(std::span<const std::int64_t>(counts));
  hash.add_values(std::span(domain.vertices.data(), static_cast<std::size_t>(domain.vertices.size())));
  hash.add_values(std::span(domain.tets.data(), static_cast<std::size_t>(domain.tets.size())));
  for (const auto* values : {&domain.young, &domain.lambda, &domain.mu, &domain.mass}) add_all(hash, *values);
  add_all(hash, domain.material);
  for (int a = 0; a < 3; ++a) {
    add_all(hash, pins.fixed[a]);
    add_all(hash, pins.motion[a]);
  }
  add_kinds(system, solver.subspaces(), hash);
  hash.add(solver.cubature_rule);
  if (is_dense_subspace(solver.subspace)) {
    const double training[] = {solver.training.size, solver.training.tolerance,
                               static_cast<double>(solver.training.poses)};
    hash.add_values(std::span<const double>(training));
    add_elasticity(system, hash);  // forces follow from more than the domain
  }
  hash.add(&solver.cubature_power, sizeof(double));
  return (std::filesystem::path(folder) / "reduced" / (hash.hex() + ".h5")).string();
}

MatX read_matrix(const ArchiveReader& archive, const std::string& name, Index rows) {
  const std::vector<double> values = archive.doubles(name);
  if (rows == 0 || static_cast<Index>(values.size()) % rows != 0) fail_input("{} has {} numbers", name, values.size());
  return Eigen::Map<const MatX>(values.data(), rows, static_cast<Index>(values.size()) / rows);
}

// The basis and the points of a file of the cache, or nothing where there is none or it is damaged.
std::optional<ReducedBasis> read_cached(const std::string& path, const Domain& domain) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return {};
  try {
    const ArchiveReader archive(path, reduced_archive_kind);
    ReducedBasis basis;
    const auto sets = archive.integers32("set"), motions = archive.integers32("motions");
    if (sets.size() != 3) fail_input("{}: set has {} entries, expected 3", path, sets.size());
    for (int a = 0; a < 3; ++a) basis.set[a] = std::clamp<Index>(sets[a], 0, 2);
    basis.motions.assign(motions.begin(), motions.end());
    const int count = *std::ranges::max_element(basis.set) + 1;
    for (int s = 0; s < count; ++s)
      basis.sets.push_back({read_basis(archive, fmt::format("free{}", s), domain.vertex_count()),
                            read_basis(archive, fmt::format("driven{}", s), domain.vertex_count())});
    basis.cubature = read_cubature(archive, "cubature", domain.tet_count());
    basis.eigenvalues = archive.doubles("eigenvalues");
    const Index modes = static_cast<Index>(archive.integer("modes/count"));
    if (modes > 0) {
      basis.modes = read_matrix(archive, "modes/vectors", 3 * domain.vertex_count());
      const MatX quotients = read_matrix(archive, "modes/quotients", modes);
      basis.mode_weights = read_matrix(archive, "modes/weights", basis.cubature.point_count());
      basis.poses = read_matrix(archive, "modes/poses", modes);
      basis.forces = read_matrix(archive, "modes/forces", modes);
      basis.training_error = archive.scalar("modes/error");
      if (basis.modes.cols() != modes || quotients.cols() != 1 ||
          (basis.mode_weights.size() > 0 && basis.mode_weights.cols() != modes))
        fail_input("{}: the modes have other sizes than their number", path);
      basis.quotients = quotients.col(0);
    }
    basis.cached = true;
    return basis;
  } catch (const InputError& error) {
    log::warning("the cached basis is made anew: {}", error.what());
    return {};
  }
}

// A cache that cannot be written is a warning: the run goes on without it.
void write_cached(const std::string& path, const ReducedBasis& basis) {
  if (path.empty()) return;
  try {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ArchiveWriter archive(path, reduced_archive_kind);
    const std::vector<std::int32_t> set(basis.set.begin(), basis.set.end());
    archive.write("set", std::span<const std::int32_t>(set));
    archive.write("motions", std::span<const std::int32_t>(basis.motions));
    for (std::size_t s = 0; s < basis.sets.size(); ++s) {
      write_basis(archive, fmt::format("free{}", s), basis.sets[s].free);
      write_basis(archive, fmt::format("driven{}", s), basis.sets[s].driven);
    }
    write_cubature(archive, "cubature", basis.cubature);
    archive.write("eigenvalues", std::span<const double>(basis.eigenvalues));
    archive.write("modes/count", static_cast<std::int64_t>(basis.modes.cols()));
    if (basis.is_dense()) {
      const std::pair<const char*, const MatX*> matrices[] = {{"modes/vectors", &basis.modes},
                                                              {"modes/weights", &basis.mode_weights},
                                                              {"modes/poses", &basis.poses},
                                                              {"modes/forces", &basis.forces}};
      for (const auto& [name, matrix] : matrices)
        archive.write(name, std::span<const double>(matrix->data(), static_cast<std::size_t>(matrix->size())));
      archive.write("modes/quotients",
                    std::span(basis.quotients.data(), static_cast<std::size_t>(basis.quotients.size())));
      archive.write("modes/error", basis.training_error);
    }
    archive.commit();
  } catch (const std::exception& error) {
    log::warning("the basis cannot be kept: {}", error.what());
  }
}

// Axes with the same prescribed vertices share a set of handles; each set has free and driven handles; the points are
// made for all of them.
ReducedBasis compute(const System& system, Domain& domain, const Pins& pins) {
  ReducedBasis basis;
  for (int a = 0; a < 3; ++a) {  // equal pins share their weights
    basis.set[a] = a;
    for (int b = a - 1; b >= 0; --b)
      if (pins.motion[b] == pins.motion[a]) basis.set[a] = basis.set[b];
  }
  // Numbered without gaps.
  int count = 0;
  std::array<int, 3> number{-1, -1, -1};
  for (int& s : basis.set) s = number[s] >= 0 ? number[s] : (number[s] = count++);
  for (int a = 0; a < 3; ++a)
    for (const Index m : pins.motion[a])
      if (m >= 0 && !system.motions[m].empty() && std::ranges::find(basis.motions, m) == basis.motions.end())
        basis.motions.push_back(m);
  std::ranges::sort(basis.motions);

  if (is_dense_subspace(system.setup.solver.subspace)) {
    std::vector<char> fixed(3 * static_cast<std::size_t>(system.dynamic_count));
    for (std::size_t c = 0; c < fixed.size(); ++c) fixed[c] = pins.fixed[c % 3][c / 3];
    for (int s = 0; s < count; ++s) {
      const int axis = static_cast<int>(std::ranges::find(basis.set, s) - basis.set.begin());
      AxisHandles handles;
      handles.free.begin.assign(domain.vertex_count() + 1, 0);
      handles.driven = make_driven(domain, pins.motion[axis], basis.motions);
      basis.sets.push_back(std::move(handles));
    }
    make_modes(system, domain, fixed, basis);
    train(system, domain, basis);
    return basis;
  }

  // For each set of axes: free handles, whose weights vanish at the prescribed vertices of these axes, and driven ones.
  const Index handles = reduced_handles(system);
  Partition partition;
  for (int s = 0; s < count; ++s) {
    const int axis = static_cast<int>(std::ranges::find(basis.set, s) - basis.set.begin());
    domain.fixed = pins.fixed[axis];
    Made made = make_free(system, domain, handles);
    basis.sets.push_back({std::move(made.basis), make_driven(domain, pins.motion[axis], basis.motions)});
    if (s > 0) continue;
    partition = std::move(made.partition);
    basis.eigenvalues = std::move(made.eigenvalues);
  }
  for (const AxisHandles& set : basis.sets)
    if (set.free.handle_count() != basis.handle_count())
      fail_input(
          "solver.subspace: \"{}\" has {} handles along one axis and {} along another, whose prescribed vertices "
          "differ; use \"eigenmodes\"",
          system.setup.solver.subspace, basis.handle_count(), set.free.handle_count());
  domain.fixed = pins.fixed[0];
  basis.cubature = make_points(system, domain, basis, partition);
  return basis;
}

}  // namespace

// solver.handles; by default 16, or one for each piece that hangs together if these are more.
Index reduced_handles(const System& system) {
  const Index given = system.setup.solver.handles;
  if (given > 0) return given;
  if (is_dense_subspace(system.setup.solver.subspace)) return automatic_modes;
  Index count = 0;
  face_components(system.tets, count);
  if (system.setup.solver.subspace == "affine") return count;
  return std::max(automatic_reduced_handles, count);
}

bool has_given_points(const std::string& rule) {
  return rule == "clusters" || rule == "stiffness" || rule == "modal_forces" || rule == "optimized";
}

bool is_dense_subspace(const std::string& subspace) {
  return is_mode_file(subspace) || find_mode_kind(subspace) != nullptr;
}

std::vector<std::string> subspace_kinds() {
  std::vector<std::string> kinds = {"eigenmodes", "sms", "affine", "biharmonic", "full"};
  for (const ModeKind& kind : mode_kinds()) kinds.emplace_back(kind.name);
  return kinds;
}

std::vector<std::string> cubature_rules(bool dense) {
  if (dense) return {"modal_forces", "optimized", "all"};
  return {"stiffness", "clusters", "modal", "polynomial", "all"};
}

// solver.cubature_points; by default 24 for each handle, at most all tets.
Index reduced_points(const System& system) {
  const Index given = system.setup.solver.cubature_points;
  if (given > 0) return given;
  const SolverSetup& solver = system.setup.solver;
  const auto kinds = static_cast<Index>(1 + solver.further_subspaces.size());
  const Index each = is_dense_subspace(solver.subspace) ? points_per_mode * kinds : points_per_handle;
  return std::min(system.tet_count(), each * reduced_handles(system));
}

// Refuses setups whose condensed matrix would be singular: more handles, of four scalar columns each, than a quarter of
// the free vertices along an axis, or fewer cubature points than handles. And loads that a subspace cannot follow.
void check_reduced_setup(const System& system, double time) {
  const SolverSetup& solver = system.setup.solver;
  const Index handles = reduced_handles(system), points = reduced_points(system);
  const Pins pins = pins_at(system, time);
  const bool dense = is_dense_subspace(solver.subspace);
  if (dense && solver.cubature_rule == "modal_forces" && solver.method == "mixed")
    fail_input(
        "solver.cubature: rule \"modal_forces\" has forces that are not the gradient of an energy, which method "
        "\"mixed\" "
        "needs; use rule \"optimized\" or \"all\", or method \"reduced\"");
  for (int a = 0; a < 3 && !dense; ++a) {
    const auto free = static_cast<Index>(std::count(pins.fixed[a].begin(), pins.fixed[a].end(), 0));
    if (vertices_per_handle * handles > free)
      fail_input(
          "solver.handles: {} handles need {} vertices that are free along the axis {}, the bodies have {} of {}; use "
          "{} "
          "at most, fix fewer vertices, or take a full-space method",
          handles, vertices_per_handle * handles, "xyz"[a], free, system.dynamic_count, free / vertices_per_handle);
  }
  if (!dense && has_given_points(solver.cubature_rule) && points < handles)
    fail_input(
        "solver.cubature: {} points are fewer than the {} handles, which would leave motions without any stiffness; "
        "use "
        "{} or more",
        points, handles, points_per_handle * handles);
  if (points > system.tet_count())
    fail_input("solver.cubature: {} points are more than the {} tets; use rule \"all\" for all of them", points,
               system.tet_count());
  for (const FaceLoad& load : system.loads)
    if (load.kind == LoadKind::pressure)
      fail_input(
          "loads: a pressure that follows the faces needs all of them, which method \"{}\" in a subspace does not "
          "move; "
          "use a traction, solver.subspace \"full\", or method \"newton\"",
          solver.method);
}

// The domain without any fixed vertex: which ones are fixed depends on the axis and is hashed with the pins.
std::string reduced_basis_path(const System& system, double time) {
  const Domain domain = make_domain(system, std::vector<char>(3 * static_cast<std::size_t>(system.dynamic_count), 0));
  return cache_path(system, domain, pins_at(system, time));
}

// From the cache, or made and kept there.
std::shared_ptr<const ReducedBasis> make_reduced_basis(const System& system, double time) {
  const Stopwatch watch;
  check_reduced_setup(system, time);
  const Pins pins = pins_at(system, time);
  Domain domain = make_domain(system, std::vector<char>(3 * static_cast<std::size_t>(system.dynamic_count), 0));
  const std::string path = cache_path(system, domain, pins);
  std::optional<ReducedBasis> basis = read_cached(path, domain);
  if (!basis) {
    basis = compute(system, domain, pins);
    write_cached(path, *basis);
  }
  basis->seconds = watch.seconds();
  return std::make_shared<const ReducedBasis>(std::move(*basis));
}

}  // namespace sinew
