#include "sinew/dynamics/given_state.h"

#include <algorithm>
#include <cmath>

#include "sinew/contact/intersection.h"
#include "sinew/contact/layer_overlap.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/methods.h"
#include "sinew/model/naming.h"
#include "sinew/potential/elastic_energy.h"
#include "sinew/potential/inverted_tets.h"
#include "sinew/potential/stretch_limit.h"

namespace sinew {
namespace {

// Of surfaces that just touch: the motion that messages advise, over the distance at which they touch.
constexpr double least_motion = 1e-6;

// Numbers beyond this overflow in energies and single precision boxes; the bound is that of a scene's numbers.
constexpr double largest_number = 1e12;

// Refuses arrays of another size, and numbers that are not finite or beyond the bound.
void check_values(const System& system, const Points& values, const char* what, const char* unit) {
  if (values.cols() != system.body_vertex_count())
    fail_input(code::argument, "{}: found {} vertices, expected the {} of the simulation", what, values.cols(),
               system.body_vertex_count());
  for (Index i = 0; i < values.cols(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(values(k, i)) <= largest_number))
        fail_input(code::argument, "{}: found {:g} at {}, expected finite numbers with a magnitude of at most {:g} {}",
                   what, values(k, i), vertex_text(system, i), largest_number, unit);
}

// Of the scene's diagonal: how far tied vertices may be from where they follow to, for they go through single
// precision.
constexpr double together_within = 1e-5;

// In positions that are given from outside, ties that may end and whose faces are not together have ended.
void end_ties_apart(const System& system, State& state) {
  Points together = state.x;
  system.place_followers(together, held_vertices(system, state.held).get());
  for (std::size_t t = 0; t < state.held.size(); ++t) {
    if (!state.held[t]) continue;
    double apart = 0;
    for (const Index v : system.ties[t].vertices) apart = std::max(apart, (together.col(v) - state.x.col(v)).norm());
    if (apart <= together_within * system.diagonal) continue;
    if (!system.ties[t].may_end())
      fail_input(code::argument,
                 "positions: the faces of ties[{}], on bodies '{}' and '{}', are {:.3g} m apart; give positions that "
                 "keep them together",
                 t, system.bodies[system.ties[t].body].name, system.bodies[system.ties[t].to].name, apart);
    state.held[t] = 0;
  }
}

// A primitive and its owner.
std::string layer_place(const System& system, std::span<const Index> vertices, Index owner) {
  return fmt::format("{} of {}", primitive_text(system, vertices), owner_text(system, owner));
}

// Meshes that are nearer than the thicknesses of their owners, or folds and edges of one that are.
void refuse_layer_overlaps(const System& system, const State& state, const std::string& when) {
  const CollisionMesh& mesh = system.collision;
  const std::vector<LayerOverlap> overlaps = find_layer_overlaps(mesh, state.x, state.planes, state.held);
  if (overlaps.empty()) return;
  const LayerOverlap& one = overlaps[0];
  const std::string place = place_text(state.x.col(one.v[0]));
  if (one.a == one.b) {
    const std::string& name = mesh.owner_names[one.a];
    const double thickness = system.setup.contact.thickness.at(name);
    fail_input(code::start_intersection,
               "{}: contact.thickness of {}: {} and {}, which share no vertex, are {:.4g} m apart at {}, but its "
               "surfaces touch at {:.4g} m. In all {} pairs are too close. Use a thickness below {:.2g} m, a coarser "
               "mesh without tight folds, or no contact with itself (contact.self false, or contact.ignore "
               "[[\"{}\", \"{}\"]])",
               when, owner_text(system, one.a), primitive_text(system, one.first_primitive()),
               primitive_text(system, one.second_primitive()), one.distance, place, one.offset, one.count,
               0.9 * thickness * one.distance / one.offset, name, name);
  }
  const bool on_plane = one.second_primitive()[0] < 0;
  const std::string first = layer_place(system, one.first_primitive(), mesh.vertex_owner[one.v[0]]);
  const Index other =
      on_plane ? (mesh.vertex_owner[one.v[0]] == one.a ? one.b : one.a) : mesh.vertex_owner[one.second_primitive()[0]];
  const std::string second =
      on_plane ? "the plane of " + owner_text(system, other) : layer_place(system, one.second_primitive(), other);
  fail_input(code::start_intersection,
             "{}: contact.thickness: {} at {} is {:.4g} m from {}, but with their thicknesses they touch at {:.4g} m. "
             "In all {} pairs are too close. Move them apart by more than {:.4g} m, use a smaller "
             "thickness, or list the pair in contact.ignore",
             when, first, place, one.distance, second, one.offset, one.count,
             std::max(one.offset - one.distance, least_motion * one.offset));
}

// Whether a coordinate follows its motion in the next step, which undoes what is assigned to it.
bool holds_next(const System& system, const PrescribedVertex& prescribed, const Clock& clock) {
  const TimeSetup& time = system.setup.time;
  const bool statics = time.integrator == Integrator::statics;
  return prescribed.holds_at(statics ? (clock.step + 1.0) / time.steps : clock.time + time.step);
}

// Positions that go through single precision on their way differ by its rounding. Velocities that rules of time give to
// one motion differ by more.
constexpr double single_rounding = 1e-6, other_velocity = 0.05;

}  // namespace

void refuse_intersections(const System& system, const State& state, const std::string& when) {
  const Points& x = state.x;
  if (!system.setup.contact.enabled || system.setup.contact.model == ContactKind::penalty) return;
  const CollisionMesh& mesh = system.collision;
  const char* remedy =
      "move the bodies apart (sinew check SCENE --intersections FILE.vtu lists all intersections and writes them as a "
      "mesh to look at)";
  const std::vector<Intersection> pairs = find_intersections(mesh, x, state.held);
  if (!pairs.empty()) {
    const Intersection& first = pairs[0];
    fail_input(code::start_intersection, "{}: {} of {} crosses {} of {} at {}, and {} more such pairs; {}", when,
               primitive_text(system, {&mesh.edges(0, first.edge), 2}), owner_text(system, first.edge_owner),
               primitive_text(system, {&mesh.triangles(0, first.triangle), 3}),
               owner_text(system, first.triangle_owner), place_text(intersection_point(mesh, x, first)),
               pairs.size() - 1, remedy);
  }
  const std::vector<BelowPlane> below = find_below_planes(mesh, x, state.planes);
  if (!below.empty()) {
    const Index owner = mesh.planes[below[0].plane].owner;
    fail_input(code::start_intersection, "{}: {} at {} lies {:.3g} m below the plane of {}, and {} more vertices; {}",
               when, vertex_text(system, below[0].vertex), place_text(x.col(below[0].vertex)), 0 - below[0].height,
               owner_text(system, owner), below.size() - 1, remedy);
  }
  refuse_layer_overlaps(system, state, when);
}

bool has_elastic_energy(const System& system, const Points& x) {
  return ElasticEnergy(system).value(x) < forever;
}

void refuse_overstretched(const System& system, const Points& x) {
  const std::vector<Index> edges = overstretched(system, x);
  if (edges.empty()) return;
  fail_input(code::start_inverted,
             "positions: {}, and {} more edges are at or beyond their limits; start less stretched, or raise the "
             "material's stretch_limit",
             stretch_text(system, system.edge_springs[edges[0]], x), edges.size() - 1);
}

void refuse_tighter_limit(const System& system, const MaterialEdit& edit, const Points& x) {
  const auto limit = edit.parameters.find("stretch_limit");
  if (limit == edit.parameters.end() || limit->second.size() != 1 || !(limit->second[0] > 0)) return;
  const double share = limit->second[0];
  for (EdgeSpring spring : system.edge_springs) {
    if (system.material_names[spring.material] != edit.material || spring.bending) continue;
    spring.longest = (1 + share) * spring.length;
    if (!is_overstretched(spring, x)) continue;
    fail_input(code::edit,
               "materials.{}.stretch_limit: found {:g}, but {}; choose a larger limit, or let the body relax first",
               edit.material, share, stretch_text(system, spring, x));
  }
}

void set_given_positions(const System& system, const Points& x, State& state) {
  check_values(system, x, "positions", "m");
  state.x.leftCols(x.cols()) = x;
  end_ties_apart(system, state);
  system.place_followers(state.x, held_vertices(system, state.held).get());
  drop_history(state);
  if (!has_coarse_contact(system.setup.solver)) refuse_intersections(system, state, "the given positions intersect");
  refuse_overstretched(system, state.x);
  if (has_elastic_energy(system, state.x)) return;
  for (const InvertedTet& inverted : inverted_tets(system, state.x)) {
    if (inverted.allowed) continue;
    fail_input(code::start_inverted,
               "positions: a tet is inverted or flat, which its material does not allow: det F = {:.2g} of {} at {}; "
               "start from another state, or use the model stable_neo_hookean",
               inverted.jacobian, tet_text(system, inverted.tet),
               place_text(state.x.col(system.tets(0, inverted.tet))));
  }
  fail_input(code::start_inverted, "positions: a tet is inverted or flat, which its material does not allow");
}

void set_given_velocities(const System& system, const Points& v, State& state) {
  check_values(system, v, "velocities", "m/s");
  state.v.leftCols(v.cols()) = v;
  system.place_followers(state.v, held_vertices(system, state.held).get());
  drop_history(state);
}

void keep_prescribed_positions(const System& system, const Points& now, const Clock& clock, Points& x) {
  check_values(system, x, "positions", "m");
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!holds_next(system, prescribed, clock)) continue;
    const Index v = prescribed.vertex;
    const double rounding = single_rounding * std::max(system.diagonal, now.col(v).cwiseAbs().maxCoeff());
    for (int k = 0; k < 3; ++k) {
      if (!prescribed.axes[k]) continue;
      if (!(std::abs(x(k, v) - now(k, v)) <= rounding))
        fail_input(code::edit,
                   "positions: {} is prescribed ({}): found {} = {:.6g} m, expected its position {:.6g} m, since the "
                   "next step would move the vertex back; {}",
                   vertex_text(system, v), prescribed.by_edit ? "held by fix()" : "\"fix\" of the scene", "xyz"[k],
                   x(k, v), now(k, v),
                   prescribed.by_edit
                       ? "release the vertex with unfix(), or keep its position"
                       : "give its \"fix\" a \"motion\" in the scene, or release the vertex with unfix() first");
      x(k, v) = now(k, v);
    }
  }
}

Index keep_prescribed_velocities(const System& system, const Points& now, const Clock& clock, Points& v) {
  check_values(system, v, "velocities", "m/s");
  std::vector<char> kept(static_cast<std::size_t>(now.cols()), 0);
  const double fastest =
      v.size() > 0 ? std::max(now.leftCols(v.cols()).cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff()) : 0;
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!holds_next(system, prescribed, clock)) continue;
    for (int k = 0; k < 3; ++k) {
      double& given = v(k, prescribed.vertex);
      const double own = now(k, prescribed.vertex);
      if (!prescribed.axes[k]) continue;
      if (std::abs(given - own) > other_velocity * std::abs(own) + single_rounding * fastest)
        kept[prescribed.vertex] = 1;
      given = own;
    }
  }
  return static_cast<Index>(std::ranges::count(kept, 1));
}

}  // namespace sinew
