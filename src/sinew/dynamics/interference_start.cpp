#include "sinew/dynamics/interference_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/contact/intersection.h"
#include "sinew/contact/surface_distance.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

constexpr int most_rounds = 30;
constexpr double clearance = 1.2;        // over the contact distance, which the yielding surface keeps
constexpr double squeeze = 0.25;         // of gaps, see find_wanted()
constexpr double crossing_step = 0.02;   // of an edge, by which a crossing retreats in a round
constexpr double shift = 1e-9;           // of the mean diagonal of K
constexpr double along_axis = 1 - 1e-6;  // component of a unit normal

// The collision mesh without the faces of bodies in planes of symmetry: those whose corners are all fixed along the
// face's normal. Nothing leaves a body there.
CollisionMesh without_symmetry_faces(const System& s, double time) {
  std::vector<std::array<bool, 3>> fixed(static_cast<std::size_t>(s.vertex_count()), std::array<bool, 3>{});
  for (const PrescribedVertex& p : s.prescribed)
    for (int k = 0; k < 3; ++k) fixed[p.vertex][k] = fixed[p.vertex][k] || (p.axes[k] && p.holds_at(time));
  CollisionMesh mesh = s.collision;
  const Triangles all = mesh.triangles;
  Index kept = 0;
  for (const auto& t : all.colwise()) {
    const Vec3 normal = (s.rest.col(t[1]) - s.rest.col(t[0])).cross(s.rest.col(t[2]) - s.rest.col(t[0])).normalized();
    bool of_symmetry = false;
    for (int k = 0; k < 3; ++k)
      of_symmetry |= std::abs(normal[k]) > along_axis && fixed[t[0]][k] && fixed[t[1]][k] && fixed[t[2]][k];
    if (!of_symmetry) mesh.triangles.col(kept++) = t;
  }
  mesh.triangles = Triangles(mesh.triangles.leftCols(kept));
  return mesh;
}

// Of a pair: the body that yields, and the owner that it leaves.
struct Yielding {
  Index body = -1, other = -1;
  const Interference* pair = nullptr;
};

class InterferenceStart {
 public:
  explicit InterferenceStart(System& system)
      : s_(system),
        state_(initial_state(system)),
        mesh_(without_symmetry_faces(system, state_.time)),
        distance_(mesh_),
        potential_(system, {.contact = false}) {
    prepare_step(s_, state_, end_of_step(s_, state_), s_.setup.time.step, context_);
    potential_.begin_step(context_, s_.contact_stiffness);
  }

  void find() {
    for (const Interference& pair : s_.interferences) yielding_.push_back(chosen(pair));
    displacement_ = Points::Zero(3, s_.dynamic_count);
    pushed_.assign(3 * static_cast<std::size_t>(s_.dynamic_count), 0);
    for (const PrescribedVertex& p : s_.prescribed)
      for (int k = 0; k < 3; ++k)
        if (p.axes[k] && p.holds_at(state_.time)) pushed_[3 * static_cast<std::size_t>(p.vertex) + k] = 1;
    prescribed_ = pushed_;
    find_wanted();
    for (int round = 0; round < most_rounds && (push() || push_crossings()); ++round) extend();
    require_apart();
    relax();
    require_apart();
    hold();
  }

 private:
  std::string name(Index owner) const { return mesh_.owner_names[owner]; }

  // The softer one of two bodies; a body beside an obstacle.
  Yielding chosen(const Interference& pair) const {
    const auto bodies = static_cast<Index>(s_.bodies.size());
    const auto can = [&](Index owner) {
      return owner < bodies && s_.bodies[owner].affine_volume == 0 && s_.bodies[owner].tet_count > 0 &&
             !s_.bodies[owner].collision_surface && !s_.bodies[owner].has_skeleton;
    };
    const auto softness = [&](Index owner) { return can(owner) ? mean_stiffness(owner) : forever; };
    const auto [a, b] = pair.owners;
    for (const Index owner : {a, b})
      if (owner < bodies && s_.bodies[owner].triangle_count > 0)
        fail_input(code::interference, "contact.interference: '{}' is cloth, which has no inside; name bodies of tets",
                   name(owner));
    if (!can(a) && !can(b))
      fail_input(code::interference,
                 "contact.interference: neither '{}' nor '{}' can yield: one of them must be a body of tets without "
                 "affine kinematics, skeleton or collision surface",
                 name(a), name(b));
    return softness(a) <= softness(b) ? Yielding{a, b, &pair} : Yielding{b, a, &pair};
  }

  double mean_stiffness(Index body) const {
    double volume = 0;
    for (Index t = 0; t < s_.elastic_tet_count(); ++t)
      if (s_.tet_body[t] == body) volume += 1;
    return volume > 0 ? s_.bodies[body].stiffness / volume : 0;
  }

  // The gap that each vertex is to have. A surface that is cut off at one height is flat, and so are tets with four
  // vertices there. The gaps g at rest, from the deepest -D on, are therefore compressed:
  //
  //   g' = keep + squeeze (g + D)   where that is larger than g.
  void find_wanted() {
    const Points x = start();
    distance_.update(x);
    find_normals(x);
    wanted_.assign(static_cast<std::size_t>(s_.dynamic_count), keep_);
    for (const Yielding& y : yielding_) {
      std::vector<std::pair<Index, double>> gaps;
      double deepest = 0;
      for (const Index v : mesh_.vertices) {
        if (mesh_.vertex_owner[v] != y.body || v >= s_.dynamic_count) continue;
        const double gap = gap_to(y.other, x, v, forever).first;
        gaps.emplace_back(v, gap);
        deepest = std::max(deepest, -gap);
      }
      for (const auto& [v, gap] : gaps) {
        const double compressed = keep_ + squeeze * (gap + deepest);
        if (compressed > gap) wanted_[v] = std::max(wanted_[v], compressed);
      }
      largest_wanted_ = std::max(largest_wanted_, (keep_ + squeeze * deepest) / (1 - squeeze));
    }
  }

  // Adds to the displacement of surface vertices what takes them out of the other owner. Returns whether any moved.
  bool push() {
    const Points x = start();
    distance_.update(x);
    find_normals(x);
    const double enough = 1e-3 * s_.contact_distance;
    Points demand = Points::Zero(3, s_.dynamic_count);
    const auto ask = [&](Index v, const Vec3& d) {
      if (v < s_.dynamic_count && d.squaredNorm() > demand.col(v).squaredNorm()) demand.col(v) = d;
    };
    for (const Yielding& y : yielding_) {
      for (const Index v : mesh_.vertices) {
        if (mesh_.is_sample(v)) continue;
        if (mesh_.vertex_owner[v] == y.body && v < s_.dynamic_count) {
          // Own vertices leave the other surface along its normal.
          const auto [gap, normal] = gap_to(y.other, x, v, largest_wanted_);
          if (gap < wanted_[v] - enough) ask(v, (wanted_[v] - gap) * normal);
        } else if (mesh_.vertex_owner[v] == y.other && distance_.has_triangles(y.body)) {
          // Where a vertex of the other is inside, the own triangle there retreats.
          if (distance_.box_distance(y.body, x.col(v)) > keep_) continue;
          const NearestPoint near = opposite(y.body, x, v, keep_);
          if (!counts(near, y.body) || !(near.distance < keep_ - enough)) continue;
          for (int k = 0; k < 3; ++k) ask(mesh_.triangles(k, near.triangle), -(keep_ - near.distance) * near.normal);
        }
      }
    }
    return take(demand);
  }

  // Where vertices are apart, edges and faces may still cross: saddles, corners. The yielding side of each crossing
  // retreats by a share of the edge.
  bool push_crossings() {
    const Points x = start();
    Points demand = Points::Zero(3, s_.dynamic_count);
    for (const Intersection& crossing : find_intersections(s_.collision, x)) {
      const auto edge = s_.collision.edges.col(crossing.edge);
      const auto t = s_.collision.triangles.col(crossing.triangle);
      const Vec3 normal = (x.col(t[1]) - x.col(t[0])).cross(x.col(t[2]) - x.col(t[0])).normalized();
      const double step = keep_ + crossing_step * (x.col(edge[1]) - x.col(edge[0])).norm();
      for (const Yielding& y : yielding_) {
        const bool own_edge = crossing.edge_owner == y.body && crossing.triangle_owner == y.other;
        const bool own_face = crossing.triangle_owner == y.body && crossing.edge_owner == y.other;
        for (int k = 0; k < 2 && own_edge; ++k)
          if (edge[k] < s_.dynamic_count) demand.col(edge[k]) = step * normal;
        for (int k = 0; k < 3 && own_face; ++k)
          if (t[k] < s_.dynamic_count) demand.col(t[k]) = -step * normal;
      }
    }
    return take(demand);
  }

  bool take(const Points& demand) {
    bool any = false;
    for (Index v = 0; v < s_.dynamic_count; ++v) {
      if (demand.col(v).isZero(0)) continue;
      for (int k = 0; k < 3; ++k) {
        const std::size_t c = 3 * static_cast<std::size_t>(v) + k;
        if (prescribed_[c]) continue;
        displacement_(k, v) += demand(k, v);
        pushed_[c] = 1;
        any = true;
      }
    }
    return any;
  }

  // The border of an open obstacle has no inside. A body's border lies in a plane of symmetry.
  bool counts(const NearestPoint& near, Index owner) const {
    return near.triangle >= 0 && (!near.on_border || owner < static_cast<Index>(s_.bodies.size()));
  }

  // The nearest point of an owner's surface for a vertex. If it is nearer than `wanted`, it must face the vertex's own
  // surface: where two bodies end in one plane, the ends would push each other out of that plane. Beyond the edge of
  // the faces that face it, a vertex goes along their normal if it is rather above them than beside them.
  NearestPoint opposite(Index owner, const Points& x, Index vertex, double wanted) const {
    const Vec3 p = x.col(vertex), own = normals_.col(vertex);
    const NearestPoint near = distance_.nearest(owner, x, p, s_.diagonal);
    if (near.triangle < 0 || near.distance > wanted || own.isZero(0)) return near;
    NearestPoint facing = distance_.nearest_facing(owner, x, p, own, s_.diagonal);
    if (facing.triangle < 0) return near;
    if (!facing.on_border) return facing;
    Vec3 foot = Vec3::Zero();
    for (int k = 0; k < 3; ++k) foot += facing.weights[k] * x.col(mesh_.triangles(k, facing.triangle));
    const auto t = mesh_.triangles.col(facing.triangle);
    const Vec3 normal = (x.col(t[1]) - x.col(t[0])).cross(x.col(t[2]) - x.col(t[0])).normalized();
    const double height = normal.dot(p - foot);
    if (std::abs(height) < 0.5 * (p - foot).norm()) return near;
    facing.distance = height;
    facing.normal = normal;
    facing.on_border = near.on_border;
    return facing;
  }

  // Unit normals of surface vertices: those of the faces around, weighted by area; zero without faces.
  void find_normals(const Points& x) {
    normals_ = Points::Zero(3, x.cols());
    for (const auto& t : mesh_.triangles.colwise()) {
      const Vec3 normal = (x.col(t[1]) - x.col(t[0])).cross(x.col(t[2]) - x.col(t[0]));
      for (int k = 0; k < 3; ++k) normals_.col(t[k]) += normal;
    }
    for (Index v = 0; v < normals_.cols(); ++v)
      if (const double length = normals_.col(v).norm(); length > 0) normals_.col(v) /= length;
  }

  // Signed distance to an owner's surface, or height over a plane, and the direction in which it grows. Infinity beyond
  // the distance `far` of its box.
  std::pair<double, Vec3> gap_to(Index owner, const Points& x, Index vertex, double far) const {
    const Vec3 p = x.col(vertex);
    for (std::size_t k = 0; k < mesh_.planes.size(); ++k)
      if (mesh_.planes[k].owner == owner)
        return {state_.planes[k].normal.dot(p - state_.planes[k].point), state_.planes[k].normal};
    if (!distance_.has_triangles(owner) || distance_.box_distance(owner, p) > far)
      return {std::numeric_limits<double>::infinity(), Vec3::Zero()};
    const NearestPoint near = opposite(owner, x, vertex, std::min(far, largest_wanted_));
    if (!counts(near, owner)) return {std::numeric_limits<double>::infinity(), Vec3::Zero()};
    return {near.distance, near.normal};
  }

  // The inside follows: K u = 0 at free coordinates, K the elastic Hessian at rest.
  void extend() {
    if (K_.rows() == 0) make_stiffness();
    Points given = displacement_, b(3, s_.dynamic_count), u = Points::Zero(3, s_.dynamic_count);
    const auto each = [&](auto&& f) {
      for (std::size_t c = 0; c < pushed_.size(); ++c) f(c);
    };
    each([&](std::size_t c) { given.data()[c] *= pushed_[c]; });
    K_.multiply(given.data(), b.data());
    each([&](std::size_t c) { b.data()[c] *= pushed_[c] ? 0 : -1; });
    SymBlockMatrix A = K_;
    A.constrain(pushed_, mean_);
    SparseCholesky solver;
    if (!solver.compute(A)) fail("its stiffness matrix is not positive definite");
    solver.solve(b.data(), u.data());
    each([&](std::size_t c) {
      if (!pushed_[c]) displacement_.data()[c] = u.data()[c];
    });
  }

  // A little of the mean diagonal holds bodies that the pushes alone do not hold.
  void make_stiffness() {
    potential_.elastic_hessian_at_rest(K_);
    const auto diagonal = [&](Index i) { return Eigen::Map<Mat3>(K_.block(K_.pattern().find(i, i))); };
    mean_ = 0;
    for (Index i = 0; i < K_.rows(); ++i) mean_ += diagonal(i).trace() / (3.0 * K_.rows());
    for (Index i = 0; i < K_.rows(); ++i) diagonal(i) += shift * mean_ * Mat3::Identity();
  }

  Points start() const {
    Points x = state_.x;
    x.leftCols(s_.dynamic_count) += displacement_;
    s_.place_followers(x);
    return x;
  }

  [[noreturn]] void fail(const std::string& why) const {
    std::string pairs;
    for (const Yielding& y : yielding_)
      pairs += fmt::format("{}'{}' in '{}'", pairs.empty() ? "" : ", ", name(y.body), name(y.other));
    fail_input(code::interference,
               "contact.interference: found no start without overlap for {}: {}; refine the meshes there, move the "
               "bodies so that they overlap less, or start from a state with \"initial\"",
               pairs, why);
  }

  void require_apart() const {
    const Points x = start();
    if (const double least = potential_.elastic().min_jacobian(x); !(least > 0))
      fail(fmt::format("a tet would be inverted (det F {:.2g})", least));
    const std::size_t crossing = find_intersections(s_.collision, x).size();
    const std::size_t below = find_below_planes(s_.collision, x, state_.planes).size();
    if (crossing > 0)
      fail(fmt::format("after {} rounds edges and faces still cross at {} places", most_rounds, crossing));
    if (below > 0) fail(fmt::format("after {} rounds {} vertices are still behind a plane", most_rounds, below));
  }

  // The elastic equilibrium of the inside with the pushed coordinates held: what linear elasticity leaves unbalanced at
  // large overlaps would be far larger than the forces of contact.
  void relax() {
    const auto copy = std::make_shared<System>(s_);
    Setup& setup = copy->setup;
    setup.time.integrator = Integrator::statics;
    setup.time.steps = 1;
    setup.contact.enabled = false;
    setup.gravity.setZero();
    setup.spin.reset();
    setup.solver.method = "newton";
    setup.solver.linear_solver.clear();
    for (SystemBody& body : copy->bodies) {
      body.acceleration.setZero();
      body.acceleration_keys = {};
    }
    copy->loads.clear();
    copy->springs.clear();
    copy->pulls.clear();
    copy->sensors.clear();
    copy->interferences.clear();
    copy->interference_start = displacement_;
    copy->prescribed.clear();
    const auto yields = [&](Index body) { return std::ranges::count(yielding_, body, &Yielding::body) > 0; };
    for (Index v = 0; v < s_.dynamic_count; ++v) {
      const char* axes = pushed_.data() + 3 * static_cast<std::size_t>(v);
      const bool whole = !yields(s_.vertex_body[v]);
      if (!whole && !axes[0] && !axes[1] && !axes[2]) continue;
      Motion motion;
      motion.translation = Keyframes{{0}, MatX(displacement_.col(v))};
      copy->motions.push_back(motion);
      copy->prescribed.push_back({v,
                                  {whole || axes[0] != 0, whole || axes[1] != 0, whole || axes[2] != 0},
                                  static_cast<Index>(copy->motions.size()) - 1});
    }
    Simulation simulation(copy);
    if (!simulation.step().converged) fail("the squeezed body finds no equilibrium");
    displacement_ = simulation.state().x.leftCols(s_.dynamic_count) - state_.x.leftCols(s_.dynamic_count);
  }

  // Bodies that yielded grow back to their mesh.
  void hold() {
    s_.interference_start = displacement_;
    s_.interference_steps.assign(s_.bodies.size(), 0);
    for (const Yielding& y : yielding_)
      s_.interference_steps[y.body] = std::max(s_.interference_steps[y.body], y.pair->over);
  }

  System& s_;
  State state_;
  CollisionMesh mesh_;  // for distances
  SurfaceDistance distance_;
  IncrementalPotential potential_;
  StepContext context_;
  std::vector<Yielding> yielding_;
  Points displacement_;           // of the vertices with equations [m]
  std::vector<char> prescribed_;  // coordinates of fixed vertices
  std::vector<char> pushed_;      // and those that were pushed: they have their displacements
  double keep_ = clearance * s_.contact_distance, largest_wanted_ = keep_;  // [m]
  std::vector<double> wanted_;  // by vertex with equations: gap that it is to have [m]
  Points normals_;              // of surface vertices, unit
  SymBlockMatrix K_;
  double mean_ = 0;  // of the diagonal of K
};

}  // namespace

void start_interferences(System& system) {
  if (!system.interferences.empty()) InterferenceStart(system).find();
}

}  // namespace sinew
