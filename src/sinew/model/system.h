// The model of a run: mesh, masses, materials, constraints, loads, collision mesh. Vertices and tets are renumbered for
// locality; to_user() and from_user() translate. It is constant during a step. Between steps only model/edit.h changes
// it.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/material/viscosity.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/model/collision_mesh.h"
#include "sinew/model/embedding.h"
#include "sinew/model/motion.h"
#include "sinew/model/setup.h"
#include "sinew/model/skin.h"
#include "sinew/model/tie.h"

namespace sinew {

// A range of consecutive tets with the same kind of elements and material model; if the model has curves, with the same
// material.
struct ElasticGroup {
  Elements elements = Elements::linear;
  std::shared_ptr<const MaterialModel> model;
  Index tet_begin = 0, tet_end = 0;
  std::vector<std::vector<double>> parameters;  // each of size 1, or one value for each tet
  std::vector<double> fiber_stiffness;          // [Pa], of size 1 or one for each tet; empty: no fibers
  std::vector<double> fiber_tension;            // active [Pa], as fiber_stiffness
  Points fiber_direction;                       // 3 x (1 or tets)
  MatX initial_stretch;                         // F at rest, row-major: 9 x (0, 1 or tets)
  std::vector<Points> families;                 // of fibers (material/fiber_family.h), as fiber_direction
  std::vector<double> expansion;                // of heat [1/K], of size 1 or one for each tet; empty: none
  Viscosity viscosity;                          // of all of its tets
  bool bulk_relaxes = true;                     // or viscosity leaves out k U(J) (MaterialModel::volume_part)
  bool flows = false;                           // has plastic strain
};

// The active tension of a material's fibers: activation times the most.
struct Muscle {
  double most = 0;                 // [Pa]
  double activation = 0;           // 0 to 1
  Keyframes activation_keys = {};  // 1 x k, replaces `activation` unless empty
  double length = 1;               // of fibers without stress, over that in the mesh
  Keyframes length_keys = {};      // 1 x k, replaces `length` unless empty
};

// Prescribed coordinates of one vertex.
struct PrescribedVertex {
  Index vertex = 0;  // simulation numbering
  std::array<bool, 3> axes{true, true, true};
  Index motion = 0;        // into System::motions
  double until = forever;  // [s]
  bool by_edit = false;    // prescribed while the simulation ran; the motion belongs to this vertex alone
  Index entry = -1;        // of its body's fixes; -1: by an edit
  Index place = -1;        // among the vertices of the fix; -1: by an edit

  bool holds_at(double time) const { return time <= until * (1 + 1e-12); }
};

struct FaceLoad {
  Index body = -1, entry = -1;  // into bodies, and into the body's loads
  LoadKind kind = LoadKind::traction;
  Triangles faces;            // simulation numbering
  Index quadratic_faces = 0;  // faces of ten-node tets, which come first: four parts each (mesh/quadratic_face.h)
  Points corner_area;         // 3 x faces: what each corner of each face has of the area at rest [m^2]
  double total_area = 0;      // rest [m^2]
  Vec3 vector = Vec3::Zero();
  bool follows = false;       // as in LoadSetup
  std::optional<Vec3> point;  // as in LoadSetup
  double pressure = 0;
  GasSetup gas;
  double gas_side = 0;  // of a gas: its volume over that which the faces enclose, 1 or -1
  WindSetup wind;
  bool from_outside = false;  // a wind meets the faces of closed bodies from outside, those of cloth from both sides
  Keyframes factor, vector_keys;

  // The traction, moment or force at a time. Without keyframes it is multiplied by `ramp`.
  Vec3 traction(double time, double ramp) const {
    Vec3 result = vector_keys.empty() ? vector : Vec3(vector_keys.at(time));
    if (!factor.empty()) result *= factor.at(time)[0];
    if (kind == LoadKind::force) result /= total_area;  // the traction whose sum is the force
    if (vector_keys.empty() && factor.empty()) result *= ramp;
    return result;
  }
};

struct Spring {
  Index body = -1, entry = -1;  // into bodies, and into the body's springs; -1: a pull
  Index vertex = 0;             // simulation numbering
  std::vector<Index> others;    // the other end is their weighted mean; empty: `point`
  std::vector<double> weights;  // by vertex of `others`, with sum 1; empty: equal weights
  Vec3 point = Vec3::Zero();    // [m]
  Index motion = -1;            // motion of the point, into System::motions; -1: none
  double stiffness = 0;         // [N/m]
  double length = 0;            // [m]
  Keyframes length_keys = {};   // 1 x k, replaces `length` unless empty
  double until = forever;
  double point_weight = 1;  // factor on the motion's shift: not 1 if the point is a sum of points

  double weight(std::size_t other) const {
    return weights.empty() ? 1.0 / static_cast<double>(others.size()) : weights[other];
  }
};

// A spring of zero length between a vertex and a target that a viewer or script chooses.
struct Pull {
  Index vertex = 0;            // simulation numbering
  Vec3 target = Vec3::Zero();  // [m]
  double stiffness = 0;        // [N/m]
};

// Identifies a pull: the viewer (0: a script), and the viewer's number of the pull.
struct PullKey {
  int client = 0, id = 0;
  auto operator<=>(const PullKey&) const = default;
};

// Spring k/2 (|x_a - x_b| - l)^2 between two vertices of a body with material mass_spring. Edges of two materials have
// a spring for each material.
struct EdgeSpring {
  Index a = 0, b = 0;    // simulation numbering, a < b
  Index material = 0;    // into material_names
  bool bending = false;  // across an edge of a cloth instead of along an edge
  double length = 0;     // at rest [m]
  // Sum of V_e / l^2 over its elements [m]. Times Young's modulus it is the stiffness.
  double section = 0;
  double stiffness = 0;  // k [N/m]
  double longest = 0;    // length that it never reaches (potential/stretch_limit.h) [m]; 0: none
};

// The temperature of a tet: SystemBody::heat[source], and the entry of its field; source -1: that of the mesh.
struct TetHeat {
  Index source = -1, entry = 0;
};

// A fix of a body, as edits find it.
struct FixEntry {
  std::string name;             // empty: none
  Index motion = -1;            // into System::motions
  std::vector<Index> vertices;  // body numbering, in the order of the scene's selection
  double until = forever;       // [s]
  bool symmetry = false;
};

// Forces that act on vertices in one step, beside all others.
struct AddedForces {
  std::vector<Index> vertices;  // ascending, simulation numbering
  Points forces;                // 3 x vertices [N]
  double begin = 0, until = 0;  // of the step [s]

  bool act_at(double time) const { return !vertices.empty() && time > begin && time <= until * (1 + 1e-12); }
};

struct SystemBody {
  std::string name;
  Index user_begin = 0, vertex_count = 0;          // in user numbering over all bodies, including unused nodes
  Index tet_user_begin = 0, tet_count = 0;         // in user numbering of tets
  Index quadratic_begin = 0, quadratic_count = 0;  // in user_quadratic_tets, whose parts are its tets
  Index triangle_begin = 0, triangle_count = 0;    // range of a cloth in System::triangles
  double cloth_volume = 0, thickness = 0;          // of a cloth: volume at rest [m^3] and mean thickness [m]; else 0
  double affine_volume = 0;                        // volume of an affine body [m^3]; else 0
  std::vector<HeatSetup> heat;                     // as in BodySetup
  HeatSetup swelling;
  double damping_mass = 0, damping_stiffness = 0;
  bool collision_surface = false;               // contact uses a separate surface in place of the mesh's boundary
  std::shared_ptr<const RenderSurface> render;  // drawn in place of the mesh's boundary
  bool has_skeleton = false;
  double stiffness = 0;  // integral of Young's modulus over the body [J]
  Vec3 acceleration = Vec3::Zero();
  Keyframes acceleration_keys;
  std::vector<FixEntry> fixes;
  std::vector<std::string> load_names, spring_names;  // by entry; empty: none
};

// A pair that overlaps at rest: owners as in CollisionMesh.
struct Interference {
  std::array<Index, 2> owners{-1, -1};
  int over = 1;  // number of steps in which it is pressed apart
};

// The cut through a bolt (model/bolt.h): linear tets with vertices on both sides, and ten-node tets as their parts.
struct Bolt {
  Index body = -1, entry = -1;  // into bodies, and into the body's bolts
  std::vector<Index> tets;      // ascending
  Points gradient;              // 3 x tets: that of the function that is 0 before and 1 behind the cut [1/m]
  double area = 0;              // of the cut at rest [m^2]
  BoltSetup setup;
};

struct System {
  Setup setup;  // without the meshes of the bodies

  // Vertices [0, dynamic_count) have equations: those of the bodies' tets and cloth. Next come vertices of bodies that
  // follow them, up to body_vertex_count(), the surface samples of convergent contact last, and then the obstacles'
  // vertices.
  Index dynamic_count = 0;
  Embedding embedding;
  Points rest;               // 3 x n_all [m]
  std::vector<double> mass;  // lumped, dynamic_count [kg]
  // 4 x m, sorted by elastic group; tets of material mass_spring have no group and come last. Groups are sorted by
  // their kind of elements. A ten-node tet is eight consecutive tets here.
  Tets tets;
  // 10 x q, whose tets follow each other from quadratic_begin() on.
  QuadraticTets quadratic_tets;
  std::vector<ElasticGroup> groups;
  std::vector<Index> tet_body;      // by tet, into bodies
  std::vector<Index> tet_material;  // by tet, into material_names
  std::vector<TetHeat> tet_heat;    // by tet; empty: no body has heat
  std::vector<std::string> material_names;
  std::vector<Look> material_looks;  // by material
  // By material: the user's parameters that vary over its tets, in the order of tet_to_user.
  std::map<std::string, std::map<std::string, std::vector<double>>> material_fields;
  std::map<std::string, Muscle> muscles;  // by material: those with an active tension
  std::vector<Index> vertex_body;         // by vertex of the bodies, into bodies

  // Bodies of material mass_spring.
  std::vector<EdgeSpring> edge_springs;  // ascending in (a, b)
  Triangles triangles;                   // 3 x f, cloth, in the user's order over all bodies
  std::vector<Index> triangle_material;  // by triangle, into material_names

  std::vector<SystemBody> bodies;
  std::vector<Skin> skins;  // of bodies with a skeleton
  Points initial_velocity;  // 3 x dynamic_count [m/s]

  std::vector<Motion> motions;
  std::vector<PrescribedVertex> prescribed;
  std::vector<FaceLoad> loads;
  std::vector<Tie> ties;
  std::shared_ptr<const Embedding> tied;  // vertices tied while all ties hold; null: no ties
  std::vector<Spring> springs;            // those of the scene, then pulls
  std::vector<PullKey> pulls;             // by pull: its owner
  AddedForces added_forces;
  std::vector<Sensor> sensors;
  std::vector<Bolt> bolts;

  // Obstacles.
  std::vector<Index> obstacle_vertex_motion;  // by obstacle vertex: index into motions
  std::vector<PlaneSetup> planes;             // at rest, in the order of CollisionMesh::planes
  std::vector<Index> plane_motion;            // by plane: index into motions
  std::vector<Index> obstacle_motion;         // by obstacle of the scene: index into motions
  std::vector<Index> obstacle_size;           // by obstacle: number of vertices of its mesh; 0: a plane
  std::vector<std::string> friction_names;    // by row of CollisionMesh::friction: material or obstacle

  CollisionMesh collision;

  // Pairs that overlap at rest (dynamics/interference_start.h). All three are empty without such pairs.
  std::vector<Interference> interferences;
  Points interference_start;            // 3 x dynamic_count, displacements that take them apart [m]
  std::vector<int> interference_steps;  // by body: number of steps over which it grows back; 0: it does not yield

  // Contact and scale.
  double contact_distance = 0;   // dhat [m]
  double contact_stiffness = 0;  // kappa [Pa]: given, or the automatic initial value
  bool automatic_stiffness = true;
  bool adaptive_stiffness = true;  // whether kappa grows in steps
  double diagonal = 0;             // diagonal of the bounding box of all bodies [m]

  // Numbering of the bodies' vertices and tets as in the user's files, over all bodies in scene order.
  Index user_vertex_count = 0, user_tet_count = 0;
  Points user_rest;  // 3 x user_vertex_count, including unused nodes
  // By vertex of the bodies; -1: not in a mesh of the user (control points, collision surfaces, surface samples).
  std::vector<Index> vertex_to_user;
  // By vertex of collision surfaces, which come just before the samples: its number in the surface's file.
  std::vector<Index> collision_vertex_to_own;
  std::vector<Index> tet_to_user;             // by tet; -1: the control tet of an affine body
  Tets user_tets;                             // 4 x user_tet_count, vertices in user numbering
  QuadraticTets user_quadratic_tets;          // 10 x q, as `user_tets`; each is eight of those
  Triangles user_triangles;                   // 3 x f, as `triangles`, vertices in user numbering
  std::vector<Index> obstacle_vertex_to_own;  // by obstacle vertex: its number in the obstacle's mesh

  Index vertex_count() const { return static_cast<Index>(rest.cols()); }
  Index body_vertex_count() const { return dynamic_count + embedding.count(); }
  Index collision_surface_begin() const {
    return body_vertex_count() - static_cast<Index>(collision.sample_corners.cols() + collision_vertex_to_own.size());
  }
  bool on_collision_surface(Index vertex) const {
    return vertex >= collision_surface_begin() &&
           vertex < collision_surface_begin() + static_cast<Index>(collision_vertex_to_own.size());
  }
  Index obstacle_vertex_count() const { return vertex_count() - body_vertex_count(); }
  Index tet_count() const { return static_cast<Index>(tets.cols()); }
  Index triangle_count() const { return static_cast<Index>(triangles.cols()); }
  // The number of tets with an energy density, which come first.
  Index elastic_tet_count() const { return groups.empty() ? 0 : groups.back().tet_end; }
  Index quadratic_begin() const {
    return elastic_tet_count() - parts_of_quadratic * static_cast<Index>(quadratic_tets.cols());
  }
  // The ten-node tet that holds tet t; -1: it is a linear tet.
  Index quadratic_of(Index t) const {
    return t < quadratic_begin() || t >= elastic_tet_count() ? -1 : (t - quadratic_begin()) / parts_of_quadratic;
  }
  // Whether all tets are linear ones.
  bool all_linear() const { return groups.empty() || groups.back().elements == Elements::linear; }
  // Whether a material has plastic strain.
  bool flows() const {
    return std::ranges::any_of(groups, [](const ElasticGroup& group) { return group.flows; });
  }
  std::size_t scene_spring_count() const { return springs.size() - pulls.size(); }
  Pull pull(std::size_t number) const {
    const Spring& spring = springs[scene_spring_count() + number];
    return {spring.vertex, spring.point, spring.stiffness};
  }

  // The skin of a body; null: it has no skeleton.
  const Skin* skin_of(Index body) const {
    for (const Skin& skin : skins)
      if (skin.body() == body) return &skin;
    return nullptr;
  }

  // Moves tied vertices and the followers of `embedding` to the positions that the followed vertices give. x:
  // positions, displacements or velocities (3 x body_vertex_count() or more).
  void place_followers(Points& x) const { place_followers(x, tied.get()); }
  void place_followers(Points& x, const Embedding* ties) const {
    if (ties) ties->place(x);
    embedding.place(x);
  }

  // Converts positions, velocities or forces (3 x body_vertex_count() or more) to the user's numbering. Unused nodes
  // get `fill` (for example user_rest) or zero. Modes may be 3 x dynamic_count; followers then get their values from
  // the vertices that they follow.
  Points to_user(const Points& values, const Points* fill = nullptr) const;
  // Converts positions or velocities from the user's numbering; returns 3 x body_vertex_count(). Control points get the
  // nearest affine motion, by least squares over their followers.
  Points from_user(const Points& values) const;
  // Moves forces (3 x dynamic_count or body_vertex_count()) to vertices of the user's meshes; returns 3 x
  // body_vertex_count(). Forces on collision surfaces move to the vertices that these follow. Forces on control points
  // become the smallest forces on their followers with equal sum and moment.
  Points forces_on_shown(const Points& forces) const;
};

// Checks the setup, renumbers for locality and computes all derived data. Throws InputError.
std::shared_ptr<System> build_system(Setup setup);

}  // namespace sinew
