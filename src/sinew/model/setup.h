// The description from which a System is built: plain data with meshes loaded, selections resolved and materials looked
// up. It may come from a scene file; tests and other programs can fill it in directly.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/material/viscosity.h"
#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/elements.h"
#include "sinew/model/embedding.h"
#include "sinew/model/look.h"
#include "sinew/model/motion.h"
#include "sinew/model/sensor.h"
#include "sinew/model/spin.h"

namespace sinew {

class MaterialModel;   // material/model.h
struct RenderSurface;  // model/render_surface.h

inline constexpr double forever = 1e300;  // value of `until` that never comes [s]

// A material on some of a body's elements: tets, or triangles of a cloth. Each parameter array has one value, or one
// for each listed element.
struct MaterialAssignment {
  std::string name;  // the user's name for it
  // From the registry, or an instance with curves; null: mass_spring.
  std::shared_ptr<const MaterialModel> model;
  // Springs on the edges (material/mass_spring.h); the only material for cloth.
  bool mass_spring = false;
  std::vector<std::vector<double>> parameters;  // the model's kernel parameters
  // The user's parameters that vary over the elements. They are kept so that other parameters can change while a
  // simulation runs.
  std::map<std::string, std::vector<double>> fields;
  std::vector<double> density;          // [kg/m^3]
  std::vector<double> fiber_stiffness;  // [Pa]; empty: no fibers
  Points fiber_direction;               // 3 x (1 or tets), unit, rest state
  double fiber_tension = 0;             // active tension of the fibers at activation 1 [Pa]
  double activation = 0;                // 0 to 1
  Keyframes activation_keys;            // 1 x k, replaces `activation` unless empty
  double fiber_length = 1;              // of fibers without stress, over that in the mesh
  Keyframes fiber_length_keys;          // 1 x k, replaces `fiber_length` unless empty
  // The logarithmic strain, or the Cauchy stress [Pa], that the mesh has at rest: XX YY ZZ XY YZ XZ in one column, or
  // in one for each tet. No columns: none; one of both at most.
  MatX initial_strain, initial_stress;
  std::vector<Points> families;   // of fibers (material/fiber_family.h), as fiber_direction
  std::vector<double> expansion;  // of heat [1/K]; empty: none
  Viscosity viscosity;
  bool bulk_relaxes = true;  // false: viscosity is of all stress but that of the model's bulk part
  std::vector<Index> tets;   // ids of elements in the body's mesh; empty: all
  Look look;
};

struct FixSetup {
  std::vector<Index> vertices;                 // body numbering
  std::array<bool, 3> axes{true, true, true};  // which coordinates are prescribed
  Motion motion;
  double until = forever;  // [s]
  bool symmetry = false;   // the vertices of a symmetry plane; comes after the fixes of the scene
  std::string name = {};   // empty: none
};

enum class LoadKind { traction, pressure, force, moment, remote_force, gas, wind };

// Whether the nodal forces of a load do not depend on the positions of the body.
inline bool is_dead(LoadKind kind) {
  return kind == LoadKind::traction || kind == LoadKind::force;
}

// The law of an ideal gas in a cavity, p = p_0 (a V_0 / V)^exponent with the volume V_0 at rest.
struct GasSetup {
  double ambient = 101325;  // pressure outside of the cavity [Pa]
  double exponent = 1;      // 1: isothermal; the ratio of specific heats: adiabatic
  double amount = 1;        // a, over the amount at the start
};

// Air that moves past faces; its velocity is `vector` or `vector_keys` of the load [m/s] (potential/wind.h).
struct WindSetup {
  double drag = 1.44;       // density of the air times the coefficient of the flow across a face [kg/m^3]
  double friction = 0.024;  // the same of the flow along a face [kg/m^3]
  double intensity = 0;     // of turbulence: root mean square of each component [m/s]; 0: none
  double length = 1;        // size of eddies [m]
  double time = 1;          // time in which they change [s]
  int seed = 0;             // of the random numbers
};

struct LoadSetup {
  LoadKind kind = LoadKind::traction;
  Triangles faces;             // boundary faces of the body (for a cloth all faces), body numbering, outward
  Vec3 vector = Vec3::Zero();  // traction [Pa], total force [N] or moment [N m]
  bool follows = false;        // a moment or remote force turns with the faces
  std::optional<Vec3> point;   // where a remote force acts, in the rest state; none: the centroid of the faces
  double pressure = 0;         // [Pa], positive pushes inwards; of a gas p_0 less the ambient pressure
  GasSetup gas;                // only for a gas
  WindSetup wind;              // only for a wind
  Keyframes factor;            // 1 x k, multiplies `vector` or `pressure`, or is the amount of a gas; empty: 1
  Keyframes vector_keys;       // 3 x k, replaces `vector` unless empty
  std::string name = {};       // empty: none
};

// A point of a body: the weighted mean of vertices.
struct SpringEnd {
  Index body = -1;
  std::vector<Index> vertices;  // body numbering
  std::vector<double> weights;  // by vertex, with sum 1
};

struct SpringSetup {
  std::vector<Index> vertices;  // body numbering; each vertex gets its own spring
  // The other end: a fixed point, the mean position of vertices of a body, or a separate point for each spring.
  std::optional<Vec3> point;
  Index other_body = -1;
  std::vector<Index> other_vertices;
  std::vector<SpringEnd> ends;
  double stiffness = 0;   // of each spring [N/m]
  double length = 0;      // rest length [m]
  Keyframes length_keys;  // 1 x k, replaces `length` unless empty
  Motion motion;          // moves `point`
  double until = forever;
  std::string name = {};  // empty: none
};

// Bones that carry a body along (model/skin.h). Their motions and ends are those of the rest state in the scene.
struct SkeletonSetup {
  std::vector<Motion> bones;
  MatX weights;  // vertices of the body x bones, each row with the sum 1
};

// A temperature above that of the mesh, in which the body is free of stress [K].
struct HeatSetup {
  double value = 0;
  Keyframes keys;             // 1 x k, replaces `value` unless empty
  std::vector<double> field;  // of each of `tets`, replaces `value` unless empty
  std::vector<Index> tets;    // in the body's mesh; empty: all

  bool empty() const { return value == 0 && keys.empty() && field.empty(); }
  // ramp: factor on what has no keyframes. entry: into `field`.
  double at(double time, double ramp, std::size_t entry) const {
    if (!keys.empty()) return keys.at(time)[0];
    return ramp * (field.empty() ? value : field[entry]);
  }
};

// The preload of a bolt: an axial force across a plane cut through the body, or a shortening there (model/bolt.h).
struct BoltSetup {
  std::string name;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();  // of the cut, at rest; the normal is unit and along the axis
  std::vector<Index> tets;                            // of the body's mesh, in which the cut is looked for; empty: all
  bool by_force = true;                               // `value` is a force [N], else a shortening [m]
  double value = 0;
  Keyframes keys;                 // 1 x k, replaces `value` unless empty
  double locked_after = forever;  // a bolt with a force keeps the shortening that it has then [s]

  // ramp: factor on `value`.
  double at(double time, double ramp) const { return keys.empty() ? ramp * value : keys.at(time)[0]; }
};

struct BodySetup {
  std::string name;
  TetMesh mesh;  // tets or cloth, validated; after the body's transform, which gives the rest state
  Elements elements = Elements::linear;  // the quadratic kinds need `mesh.quadratic`
  std::vector<MaterialAssignment> materials;
  Vec3 velocity = Vec3::Zero();          // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s], about the centre of mass
  Vec3 acceleration = Vec3::Zero();      // [m/s^2], added to gravity
  Keyframes acceleration_keys;           // 3 x k, replaces `acceleration` unless empty
  std::vector<FixSetup> fixes;
  std::vector<LoadSetup> loads;
  std::vector<SpringSetup> springs;
  std::vector<HeatSetup> heat;
  HeatSetup swelling;  // change of volume over that of the mesh, in place of a temperature
  std::vector<BoltSetup> bolts;
  double damping_mass = 0;       // mass-proportional, zeta [1/s]
  double damping_stiffness = 0;  // stiffness-proportional, xi [s]
  bool affine = false;           // moves only by affine maps (model/affine_body.h)
  std::optional<SkeletonSetup> skeleton;
  // Contact uses this surface in place of the mesh's boundary; after the body's transform (model/embedded_surface.h).
  std::optional<TriMesh> collision;
  // Drawn in place of the mesh's boundary; after the transform.
  std::shared_ptr<const RenderSurface> render;

  // Filled in while the system is built. If another mesh than the user's is simulated, `follower` is the user's mesh,
  // with the vertices that it follows; `mesh` and `materials` are then those of the simulated mesh.
  std::optional<TetMesh> follower;
  std::vector<Embedding::Row> follower_rows;
  std::vector<MaterialAssignment> follower_materials;
  std::vector<Embedding::Row> collision_rows;  // vertices of `mesh` that each vertex of the collision surface follows
  double volume = 0;                           // volume of the user's mesh [m^3]

  const TetMesh& user_mesh() const { return follower ? *follower : mesh; }
};

// Glues faces of one body to faces of another: each vertex of `faces` follows vertices of `to_faces` (model/tie.h).
struct TieSetup {
  Index body = -1;
  Triangles faces;  // boundary faces of the body, body numbering, outward
  Index to = -1;    // another body
  Triangles to_faces;
  double until = forever;  // [s]
  double breaks_at = 0;    // mean traction above which the tie breaks [Pa]; 0: never breaks
  std::string name = {};   // empty: none
};

struct PlaneSetup {
  Vec3 point = Vec3::Zero();    // [m]
  Vec3 normal = Vec3(0, 1, 0);  // unit, pointing out of the solid half-space
};

struct ObstacleSetup {
  std::string name;
  std::optional<TriMesh> mesh;      // after the transform; or ...
  std::optional<PlaneSetup> plane;  // ... an analytic half-space
  std::string material;             // for friction pairs; empty: the obstacle has its own
  Motion motion;
};

struct FrictionPair {
  std::string a, b;  // names of materials; for obstacles without a material their names
  double coefficient = 0;
};

// Two that overlap at rest and are pressed apart over the first steps (dynamics/interference_start.h).
struct InterferenceSetup {
  std::string a, b;  // names of bodies or obstacles
  int over = 1;      // number of steps
};

enum class ContactKind { barrier, convergent, penalty };

struct ContactSetup {
  bool enabled = true;
  ContactKind model = ContactKind::barrier;
  int subdivision = 4;  // parts into which convergent contact cuts each edge of a triangle, for its samples
  double distance = 0;  // dhat [m]; 0: chosen from the mesh
  // Smallest overlap of bodies at rest [m], which an automatic dhat resolves; 0: no overlap.
  double interference = 0;
  std::optional<double> stiffness;  // kappa [Pa]; none: automatic and adaptive
  double friction = 0;              // default coefficient
  std::vector<FrictionPair> pairs;
  double slip_speed = 0;             // eps_v [m/s]; in statics [m] for each load step; 0: chosen from size and motion
  int friction_iterations = 0;       // most rounds of lagged friction in a step; 0: 20, in statics 100
  double friction_tolerance = 1e-2;  // rounds end below this relative change of friction forces
  int surface_samples = 0;           // number of surface samples in reduced methods; 0: automatic
  bool self = true;
  std::vector<std::array<std::string, 2>> ignore;  // names of bodies and obstacles
  std::vector<InterferenceSetup> interferences;
  // By name of body or obstacle: thickness of the layer on its surface, of a sheet that of the sheet itself [m].
  std::map<std::string, double> thickness;
};

enum class Integrator { implicit_euler, bdf2, newmark, statics };

// Statics along the path of equilibria, which may turn back in load (dynamics/continuation.h). Lengths of steps are
// shares of the load where it grows alone.
struct ContinuationSetup {
  double first = 0.05;  // length of the first step
  double largest = 0.2, smallest = 1e-6;
  double until = 1;        // load at which the path ends
  double most_motion = 0;  // largest motion of a vertex at which the path ends [m]; 0: no limit
};

struct TimeSetup {
  double step = 0.01;  // [s]
  int steps = 100;
  Integrator integrator = Integrator::implicit_euler;
  double newmark_beta = 0.25, newmark_gamma = 0.5;
  bool ramp = true;                               // statics: gravity and loads grow from 0 to their full value
  int substeps = 64;                              // most parts into which a failed step is divided; 0: not divided
  std::optional<ContinuationSetup> continuation;  // of statics
  // In dynamics: the largest motion of two bodies towards each other in a part of a step, over the size of the smaller
  // body; 0: no limit.
  double max_travel = 0.5;
};

// The method multilevel as in its paper.
struct PrintedSetup {
  bool affine = true;               // first correct by an affine motion of each body
  bool subspace = true;             // then correct by the basis
  bool factorize = false;           // factor the reduced systems instead of solving them by PCG
  double reduced_tolerance = 1e-4;  // relative residual of PCG on reduced systems
  // Reduced systems use the elastic Hessian of the cubature's tets only.
  bool cubature_hessian = true;
  // Also the residual that is refined uses the cubature only, as printed in the paper.
  bool cubature_residual = false;
  // Iterations of PCG in full space; -1: 20 or 40, by the size of clusters.
  int refinement = -1;
  // Keeps the elastic Hessian for at least so many iterations; 0: computes it in each iteration.
  int lag = 5;
  // After `lag` iterations, renews the elastic Hessian once the mean of the last line-search steps is below this.
  double lag_step = 0.5;
  bool stop_by_subspace = true;  // measure only the subspace part of the direction
};

// The multilevel methods (SMS; theory, section 5).
struct MultilevelSetup {
  std::string partition = "geodesic";  // geodesic | heat | metis | euclidean
  std::string basis = "sms";           // sms | rbf | biharmonic | eigenmodes
  double stiffness_exponent = 0;       // exponent of the stiffness in the distances between clusters
  // Stiffness at interfaces of materials over that of the softest; only for distances.
  double interface_stiffness = 0.3;
  double prune_ratio = 1.75;  // see PartitionOptions
  // The basis fades to zero at fixed vertices; otherwise it jumps to zero there.
  bool dirichlet = true;
  // Further directions of a step that may reuse reduced matrices; 0: none.
  int reduced_lag = 20;
  bool eliminate_contacts = true;  // the preconditioner eliminates the vertices in contact
  // The error of a direction may have this share of its energy norm.
  double forcing = 0.1;
  bool cache = true;  // keep precomputed data in the user's cache folder
  std::optional<PrintedSetup> printed;

  bool has_cubature() const { return printed && printed->cubature_hessian; }
};

struct QuasiNewtonSetup {
  std::string initial = "laplacian";   // laplacian | rest | warped | step | identity
  std::string acceleration = "lbfgs";  // lbfgs | chebyshev | none
  int history = 5;                     // number of secant pairs of lbfgs
  double spectral_radius = 0.9;        // for chebyshev
  bool line_search = true;
  bool rotations = true;         // rotates parts in a coarse correction; the laplacian counts rotations as strain
  double low = 0.5, high = 1.5;  // range of stretches over which stiffnesses are fitted
};

// Whether an entry of a list of modes names a file (modes/mode_file.h) instead of a kind.
inline bool is_mode_file(const std::string& entry) {
  return entry.ends_with(".npz");
}

// The adaptive subspaces (TS; theory, section 8).
struct AdaptiveSetup {
  // Candidates: names from adaptive/mode_library.h, or paths of files of modes.
  std::vector<std::string> library = {"eigenmodes"};
  int initial = 0;                 // active candidates at the start; 0: one for each component and five more
  int regions = 0;                 // number of regions of tets; 0: chosen from the number of tets
  double vertex_error = 0.1;       // eps_G for vertices
  double mode_error = 0.1;         // eps_G for modes
  double progress = 1e-4;          // eps_xi
  double drop_rate = 0.1;          // eps_d [1/s], in statics a share of the diagonal; 0: drops nothing
  double trust = 1;                // a region with a larger secant error gets a new Hessian
  double linear_tolerance = 1e-5;  // relative residual of the solves with the Schur complement
  // For comparison, as in the paper: the 3 x 3 diagonal blocks precondition those solves, and exact Hessians are of
  // whole regions with an enriched vertex instead of single tets.
  bool block_jacobi = false;
  bool whole_regions = false;
  // Whether a step may end once the estimated error is at most `accuracy` of the step's motion. Otherwise it ends once
  // the oracle adds nothing (the paper's rule).
  bool accept_by_estimate = true;
  double accuracy = 0.02;
};

// Poses to which cubature weights are fitted, for subspaces of dense modes.
struct TrainingSetup {
  // Mean over poses of the largest displacement over the scene's diagonal.
  double size = 0.1;
  int poses = 0;             // 0: adds poses until the error changes by less than the tolerance
  double tolerance = 0.005;  // bound on the change of the error in a round
};

struct SolverSetup {
  std::string method = "newton";  // a row of dynamics/methods.cpp; "auto" until the meshes are known
  std::string method_reason;      // why this method, if the scene does not choose it
  std::string linear_solver;      // llt | pcg; empty: the method's
  double tolerance = 0;           // [m/s], in statics [m]; 0: chosen from the size of the scene
  std::string norm = "max";       // max | mean
  double force_tolerance = 1e-3;  // in statics: largest unbalanced force over the largest force
  int max_iterations = 200;
  std::string instability = "follow";  // for statics: follow | report | ignore
  double linear_tolerance = 1e-4;      // relative residual of pcg
  int linear_iterations = 10000;       // most iterations of pcg
  // The preconditioner of pcg is the 3 x 3 diagonal blocks, otherwise only the diagonal.
  bool block_jacobi = true;
  int handles = 0;  // number of handles; 0: chosen from the size of the scene
  // Settings of the reduced methods.
  std::string subspace = "eigenmodes";         // a kind of handles or of modes, a file of modes, or full
  std::vector<std::string> further_subspaces;  // further kinds and files, if the scene gives a list
  std::string cubature_rule = "stiffness";     // from reduced/reduced_basis.h or cubature/make_cubature.h
  int cubature_degree = 2;                     // for modal and polynomial
  int cubature_points = 0;                     // for clusters and stiffness; 0: by the number of handles
  double cubature_power = 0;                   // exponent of the eigenvalues in the features of clusters
  int domains = 0;                     // for dense modes: number of substructures; 0: one for each connected body
  bool warping = false;                // for dense modes (reduced/warping.h)
  std::string jacobian = "symmetric";  // for modal cubature: symmetric | exact | free
  std::string krylov = "gmres";        // for jacobian free: gmres | cg
  TrainingSetup training;
  int error_every = -1;  // in a subspace: rows from one error estimate to the next; 0: none; -1: by their cost
  int iterations = -1;   // limit for a step; 0: until the tolerance; -1: the method's
  QuasiNewtonSetup quasi_newton;
  MultilevelSetup multilevel;
  AdaptiveSetup adaptive;

  std::vector<std::string> subspaces() const {
    std::vector<std::string> all = {subspace};
    all.insert(all.end(), further_subspaces.begin(), further_subspaces.end());
    return all;
  }
};

struct Setup {
  std::string name;
  std::optional<SpinSetup> spin;  // of the frame in which the scene is given
  Vec3 gravity{0, -9.81, 0};
  TimeSetup time;
  std::vector<BodySetup> bodies;
  std::vector<ObstacleSetup> obstacles;
  std::vector<TieSetup> ties;
  std::vector<Sensor> sensors;
  ContactSetup contact;
  SolverSetup solver;
};

}  // namespace sinew
