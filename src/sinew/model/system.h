// The model of a run: mesh, masses, materials, constraints, loads, collision mesh. Vertices and tets are renumbered for
// locality; `to_user`/`from_user` translate. It is constant in a step; between steps only model/edit.h changes it.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/collision_mesh.h"
#include "sinew/model/embedding.h"
#include "sinew/model/motion.h"
#include "sinew/model/setup.h"
#include "sinew/model/tie.h"

namespace sinew {

// A run of consecutive tets of one material model; of a model with curves, of one material.
struct ElasticGroup {
  std::shared_ptr<const MaterialModel> model;
  Index tet_begin = 0, tet_end = 0;
  std::vector<std::vector<double>> parameters;  // each of size 1 or tet_end - tet_begin
  std::vector<double> fiber_stiffness;          // [Pa]; empty: no fibers; else size 1 or tets
  Points fiber_direction;                       // 3 x (1 or tets)
};

// Prescribed coordinates of one vertex.
struct PrescribedVertex {
  Index vertex = 0;  // simulation numbering
  std::array<bool, 3> axes{true, true, true};
  Index motion = 0;        // into System::motions
  double until = forever;  // [s]
  bool by_edit = false;    // prescribed while the simulation ran: the motion is of this vertex alone

  bool holds_at(double time) const { return time <= until * (1 + 1e-12); }
};

struct FaceLoad {
  LoadKind kind = LoadKind::traction;
  Triangles faces;                // simulation numbering
  std::vector<double> face_area;  // rest [m^2]
  double total_area = 0;          // rest [m^2]
  Vec3 vector = Vec3::Zero();
  double pressure = 0;
  Keyframes factor, vector_keys;

  // The traction or force at a time [Pa]; one without keyframes is multiplied by `ramp`.
  Vec3 traction(double time, double ramp) const {
    Vec3 result = vector_keys.empty() ? vector : Vec3(vector_keys.at(time));
    if (!factor.empty()) result *= factor.at(time)[0];
    if (kind == LoadKind::force) result /= total_area;  // the traction that adds up to the force
    if (vector_keys.empty() && factor.empty()) result *= ramp;
    return result;
  }
};

struct Spring {
  Index vertex = 0;             // simulation numbering
  std::vector<Index> others;    // the other end is their mean; empty: the point
  std::vector<double> weights;  // of the others, of sum 1; empty: all alike
  Vec3 point = Vec3::Zero();    // [m]
  Index motion = -1;            // of the point
  double stiffness = 0;         // [N/m]
  double length = 0;            // [m]
  double until = forever;
  double point_weight = 1;  // of the motion's shift: other than 1 where the point is a sum of points

  double weight(std::size_t other) const {
    return weights.empty() ? 1.0 / static_cast<double>(others.size()) : weights[other];
  }
};

// A spring without length between a vertex and a place that a viewer or script chooses.
struct Pull {
  Index vertex = 0;            // simulation numbering
  Vec3 target = Vec3::Zero();  // [m]
  double stiffness = 0;        // [N/m]
};

// The owner of a pull: the viewer (0: a script), and its own number of the pull.
struct PullKey {
  int client = 0, id = 0;
  auto operator<=>(const PullKey&) const = default;
};

// k/2 (|x_a - x_b| - l)^2 between two vertices of a body with material mass_spring. Edges of two materials have a
// spring for each.
struct EdgeSpring {
  Index a = 0, b = 0;    // simulation numbering, a < b
  Index material = 0;    // into material_names
  bool bending = false;  // across an edge of a cloth instead of along one
  double length = 0;     // [m], at rest
  double section = 0;    // sum V_e / l^2 over its elements [m]: times Young's modulus the stiffness
  double stiffness = 0;  // k [N/m]
};

struct SystemBody {
  std::string name;
  Index user_begin = 0, vertex_count = 0;        // in user numbering, over all bodies (unused nodes included)
  Index tet_user_begin = 0, tet_count = 0;       // in user numbering of tets
  Index triangle_begin = 0, triangle_count = 0;  // of a cloth, in System::triangles
  double cloth_volume = 0, thickness = 0;        // of a cloth at rest [m^3], and the mean [m]; else 0
  double affine_volume = 0;                      // of an affine body [m^3]; else 0
  double damping_mass = 0, damping_stiffness = 0;
  bool collision_surface = false;               // contact acts on a surface of its own in place of the mesh's boundary
  std::shared_ptr<const RenderSurface> render;  // is drawn in place of the mesh's boundary
  double stiffness = 0;                         // integral of Young's modulus over the body [J]
  Vec3 acceleration = Vec3::Zero();
  Keyframes acceleration_keys;
};

struct System {
  Setup setup;  // without the meshes of its bodies

  // Vertices [0, dynamic_count) have equations: those of the bodies' tets and cloth. Then come those that follow them,
  // up to body_vertex_count(), and then the obstacles' vertices.
  Index dynamic_count = 0;
  Embedding embedding;
  Points rest;               // 3 x n_all [m]
  std::vector<double> mass;  // dynamic_count [kg], lumped
  Tets tets;                 // 4 x m, by elastic group; tets of material mass_spring, without a group, come last
  std::vector<ElasticGroup> groups;
  std::vector<Index> tet_body;      // m
  std::vector<Index> tet_material;  // m, into material_names
  std::vector<std::string> material_names;
  // By material, the user's parameters that vary over its tets, in the order of tet_to_user.
  std::map<std::string, std::map<std::string, std::vector<double>>> material_fields;
  std::vector<Index> vertex_body;  // body_vertex_count()

  // Bodies of material mass_spring.
  std::vector<EdgeSpring> edge_springs;  // ascending in (a, b)
  Triangles triangles;                   // 3 x f, of cloth, in the user's order, bodies concatenated
  std::vector<Index> triangle_material;  // f, into material_names

  std::vector<SystemBody> bodies;
  Points initial_velocity;  // 3 x dynamic_count [m/s]

  std::vector<Motion> motions;
  std::vector<PrescribedVertex> prescribed;
  std::vector<FaceLoad> loads;
  std::vector<Tie> ties;
  std::shared_ptr<const Embedding> tied;  // the vertices that they hold until some end; null: none
  std::vector<Spring> springs;            // of the scene, then pulls
  std::vector<PullKey> pulls;             // the owners of the last springs

  // Obstacles.
  std::vector<Index> obstacle_vertex_motion;  // obstacle_vertex_count(), into motions
  std::vector<PlaneSetup> planes;             // rest states, as CollisionMesh::planes
  std::vector<Index> plane_motion;            // into motions

  CollisionMesh collision;

  // Contact and scale.
  double contact_distance = 0;   // dhat [m]
  double contact_stiffness = 0;  // kappa [Pa]: given, or the automatic start value
  bool automatic_stiffness = true;
  bool adaptive_stiffness = true;  // it grows in steps
  double diagonal = 0;             // of the scene's bounding box [m] (bodies only)

  // Numbering of the bodies' vertices and tets in the user's files, bodies concatenated in scene order.
  Index user_vertex_count = 0, user_tet_count = 0;
  Points user_rest;  // 3 x user_vertex_count, unused nodes included
  // body_vertex_count(); -1: not in a mesh of the user (control points, collision surfaces)
  std::vector<Index> vertex_to_user;
  // The vertices' numbers in the files of collision surfaces; these are the last vertices of bodies.
  std::vector<Index> collision_vertex_to_own;
  std::vector<Index> tet_to_user;             // m; -1: the control tet of an affine body
  Tets user_tets;                             // 4 x user_tet_count, vertex ids in the concatenated user numbering
  Triangles user_triangles;                   // 3 x f, as `triangles`, vertex ids in the concatenated user numbering
  std::vector<Index> obstacle_vertex_to_own;  // obstacle_vertex_count(), number in the obstacle's own mesh

  Index vertex_count() const { return static_cast<Index>(rest.cols()); }
  Index body_vertex_count() const { return dynamic_count + embedding.count(); }
  bool on_collision_surface(Index vertex) const {
    return vertex < body_vertex_count() &&
           vertex >= body_vertex_count() - static_cast<Index>(collision_vertex_to_own.size());
  }
  Index obstacle_vertex_count() const { return vertex_count() - body_vertex_count(); }
  Index tet_count() const { return static_cast<Index>(tets.cols()); }
  Index triangle_count() const { return static_cast<Index>(triangles.cols()); }
  // The number of tets with an energy density, which come first.
  Index elastic_tet_count() const { return groups.empty() ? 0 : groups.back().tet_end; }
  std::size_t scene_spring_count() const { return springs.size() - pulls.size(); }
  Pull pull(std::size_t number) const {
    const Spring& spring = springs[scene_spring_count() + number];
    return {spring.vertex, spring.point, spring.stiffness};
  }

  // Moves tied vertices and those of `embedding` to the places that they follow: positions, displacements or velocities
  // (3 x body_vertex_count() or more).
  void place_followers(Points& x) const { place_followers(x, tied.get()); }
  void place_followers(Points& x, const Embedding* ties) const {
    if (ties) ties->place(x);
    embedding.place(x);
  }

  // Positions, velocities, forces (3 x body_vertex_count() or more) in the user's numbering; unused nodes get `fill`
  // (e.g. user_rest) or zero. For modes (3 x dynamic_count), followers get the values that they follow.
  Points to_user(const Points& values, const Points* fill = nullptr) const;
  // Positions or velocities from the user's numbering, 3 x body_vertex_count(). Control points take the nearest affine
  // motion, by least squares over their followers.
  Points from_user(const Points& values) const;
  // Forces (3 x dynamic_count or body_vertex_count()) on vertices of the user alone, 3 x body_vertex_count(). Forces on
  // collision surfaces go to the vertices that these follow. Forces on control points become the smallest forces on
  // their followers with equal sum and moment.
  Points forces_on_shown(const Points& forces) const;
};

// Checks the setup, renumbers for locality and computes everything derived. Throws InputError.
std::shared_ptr<System> build_system(Setup setup);

}  // namespace sinew
