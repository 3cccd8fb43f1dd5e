#include "sinew/reduced/reduced_basis.h"

#include <algorithm>
#include <filesystem>

#include <fmt/ranges.h>

#include "sinew/adaptive/mode_library.h"
#include "sinew/core/activity.h"
#include "sinew/core/archive.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/cache_folder.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/suggest.h"
#include "sinew/core/timer.h"
#include "sinew/core/version.h"
#include "sinew/cubature/cluster_points.h"
#include "sinew/cubature/cubature_archive.h"
#include "sinew/cubature/make_cubature.h"
#include "sinew/cubature/stiffness_points.h"
#include "sinew/modes/mode_cache.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/modes/mode_union.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/multilevel/preparation_sources.h"
#include "sinew/partition/partition.h"
#include "sinew/reduced/basis_identity.h"
#include "sinew/reduced/substructure_archive.h"
#include "sinew/subspace/affine.h"
#include "sinew/subspace/basis_archive.h"
#include "sinew/subspace/basis_methods.h"
#include "sinew/subspace/free_motions.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

constexpr const char* reduced_archive_kind = "reduced";

constexpr Index automatic_reduced_handles = 16;
constexpr Index automatic_modes = 30;  // EP, table 1
constexpr Index points_per_mode = 4;
constexpr Index candidates_per_mode = 12;  // of points of the rule energies, of which half and less have a weight
constexpr Index points_per_handle = 24;    // as in the paper's tables: 21 to 45

// Which coordinates are prescribed at a time, axis by axis, and by which motion. A vertex with a place of its own,
// given by a user, is an InputError: handles cannot hold it exactly.
PrescribedAxes prescribed_axes(const System& system, double time) {
  PrescribedAxes axes;
  for (int a = 0; a < 3; ++a) {
    axes.fixed[a].assign(system.dynamic_count, 0);
    axes.motion[a].assign(system.dynamic_count, -1);
  }
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!prescribed.holds_at(time)) continue;
    if (prescribed.by_edit && prescribed.until < forever) continue;  // held by another method, and let go
    if (prescribed.by_edit)
      fail_input(code::subspace,
                 "fix() holds a vertex at its position, which the handles of a subspace cannot do exactly; pull it "
                 "instead, or use solver.subspace \"full\"");
    for (int a = 0; a < 3; ++a) {
      if (!prescribed.axes[a]) continue;
      axes.fixed[a][prescribed.vertex] = 1;
      axes.motion[a][prescribed.vertex] = prescribed.motion;
    }
  }
  return axes;
}

// Vertices per handle, at least: a handle has four scalar columns.
constexpr Index vertices_per_handle = 4;

struct Made {
  HandleBasis basis;
  Partition partition;  // empty unless the handles are of clusters
  std::vector<double> eigenvalues;
};

// The free handles of solver.subspace, u(X) = sum_i w_i(X) A_i [1, (X - c_i)/r_i] (SMFEM, equation 10), with weights
// that vanish at the fixed vertices of the domain:
//
//   "eigenmodes":          L_w w = lambda M w (SMFEM, equation 9),
//   "affine":              w = 1 on each connected body,
//   "sms", "biharmonic":   functions of clusters (SMS, section 3.5; Wang et al. 2015).
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

// Centre and radius of the handles that follow motions. The box of all vertices makes (X - c)/r of order one, so that
// the columns of U_D are of one size.
std::pair<Vec3, double> prescribed_place(const Domain& domain) {
  const Vec3 low = domain.vertices.rowwise().minCoeff(), high = domain.vertices.rowwise().maxCoeff();
  return {0.5 * (low + high), std::max(0.5 * (high - low).norm(), 1e-300)};
}

// Part of each cubature point.
void set_point_parts(ReducedBasis& basis) {
  basis.point_part.assign(basis.cubature.point_count(), 0);
  for (std::size_t p = 0; p < basis.parts.size(); ++p)
    for (const Index point : basis.parts[p].points) basis.point_part[point] = static_cast<Index>(p);
}

// All tets cost little more than points that would be half of them, and are exact. The same holds in meshes of no
// more tets than the default number of handles has points.
bool few_tets(const System& system) {
  const SolverSetup& solver = system.setup.solver;
  return solver.cubature_rule == "stiffness" && solver.cubature_points <= 0 &&
         std::max(2 * reduced_points(system), points_per_handle * automatic_reduced_handles) >= system.tet_count();
}

// The rule sum_c w_c f(F_c) for the handles of all axes (theory, section 6, "Cubature"):
//
//   "all":                    every tet by its volume, also for few tets,
//   "clusters":               k-means on the features w_i / lambda_i^2 (SMFEM, equation 11), weights by volume,
//   "stiffness":              min |sum_e w_e Y_e Y_e^T - I| over w >= 0,
//   "modal", "polynomial":    moment fitting by clusters (SMS, section 3.8).
//
// made: the clusters of the handles of the first set, empty where they have none. Other handles get clusters for the
// rule. SMFEM weighs clusters by mass in print; an elastic energy is an integral over volume.
Cubature make_points(const System& system, const Domain& domain, const ReducedBasis& basis, const Partition& made) {
  const HandleBasis& handles = basis.sets[0].free;
  const SolverSetup& solver = system.setup.solver;
  if (solver.cubature_rule == "all" || few_tets(system)) return full_cubature(domain.tet_count());
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
    for (const AxisHandles& set : basis.sets) moving.insert(moving.end(), {&set.free, &set.prescribed});
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
  // Fewer points than handles leave motions without stiffness: the condensed matrix would be singular.
  if (cubature.point_count() < handles.handle_count())
    fail_input(code::cubature,
               "solver.cubature: rule \"{}\" of degree {} has {} points, fewer than the {} handles, so some motions "
               "would have no stiffness; raise the degree, or give a number of points",
               solver.cubature_rule, solver.cubature_degree, cubature.point_count(), handles.handle_count());
  return cubature;
}

// Adds the bytes of all values.
template <class T>
void add_all(ContentHash& hash, const std::vector<T>& values) {
  hash.add_values(std::span<const T>(values));
}

// The key is a hash of all that basis and points follow from, and of the sources that make them: a cached basis has
// the bits of one that is made.
std::string cache_path(const System& system, const Domain& domain, const PrescribedAxes& axes) {
  const SolverSetup& solver = system.setup.solver;
  const std::string folder = cache_folder();
  if (folder.empty() || !is_kept(domain, solver)) return {};
  ContentHash hash;
  hash.add(std::string(preparation_sources()));
  hash.add(std::string(instructions()));
  const std::int64_t counts[] = {domain.vertex_count(), domain.tet_count(), reduced_handles(system),
                                 reduced_points(system), solver.cubature_degree};
  hash.add_values(std::span<const std::int64_t>(counts));
  hash.add_values(std::span(domain.vertices.data(), static_cast<std::size_t>(domain.vertices.size())));
  hash.add_values(std::span(domain.tets.data(), static_cast<std::size_t>(domain.tets.size())));
  for (const auto* values : {&domain.young, &domain.lambda, &domain.mu, &domain.mass}) add_all(hash, *values);
  add_all(hash, domain.material);
  for (int a = 0; a < 3; ++a) {
    add_all(hash, axes.fixed[a]);
    add_all(hash, axes.motion[a]);
  }
  add_kinds(system, solver.subspaces(), hash);
  hash.add(solver.cubature_rule);
  if (is_dense_subspace(solver.subspace)) {
    std::vector<char> turning;  // motions that frames cannot follow
    for (const Motion& motion : system.motions) {
      turning.push_back(motion.empty());
      turning.push_back(motion.turns());
    }
    add_all(hash, turning);
    const double training[] = {solver.training.size,
                               solver.training.tolerance,
                               static_cast<double>(solver.training.poses),
                               static_cast<double>(solver.domains),
                               static_cast<double>(solver.warping),
                               static_cast<double>(system.skins.size())};
    hash.add_values(std::span<const double>(training));
    add_elasticity(system, hash);  // forces follow from more than the domain
  }
  hash.add(&solver.cubature_power, sizeof(double));
  return (std::filesystem::path(folder) / "reduced" / (hash.hex() + ".h5")).string();
}

// Basis and points from the cache. A damaged file costs the time to make it anew, and a warning.
std::optional<ReducedBasis> read_cached(const std::string& path, const System& system, const Domain& domain) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return {};
  try {
    const ArchiveReader archive(path, reduced_archive_kind);
    ReducedBasis basis;
    const auto sets = archive.integers32("set"), motions = archive.integers32("motions");
    if (sets.size() != 3) fail_input(code::file_damaged, "{}: set has {} entries, expected 3", path, sets.size());
    for (int a = 0; a < 3; ++a) basis.set[a] = std::clamp<Index>(sets[a], 0, 2);
    basis.motions.assign(motions.begin(), motions.end());
    const auto count = static_cast<int>(archive.integer("sets"));
    for (int s = 0; s < count; ++s)
      basis.sets.push_back({read_basis(archive, fmt::format("free{}", s), domain.vertex_count()),
                            read_basis(archive, fmt::format("driven{}", s), domain.vertex_count())});
    basis.cubature = read_cubature(archive, "cubature", domain.tet_count());
    basis.eigenvalues = archive.doubles("eigenvalues");
    const auto parts = static_cast<Index>(archive.integer("parts"));
    if (parts > 0) read_substructures(archive, parts, system, basis);
    basis.cached = true;
    return basis;
  } catch (const InputError& error) {
    log::warning("the cached basis is rebuilt: {}", error.what());
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
    archive.write("sets", static_cast<std::int64_t>(basis.sets.size()));
    for (std::size_t s = 0; s < basis.sets.size(); ++s) {
      write_basis(archive, fmt::format("free{}", s), basis.sets[s].free);
      write_basis(archive, fmt::format("driven{}", s), basis.sets[s].prescribed);
    }
    write_cubature(archive, "cubature", basis.cubature);
    archive.write("eigenvalues", std::span<const double>(basis.eigenvalues));
    archive.write("parts", static_cast<std::int64_t>(basis.parts.size()));
    if (basis.is_dense()) write_substructures(archive, basis);
    archive.commit();
  } catch (const std::exception& error) {
    log::warning("the basis cannot be cached: {}", error.what());
  }
}

// Axes with different prescribed vertices may have different numbers of free motions. Handles without weights fill
// up: zero columns of U, to which the factorisation gives a tiny pivot.
void pad_handles(ReducedBasis& basis) {
  Index most = 0;
  for (const AxisHandles& set : basis.sets) most = std::max(most, set.free.handle_count());
  for (AxisHandles& set : basis.sets) {
    set.free.center.resize(static_cast<std::size_t>(most), Vec3::Zero());
    set.free.radius.resize(static_cast<std::size_t>(most), 1.0);
  }
  if (!basis.eigenvalues.empty()) basis.eigenvalues.resize(static_cast<std::size_t>(most), basis.eigenvalues.back());
}

// The basis and its points:
//
// 1. Axes with the same prescribed vertices share a set of handles.
// 2. The motions that prescribed vertices follow.
// 3. Dense modes: substructures (reduced/substructure.h), with points of their own.
// 4. Handles: for each set free ones, which vanish at its prescribed vertices; affine functions that vanish there,
//    first (theory, section 6, "Motions that constraints leave free"); and handles of prescribed motions.
// 5. Cubature points for all handles together.
ReducedBasis compute(const System& system, Domain& domain, const PrescribedAxes& axes) {
  ReducedBasis basis;
  // Step 1.
  for (int a = 0; a < 3; ++a) {  // axes that are prescribed alike share their weights
    basis.set[a] = a;
    for (int b = a - 1; b >= 0; --b)
      if (axes.motion[b] == axes.motion[a]) basis.set[a] = basis.set[b];
  }
  // Numbered without gaps.
  int count = 0;
  std::array<int, 3> number{-1, -1, -1};
  for (int& s : basis.set) s = number[s] >= 0 ? number[s] : (number[s] = count++);
  for (int a = 0; a < 3; ++a)
    // Step 2.
    for (const Index m : axes.motion[a])
      if (m >= 0 && !system.motions[m].empty() && std::ranges::find(basis.motions, m) == basis.motions.end())
        basis.motions.push_back(m);
  std::ranges::sort(basis.motions);

  // Step 3.
  if (is_dense_subspace(system.setup.solver.subspace)) {
    std::tie(basis.prescribed_center, basis.prescribed_radius) = prescribed_place(domain);
    Substructures made =
        make_substructures(system, domain, axes, basis.motions, basis.prescribed_center, basis.prescribed_radius);
    basis.parts = std::move(made.parts);
    basis.interface_springs = std::move(made.interface_springs);
    basis.cubature = std::move(made.cubature);
    set_point_parts(basis);
    return basis;
  }

  // Step 4.
  const Index handles = reduced_handles(system);
  Partition partition;
  for (int s = 0; s < count; ++s) {
    const int axis = static_cast<int>(std::ranges::find(basis.set, s) - basis.set.begin());
    domain.fixed = axes.fixed[axis];
    Made made = make_free(system, domain, handles);
    const HandleBasis turning = free_motion_handles(domain);
    if (turning.handle_count() > 0) {
      made.basis = joined_handles({&turning, &made.basis});
      if (!made.eigenvalues.empty())
        made.eigenvalues.insert(made.eigenvalues.begin(), static_cast<std::size_t>(turning.handle_count()), 0.0);
    }
    const auto [center, radius] = prescribed_place(domain);
    basis.sets.push_back(
        {std::move(made.basis), prescribed_handles(domain, axes.motion[axis], basis.motions, center, radius)});
    if (s > 0) continue;
    partition = std::move(made.partition);
    basis.eigenvalues = std::move(made.eigenvalues);
  }
  // Step 5, after all sets have the same number of handles.
  pad_handles(basis);
  domain.fixed = axes.fixed[0];
  basis.cubature = make_points(system, domain, basis, partition);
  return basis;
}

// Vertices of which nothing is ever prescribed: four of them can carry the four scalar columns of a handle.
Index free_vertices(const System& system) {
  std::vector<char> prescribed(system.dynamic_count, 0);
  for (const PrescribedVertex& p : system.prescribed) prescribed[p.vertex] = 1;
  return static_cast<Index>(std::ranges::count(prescribed, 0));
}

}  // namespace

bool ReducedBasis::has_mode_weights() const {
  return std::ranges::any_of(parts, [](const Substructure& part) { return part.point_weights.size() > 0; });
}

Index ReducedBasis::dof_count() const {
  if (!is_dense()) return 12 * handle_count();
  Index count = 0;
  for (const Substructure& part : parts) count += part.freedom();
  return count;
}

// solver.handles; by default 16 (SMFEM, table 1 has 5 to 16), or what the free vertices can carry if that is less, or
// one for each piece that hangs together if these are more: each piece must be able to move.
Index reduced_handles(const System& system) {
  const Index given = system.setup.solver.handles;
  if (given > 0) return given;
  if (is_dense_subspace(system.setup.solver.subspace)) return automatic_modes;
  Index count = 0;
  face_components(system.tets, count);
  if (system.setup.solver.subspace == "affine") return count;
  return std::max(std::min(automatic_reduced_handles, free_vertices(system) / vertices_per_handle), count);
}

bool has_given_points(const std::string& rule) {
  return rule == "clusters" || rule == "stiffness" || rule == "energies" || rule == "modal_forces" ||
         rule == "optimized";
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
  if (dense) return {"energies", "modal_forces", "optimized", "all"};
  return {"stiffness", "clusters", "modal", "polynomial", "all"};
}

// solver.cubature_points; by default 24 a handle (SMFEM's tables have 21 to 45), 4 a mode (EP, section 7.1), and 12 a
// mode for the rule of energies, which leaves half of its candidates without weight.
Index reduced_points(const System& system) {
  const Index given = system.setup.solver.cubature_points;
  if (given > 0) return given;
  const SolverSetup& solver = system.setup.solver;
  const auto kinds = static_cast<Index>(1 + solver.further_subspaces.size());
  const Index each = !is_dense_subspace(solver.subspace)  ? points_per_handle
                     : solver.cubature_rule == "energies" ? candidates_per_mode * kinds
                                                          : points_per_mode * kinds;
  return std::min(system.tet_count(), each * reduced_handles(system));
}

// Clusters of masses for warped modes: as many as points.
Index reduced_clusters(const System& system) {
  return points_per_mode * reduced_handles(system);
}

// Refuses setups whose condensed matrix would be singular: more handles, of four scalar columns each, than a quarter
// of the free vertices along an axis, or fewer cubature points than handles (SMFEM, section 5.2: "undersampling leads
// to spurious deformations"). And combinations that have no meaning, such as warped modes with stretches of their
// own.
void check_reduced_setup(const System& system, double time) {
  const SolverSetup& solver = system.setup.solver;
  const Index handles = reduced_handles(system), points = reduced_points(system);
  const PrescribedAxes axes = prescribed_axes(system, time);
  const bool dense = is_dense_subspace(solver.subspace);
  const std::vector<std::string> rules = cubature_rules(dense);
  if (!solver.warping && std::ranges::find(rules, solver.cubature_rule) == rules.end())  // warped modes need none
    fail_input(code::cubature,
               "solver.cubature: found rule \"{}\", which is not for solver.subspace \"{}\"; expected \"{}\"",
               solver.cubature_rule, solver.subspace, fmt::join(rules, "\" or \""));
  if (dense && solver.cubature_rule == "modal_forces" && solver.method == "mixed")
    fail_input(code::cubature,
               "solver.cubature: rule \"modal_forces\" has forces that are not the gradient of an energy, which method "
               "\"mixed\" "
               "needs; use rule \"energies\", or method \"reduced\"");
  if (solver.warping && dense) {
    if (solver.method == "mixed")
      fail_input(code::subspace,
                 "solver.warping: found true with method \"mixed\", which does not support it; use method \"reduced\", "
                 "or remove solver.warping");
    for (int a = 0; a < 3; ++a)
      for (const Index motion : axes.motion[a])
        if (motion >= 0 && !system.motions[motion].empty())
          fail_input(code::subspace,
                     "solver.warping: found true with a prescribed motion, which warping does not support; hold the "
                     "vertices still, pull them by moving springs, or remove solver.warping");
  }
  if (solver.warping && dense && !system.muscles.empty())
    fail_input(
        code::subspace,
        "solver.warping: found true with fibers that pull or have another rest length, which warping does not support; "
        "remove one of them");
  // Weights are fitted to elastic energies at poses, of which a tension that changes is no part.
  if (dense && solver.cubature_rule != "all" && !system.muscles.empty())
    fail_input(code::cubature,
               "solver.cubature: found rule \"{}\" with fibers that pull or have another rest length, to which its "
               "weights are "
               "not fitted; use \"all\", or handles such as solver.subspace \"eigenmodes\"",
               solver.cubature_rule);
  if (solver.warping && dense && system.setup.spin)
    fail_input(code::subspace,
               "solver.warping: found true with a spin, which warping does not support; remove one of them");
  // The harmonic function of a motion is 1 wherever nothing else is held: modes of small motions would have to undo the
  // scaling of the whole body.
  for (int a = 0; a < 3; ++a)
    for (const Index motion : axes.motion[a])
      if (motion >= 0 && system.motions[motion].course && system.motions[motion].course->by_vertex())
        fail_input(
            code::subspace,
            "solver.method: \"{}\" moves prescribed vertices by affine maps alone, but a fix was given positions; "
            "use a full-space method",
            solver.method);
  for (int a = 0; a < 3 && dense; ++a)
    for (const Index motion : axes.motion[a])
      if (motion >= 0 && system.motions[motion].scaling)
        fail_input(code::subspace,
                   "solver.subspace: \"{}\" cannot follow prescribed vertices that are scaled (fix.motion.scale); use "
                   "\"eigenmodes\" or a method of all vertices",
                   solver.subspace);
  for (int a = 0; a < 3 && !dense; ++a) {
    const auto free = static_cast<Index>(std::count(axes.fixed[a].begin(), axes.fixed[a].end(), 0));
    if (free < vertices_per_handle)
      fail_input(code::subspace,
                 "solver.method: \"{}\" needs vertices that are free along all axes, but along {} {} of {} are free; "
                 "fix fewer vertices, or use a full-space method (newton, multilevel)",
                 solver.method, "xyz"[a], free, system.dynamic_count);
    if (vertices_per_handle * handles > free)
      fail_input(
          code::subspace,
          "solver.handles: {} handles need {} vertices that are free along the axis {}, the bodies have {} of {}; use "
          "{} at most, fix fewer vertices, or take a full-space method (newton, multilevel)",
          handles, vertices_per_handle * handles, "xyz"[a], free, system.dynamic_count, free / vertices_per_handle);
  }
  if (!dense && has_given_points(solver.cubature_rule) && points < handles)
    fail_input(code::cubature,
               "solver.cubature: {} points are fewer than the {} handles, so some motions would have no stiffness; use "
               "{} or more",
               points, handles, points_per_handle * handles);
  if (points > system.tet_count() && !(dense && solver.warping))
    fail_input(code::cubature, "solver.cubature: {} points are more than the {} tets; use rule \"all\" for all of them",
               points, system.tet_count());
}

// The domain without any fixed vertex: which ones are fixed depends on the axis and is hashed by axis.
std::string reduced_basis_path(const System& system, double time) {
  const Domain domain = make_domain(system, std::vector<char>(3 * static_cast<std::size_t>(system.dynamic_count), 0));
  return cache_path(system, domain, prescribed_axes(system, time));
}

// From the cache, or made and kept there.
std::shared_ptr<const ReducedBasis> make_reduced_basis(const System& system, double time) {
  const Stopwatch watch;
  check_reduced_setup(system, time);
  const PrescribedAxes axes = prescribed_axes(system, time);
  Domain domain = make_domain(system, std::vector<char>(3 * static_cast<std::size_t>(system.dynamic_count), 0));
  const std::string path = cache_path(system, domain, axes);
  std::optional<ReducedBasis> basis = read_cached(path, system, domain);
  if (!basis) {
    basis = compute(system, domain, axes);
    write_cached(path, *basis);
  }
  basis->seconds = watch.seconds();
  basis->identity = identity_of(*basis);
  return std::make_shared<const ReducedBasis>(std::move(*basis));
}

}  // namespace sinew
