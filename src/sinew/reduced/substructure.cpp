#include "sinew/reduced/substructure.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/ranges.h>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/cubature/make_cubature.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/linalg/tall_products.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/part_of_system.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/mode_union.h"
#include "sinew/modes/rest_body.h"
#include "sinew/partition/laplacian.h"
#include "sinew/partition/partition.h"
#include "sinew/partition/voxel_sample.h"
#include "sinew/reduced/part_frame.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/training.h"
#include "sinew/reduced/warping.h"
#include "sinew/subspace/cluster_graph.h"
#include "sinew/subspace/free_motions.h"
#include "sinew/subspace/index_lists.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

constexpr double rigid_quotient = 1e-12;  // of the largest Rayleigh quotient

// A part of the system and its prescribed coordinates.
struct Part {
  System system;
  std::vector<Index> vertices, tets;
  std::vector<char> fixed;    // 3 a vertex
  bool shifts = true;         // whether what is prescribed stays, or follows one motion that only shifts
  Index motion = -1;          // that motion
  bool has_skeleton = false;  // bones carry it along: it has no frame of its own
};

// Which motion the prescribed coordinates of a part follow, and whether it only shifts. A frame can go along with a
// shift; with a turn or a scaling it cannot.
void find_motion(const System& whole, const PrescribedAxes& axes, Part& part) {
  bool any = false;
  for (std::size_t c = 0; c < part.fixed.size(); ++c) {
    if (!part.fixed[c]) continue;
    const Index own = axes.motion[c % 3][part.vertices[c / 3]];
    const Motion& motion = whole.motions[own];
    const Index follows = motion.empty() ? -1 : own;
    part.shifts &= !motion.turns() && (!any || follows == part.motion);
    part.motion = follows;
    any = true;
  }
}

// Columns of the affine functions n . (X - c) that vanish where the part is held, axis by axis (theory, section 6,
// "Motions that constraints leave free"). Along an axis with nothing held these are all four affine functions.
MatX affine_columns(const Part& part) {
  Domain domain = make_domain(part.system, part.fixed);
  const Index n = domain.vertex_count();
  MatX columns(3 * n, 0);
  for (int a = 0; a < 3; ++a) {
    for (Index v = 0; v < n; ++v) domain.fixed[v] = part.fixed[3 * static_cast<std::size_t>(v) + a];
    MatX weights;
    if (std::ranges::count(domain.fixed, 0) == std::ssize(domain.fixed)) {
      weights.resize(n, 4);
      weights << VecX::Ones(n), domain.vertices.transpose();
    } else {
      const HandleBasis handles = free_motion_handles(domain);
      weights.setZero(n, handles.handle_count());
      for (Index v = 0; v < n; ++v)
        for (auto e = handles.begin[v]; e < handles.begin[v + 1]; ++e)
          weights(v, handles.handle[e]) = handles.weight[e];
    }
    const auto before = columns.cols();
    columns.conservativeResize(Eigen::NoChange, before + weights.cols());
    columns.rightCols(weights.cols()).setZero();
    for (Index v = 0; v < n; ++v) columns.row(3 * v + a).tail(weights.cols()) = weights.row(v);
  }
  return columns;
}

PartitionOptions domain_options(const System& system) {
  PartitionOptions options;
  options.handles = system.setup.solver.domains;
  return options;
}

// One label a tet: its connected body, or its domain of the solver.domains into which bodies are divided.
std::vector<Index> labels_of(const System& system, const Domain& domain, Index& count) {
  const Index wanted = system.setup.solver.domains;
  count = domain.component_count;
  if (wanted <= count) return domain.component;
  activity::begin("domains");
  Partition partition = make_partition(domain, domain_options(system));
  activity::finish();
  count = partition.cluster_count();
  return std::move(partition.tet_cluster);
}

// The modes that a file has of a part: those that move it, `handles` of them at most.
ModeSet modes_in_part(const ModeSet& file, const Part& part) {
  MatX own(3 * part.system.dynamic_count, file.vectors.cols());
  for (std::size_t v = 0; v < part.vertices.size(); ++v)
    own.middleRows(3 * static_cast<Index>(v), 3) = file.vectors.middleRows(3 * part.vertices[v], 3);
  std::vector<Eigen::Index> moving;
  for (Eigen::Index k = 0; k < own.cols(); ++k)
    if (!own.col(k).isZero(0)) moving.push_back(k);
  const Index most = part.system.setup.solver.handles;
  if (most > 0 && static_cast<Index>(moving.size()) > most) moving.resize(most);
  return {file.kind, file.values(moving), own(Eigen::all, moving)};
}

// Attachment modes (Craig 2000), six an interface: u = K^{-1} f for a force and a torque along each axis, spread over
// the vertices of the interface like a rigid motion. Linear modes of a part alone are free of stress there and cannot
// pass a load on.
MatX attachment_modes(RestBody& body, const std::vector<std::vector<Index>>& interfaces) {
  const MatX motions = body.turns_and_shifts();
  MatX loads = MatX::Zero(body.size(), 6 * static_cast<Index>(interfaces.size()));
  for (std::size_t s = 0; s < interfaces.size(); ++s) {
    Vec3 middle = Vec3::Zero();
    for (const Index v : interfaces[s]) middle += body.rest().col(v) / static_cast<double>(interfaces[s].size());
    for (const Index v : interfaces[s]) {
      const Vec3 arm = body.rest().col(v) - middle;
      for (int k = 0; k < 3; ++k) {
        loads(3 * v + k, 6 * static_cast<Index>(s) + k) = 1;
        loads.col(6 * static_cast<Index>(s) + 3 + k).segment<3>(3 * v) = Vec3::Unit(k).cross(arm);
      }
    }
  }
  body.set_fixed_to_zero(loads);
  return body.solve(loads);
}

// Columns over the moving vertices of a body as columns over all vertices of the part: zero elsewhere.
MatX spread(const RestBody& body, const MatX& vectors, Index vertices) {
  MatX all = MatX::Zero(3 * vertices, vectors.cols());
  for (std::size_t v = 0; v < body.vertices().size(); ++v)
    all.middleRows(3 * body.vertices()[v], 3) = vectors.middleRows(3 * static_cast<Index>(v), 3);
  return all;
}

VecX by_coordinate(const VecX& mass) {
  VecX all(3 * mass.size());
  for (Index i = 0; i < all.size(); ++i) all[i] = mass[i / 3];
  return all;
}

// Motions without strain that what is held leaves a part: the frame of the result follows them, and their number is
// returned, which the basis leaves out; or they stay in the basis, beside the affine functions that vanish where the
// part is held. Throws InputError where fitted points could not follow them.
Index follow_held_motions(const Part& part, const RestBody& body, MatX& rigid, Substructure& result) {
  const Points& rest = part.system.rest;
  const double size = (rest.rowwise().maxCoeff() - rest.rowwise().minCoeff()).norm();
  const auto frame = part.shifts ? find_frame(rest, part.fixed, result.center, size) : std::nullopt;
  if (frame && frame->allowed.cols() == rigid.cols()) {
    result.floats = true;
    result.allowed = frame->allowed;
    result.center = frame->center;
    result.prescribed_motion = part.motion;
    return static_cast<Index>(rigid.cols());
  }
  const SolverSetup& solver = part.system.setup.solver;
  const std::vector<std::string> kinds = solver.subspaces();
  if (solver.cubature_rule == "all") {
    log::warning(
        "{} can turn, but not about one line or point; its modes describe bending only near the rest pose. Use "
        "solver.subspace \"eigenmodes\" if it bends after large turns",
        body.name());
    const MatX affine = affine_columns(part), before = std::move(rigid);
    rigid.resize(before.rows(), before.cols() + affine.cols());
    rigid << before, affine;
  } else if (std::ranges::find(kinds, "quadratic") == kinds.end()) {
    fail_input(code::subspace,
               "solver.subspace: {} can turn, but not about one line or point, which modes with fitted cubature cannot "
               "follow; use \"eigenmodes\", or solver.cubature \"all\"",
               body.name());
  }
  return 0;
}

// The vertices of each interface by their numbers among those of the body that move; interfaces without any are left
// out.
std::vector<std::vector<Index>> moving_vertices(const RestBody& body,
                                                const std::vector<std::vector<Index>>& interfaces) {
  std::vector<std::vector<Index>> moving(interfaces.size());
  for (std::size_t s = 0; s < interfaces.size(); ++s)
    for (const Index v : interfaces[s]) {
      const auto found = std::ranges::lower_bound(body.vertices(), v);
      if (found != body.vertices().end() && *found == v)
        moving[s].push_back(static_cast<Index>(found - body.vertices().begin()));
    }
  std::erase_if(moving, [](const auto& interface) { return interface.empty(); });
  return moving;
}

// The modes of a part, orthonormal in its mass:
//
// 1. Motions without strain R: rigid motions of a part that floats, or turns and slides where it is held.
// 2. Does a frame follow them (theory, section 9)? Then they leave the basis. If they are no group of rigid motions,
//    the basis keeps them together with the affine functions that vanish where the part is held.
// 3. U~ = [R | modes of solver.subspace | attachment modes of the interfaces].
// 4. Gram-Schmidt in the mass, U^T M U = I; frames then take R out again.
// 5. Rayleigh quotients Q_i = u_i^T K u_i, which training poses need (EP, section 6.1).
//
// Orthogonal to R, the modes leave c at the centre of mass and R(t) at the rotation that fits best.
void set_modes(const Part& part, const ModeSet& modes, const std::vector<std::vector<Index>>& interfaces,
               Substructure& result) {
  const Index n = part.system.dynamic_count;
  std::vector<RestBody> bodies = rest_bodies(part.system, part.fixed);
  if (bodies.empty()) {  // all of it is prescribed
    result.modes.resize(3 * n, 0);
    result.quotients.resize(0);
    return;
  }
  // Step 1.
  RestBody& body = bodies[0];
  result.floats = body.is_free() && !part.has_skeleton;
  MatX rigid = spread(body, body.rigid(), n);
  // Step 2.
  Index taken_out = body.is_free() ? 6 : 0;
  if (!result.floats && rigid.cols() > 0 && !part.system.setup.solver.warping)
    taken_out = follow_held_motions(part, body, rigid, result);
  if (body.is_free() && rigid.cols() > 6) {  // those of the whole before those about hinges
    const MatX about_hinges = std::move(rigid);
    rigid.resize(3 * n, 6 + about_hinges.cols());
    rigid << spread(body, body.turns_and_shifts(), n), about_hinges;
  }
  // Step 3.
  MatX all(3 * n, rigid.cols() + modes.vectors.cols());
  all << rigid, modes.vectors;
  if (!interfaces.empty()) {
    const MatX attached = spread(body, attachment_modes(body, moving_vertices(body, interfaces)), n);
    const auto before = all.cols();
    all.conservativeResize(3 * n, before + attached.cols());
    all.rightCols(attached.cols()) = attached;
  }
  // Step 4.
  MatX kept;
  const VecX mass = by_coordinate(result.mass);
  MassGramSchmidt(part.system.rest, mass, static_cast<Index>(all.cols()))
      .append(all, static_cast<Index>(all.cols()), kept);
  result.modes = taken_out > 0 ? MatX(kept.rightCols(kept.cols() - taken_out)) : std::move(kept);

  // Step 5.
  const MatX stiffness = reduced_stiffness(stiffness_at_rest(part.system), result.modes);
  result.quotients = stiffness.diagonal();
  if (part.system.setup.solver.warping) {
    result.turns = mode_turns(part.system, result.modes);
    result.stiffness = stiffness;
    result.tets = part.tets;
  }
  // What rounding leaves of rigid motions.
  const double stiffest = result.quotients.size() > 0 ? result.quotients.maxCoeff() : 0;
  for (double& quotient : result.quotients)
    if (quotient < rigid_quotient * stiffest) quotient = 0;
}

// Cubature of a part by the rule of solver.cubature (theory, section 9): all tets; optimised (An, Kim and James
// 2008); weights of energies; weights of forces by coordinate (EP, section 5). The candidates of the last two are
// spread evenly, one in each box of a grid. Rigid motions have Q_i = 0 and stay out of the poses, since they cause no
// forces.
Cubature train(const Part& part, Substructure& result) {
  const SolverSetup& solver = part.system.setup.solver;
  const Index points = reduced_points(part.system);
  Cubature cubature;
  TrainingOptions options;
  options.size = solver.training.size;
  options.poses = solver.training.poses;
  options.tolerance = solver.training.tolerance;
  if (solver.warping) return cubature;
  if (solver.cubature_rule == "all" || result.mode_count() == 0) {
    cubature = full_cubature(part.system.tet_count());
  } else if (solver.cubature_rule == "optimized") {
    OptimizedCubature trained =
        train_optimized(part.system, result.modes, result.quotients, points, solver.training.tolerance, options);
    cubature = std::move(trained.cubature);
    result.training_error = trained.error;
  } else {
    const Index tets = part.system.tet_count();
    Points middles(3, tets);
    VecX volumes(tets);
    for (Index t = 0; t < tets; ++t) {
      middles.col(t) = part.system.rest(Eigen::all, part.system.tets.col(t)).rowwise().mean();
      volumes[t] = tet_volume(part.system.rest, part.system.tets, t);
    }
    const VoxelSample sample = voxel_sample(middles, volumes, points);
    TrainedWeights trained =
        solver.cubature_rule == "energies"
            ? train_energy_weights(part.system, result.modes, result.quotients, sample.chosen, options)
            : train_modal_weights(part.system, result.modes, result.quotients, sample.chosen, options);
    cubature = std::move(trained.cubature);
    result.point_weights = std::move(trained.weights);
    result.poses = std::move(trained.poses);
    result.forces = std::move(trained.forces);
    result.training_error = trained.error;
  }
  for (Index& tet : cubature.tets) tet = part.tets[tet];
  return cubature;
}

// U_D of a part that is held (substructure.h).
void set_prescribed(const Part& part, const PrescribedAxes& axes, const std::vector<Index>& motions, const Vec3& center,
                    double radius, Substructure& result) {
  if (result.floats || motions.empty()) return;
  const Domain domain = make_domain(part.system, part.fixed);
  const Index n = part.system.dynamic_count;
  result.prescribed.setZero(3 * n, 4 * static_cast<Index>(motions.size()));
  for (int a = 0; a < 3; ++a) {
    std::vector<Index> motion(n);
    for (Index v = 0; v < n; ++v) motion[v] = axes.motion[a][part.vertices[v]];
    const HandleBasis handles = prescribed_handles(domain, motion, motions, center, radius);
    for (Index v = 0; v < n; ++v) {
      const Vec3 s = (part.system.rest.col(v) - center) / radius;
      for (auto e = handles.begin[v]; e < handles.begin[v + 1]; ++e) {
        auto row = result.prescribed.row(3 * v + a).segment<4>(4 * handles.handle[e]);
        row[0] = handles.weight[e];
        row.tail<3>() = handles.weight[e] * s.transpose();
      }
    }
  }
}

// Vertices that two parts share. Of n parts at a vertex consecutive ones are joined: n - 1 springs hold all of them.
std::vector<InterfaceSpring> find_interface_springs(const System& system, const std::vector<Substructure>& parts) {
  std::vector<std::vector<Index>> owners(system.dynamic_count);
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const Index v : parts[p].vertices) owners[v].push_back(static_cast<Index>(p));
  std::vector<InterfaceSpring> springs;
  for (Index v = 0; v < system.dynamic_count; ++v)
    for (std::size_t k = 1; k < owners[v].size(); ++k) springs.push_back({owners[v][k - 1], owners[v][k], v, 0});
  return springs;
}

}  // namespace

Index Substructure::local(Index vertex) const {
  const auto found = std::ranges::lower_bound(vertices, vertex);
  return found != vertices.end() && *found == vertex ? static_cast<Index>(found - vertices.begin()) : -1;
}

// U^T K U, made symmetric: its two triangles differ by rounding.
MatX reduced_stiffness(const SymBlockMatrix& K, const MatX& modes) {
  MatX images(modes.rows(), modes.cols());
  for (Eigen::Index i = 0; i < modes.cols(); ++i) K.multiply(modes.col(i).data(), images.col(i).data());
  const MatX product = weighted_product(modes, VecX::Ones(modes.rows()), images);
  return 0.5 * (product + product.transpose());
}

namespace {

// Harmonic functions are not level at lines and points: their gradient is singular there, and a part would not turn
// about a line that follows a motion. Where a component is held at several pieces with different motions, lines or
// points among them, the shares of the pieces (inverse squares of distances, subspace/free_motions.h) take their
// place. number: rows of x, the weights by free vertex.
void share_between_thin_pieces(const Domain& domain, const std::vector<Index>& vertex_motion,
                               const std::vector<Index>& motions, const std::vector<Index>& number, MatX& x) {
  Domain constrained = domain;
  for (std::size_t v = 0; v < constrained.fixed.size(); ++v) constrained.fixed[v] = vertex_motion[v] >= 0;
  const std::vector<FixedPiece> pieces = fixed_pieces(constrained, vertex_motion);
  const bool any = std::ranges::any_of(pieces, [](const FixedPiece& piece) { return piece.is_thin(); });
  const IndexLists vertices = any ? component_vertices(constrained) : IndexLists{};
  for (std::size_t begin = 0, end = 0; any && begin < pieces.size(); begin = end) {
    while (end < pieces.size() && pieces[end].component == pieces[begin].component) ++end;
    const std::span<const FixedPiece> own(pieces.data() + begin, end - begin);
    const auto motion_of = [&](const FixedPiece& piece) { return vertex_motion[piece.vertices[0]]; };
    if (std::ranges::none_of(own, [](const FixedPiece& piece) { return piece.is_thin(); }) ||
        std::ranges::all_of(own, [&](const FixedPiece& piece) { return motion_of(piece) == motion_of(own[0]); }))
      continue;
    const auto all = vertices[own[0].component];
    const MatX shares = piece_shares(constrained, own, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (number[all[i]] < 0) continue;
      x.row(number[all[i]]).setZero();
      for (std::size_t p = 0; p < own.size(); ++p) {
        const auto m = std::ranges::find(motions, motion_of(own[p])) - motions.begin();
        if (m < std::ssize(motions)) x(number[all[i]], m) += shares(static_cast<Index>(i), static_cast<Index>(p));
      }
    }
  }
}

// Mode files of solver.subspace, read for the whole system; empty sets for the other names.
std::vector<ModeSet> modes_of_files(const System& system, const PrescribedAxes& axes, const ModeCount& wanted) {
  std::vector<char> constrained(3 * static_cast<std::size_t>(system.dynamic_count));
  for (std::size_t c = 0; c < constrained.size(); ++c) constrained[c] = axes.fixed[c % 3][c / 3];
  const std::vector<std::string> names = system.setup.solver.subspaces();
  std::vector<ModeSet> files(names.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    if (is_mode_file(names[k])) files[k] = modes_of_file(names[k], system, constrained, wanted);
  return files;
}

// A part by its tets.
Part make_part(const System& system, std::span<const Index> tets, const std::vector<double>& volumes,
               const PrescribedAxes& axes) {
  Part part;
  part.tets.assign(tets.begin(), tets.end());
  part.system = part_of_system(system, part.tets, volumes, part.vertices);
  part.fixed.resize(3 * part.vertices.size());
  for (std::size_t c = 0; c < part.fixed.size(); ++c) part.fixed[c] = axes.fixed[c % 3][part.vertices[c / 3]];
  find_motion(system, axes, part);
  return part;
}

// Its vertices, masses and damping.
void set_masses(const System& system, const Part& part, Substructure& result) {
  result.vertices = part.vertices;
  result.mass = Eigen::Map<const VecX>(part.system.mass.data(), part.system.dynamic_count);
  for (Index v = 0; v < result.vertex_count(); ++v) result.center += result.mass[v] * part.system.rest.col(v);
  result.center /= result.mass.sum();
  result.mass_rate = system.bodies[part.system.vertex_body[0]].damping_mass;
}

// Vertices of the interface of part p with each neighbour, in the numbers of the part.
std::vector<std::vector<Index>> interfaces_of(const Substructures& all, Index p) {
  std::vector<Index> neighbours;
  std::vector<std::vector<Index>> interfaces;
  for (const InterfaceSpring& spring : all.interface_springs) {
    if (spring.first != p && spring.second != p) continue;
    const Index other = spring.first == p ? spring.second : spring.first;
    const auto found = std::ranges::find(neighbours, other);
    const auto s = static_cast<std::size_t>(found - neighbours.begin());
    if (found == neighbours.end()) {
      neighbours.push_back(other);
      interfaces.emplace_back();
    }
    interfaces[s].push_back(all.parts[p].local(spring.vertex));
  }
  return interfaces;
}

// What opposes the motion of each vertex alone, the mean over the axes [N/m].
VecX vertex_stiffness(const System& system) {
  const SymBlockMatrix K = stiffness_at_rest(system);
  VecX stiffness(system.dynamic_count);
  for (Index v = 0; v < system.dynamic_count; ++v) {
    const double* block = K.block(K.pattern().row_begin[v]);
    stiffness[v] = (block[0] + block[4] + block[8]) / 3;
  }
  return stiffness;
}

// Points of all parts in the order of tets; each part's keep theirs, which ascends.
void join_cubatures(const std::vector<Cubature>& of_part, Substructures& result) {
  struct Point {
    Index tet, part;
    double weight;
  };
  std::vector<Point> points;
  for (std::size_t p = 0; p < of_part.size(); ++p)
    for (Index e = 0; e < of_part[p].point_count(); ++e)
      points.push_back({of_part[p].tets[e], static_cast<Index>(p), of_part[p].weights[e]});
  std::ranges::sort(points, {}, [](const Point& point) { return std::pair(point.tet, point.part); });
  for (const Point& point : points) {
    result.parts[point.part].points.push_back(result.cubature.point_count());
    result.cubature.tets.push_back(point.tet);
    result.cubature.weights.push_back(point.weight);
  }
}

}  // namespace

// U_D, one handle for each prescribed motion m: the harmonic function
//
//   L w = 0 at free vertices,   w = 1 at the vertices of m,   w = 0 at those of other motions,
//
// with the Laplacian L weighted by stiffness. L_ff is factored once for all motions.
HandleBasis prescribed_handles(const Domain& domain, const std::vector<Index>& vertex_motion,
                               const std::vector<Index>& motions, const Vec3& center, double radius) {
  HandleBasis prescribed;
  const auto n = domain.vertex_count();
  if (motions.empty()) {
    prescribed.begin.assign(n + 1, 0);
    return prescribed;
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
    throw SimulationError(code::factorization, "the Laplacian of the free vertices cannot be factored");
  MatX x = free.empty() ? b : cholesky.solve(b);
  share_between_thin_pieces(domain, vertex_motion, motions, number, x);
  // Rows of weights by vertex, zeros left out.
  std::vector<std::vector<std::pair<Index, double>>> rows(n);
  for (Index v = 0; v < n; ++v) {
    for (Index m = 0; m < static_cast<Index>(motions.size()); ++m) {
      const double weight = number[v] >= 0 ? x(number[v], m) : vertex_motion[v] == motions[m] ? 1.0 : 0.0;
      if (weight != 0) rows[v].emplace_back(m, weight);
    }
  }
  prescribed.center.assign(motions.size(), center);
  prescribed.radius.assign(motions.size(), radius);
  set_rows(rows, prescribed);
  return prescribed;
}

// How many parts make_substructures() would make, without making them.
Index planned_parts(const System& system) {
  const Domain domain = make_domain(system, std::vector<char>(3 * static_cast<std::size_t>(system.dynamic_count), 0));
  if (system.setup.solver.domains <= domain.component_count) return domain.component_count;
  Index count = 0;
  for (const ComponentShare& share : component_shares(domain, domain_options(system))) count += share.clusters;
  return count;
}

// Substructures of dense modes (theory, section 9, "Domains"):
//
// 1. The tets of each part, its vertices, masses and centre c = sum m X / sum m.
// 2. Interfaces: vertices that parts share.
// 3. For each part by itself: its modes U, the handles U_D of what is prescribed, its cubature points and weights.
// 4. Interface springs, as stiff as the softer of the two parts opposes a motion of the vertex alone, trace(K_vv) /
//    3: stiffer ones would forbid what only one of the two has modes for.
// 5. The points of all parts in the order of their tets.
Substructures make_substructures(const System& system, const Domain& domain, const PrescribedAxes& axes,
                                 const std::vector<Index>& motions, const Vec3& center, double radius) {
  Index count = 0;
  const std::vector<Index> label = labels_of(system, domain, count);
  const IndexLists tets = grouped(label, count);
  const std::vector<double> volumes = vertex_volumes(system);
  // A part has fewer modes where it has less freedom, unless it is all there is.
  const SolverSetup& solver = system.setup.solver;
  const std::vector<std::string> names = solver.subspaces();
  const ModeCount wanted(reduced_handles(system), solver.handles > 0 && count == 1 ? "solver.handles" : "");
  const std::vector<ModeSet> files = modes_of_files(system, axes, wanted);
  Substructures result;
  result.parts.resize(count);
  // Step 1.
  std::vector<Part> parts;
  for (Index p = 0; p < count; ++p) {
    parts.push_back(make_part(system, tets[p], volumes, axes));
    parts.back().has_skeleton = system.skin_of(system.tet_body[tets[p].front()]) != nullptr;
    set_masses(system, parts[p], result.parts[p]);
  }
  // Step 2.
  result.interface_springs = find_interface_springs(system, result.parts);

  // Step 3.
  std::vector<Cubature> cubatures;
  std::vector<VecX> stiffness(count);  // of the motion of each vertex alone, where there are interfaces
  for (Index p = 0; p < count; ++p) {
    Substructure& sub = result.parts[p];
    const Part& part = parts[p];
    const std::vector<std::vector<Index>> interfaces = interfaces_of(result, p);
    std::vector<ModeSet> sets;
    for (std::size_t k = 0; k < names.size(); ++k)
      sets.push_back(is_mode_file(names[k]) ? modes_in_part(files[k], part)
                                            : straining_modes(names[k], part.system, part.fixed, wanted));
    set_modes(part, joined_modes(part.system, std::move(sets)), interfaces, sub);
    set_prescribed(part, axes, motions, center, radius, sub);
    cubatures.push_back(train(part, sub));
    if (!interfaces.empty()) stiffness[p] = vertex_stiffness(part.system);
  }
  // Step 4.
  for (InterfaceSpring& spring : result.interface_springs) {
    const double first = stiffness[spring.first][result.parts[spring.first].local(spring.vertex)];
    const double second = stiffness[spring.second][result.parts[spring.second].local(spring.vertex)];
    spring.stiffness = std::min(first, second);
  }
  // Step 5.
  join_cubatures(cubatures, result);
  if (std::ranges::all_of(result.parts, [](const Substructure& sub) { return sub.mode_count() == 0 && !sub.floats; }))
    fail_input(code::subspace, "solver.subspace: \"{}\" has no modes for these bodies", fmt::join(names, "\", \""));
  return result;
}

}  // namespace sinew
