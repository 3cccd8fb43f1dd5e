// The description from which a System is built: plain data with meshes loaded, selections resolved and materials looked
// up. A scene file is one source of it; tests and other programs can fill it in directly.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/embedding.h"
#include "sinew/model/motion.h"

namespace sinew {

class MaterialModel;   // material/model.h
struct RenderSurface;  // model/render_surface.h

inline constexpr double forever = 1e300;  // [s], an `until` that never comes

// A material on some of a body's elements: tets, or triangles of a cloth. Each parameter array has one value, or one
// per listed element.
struct MaterialAssignment {
  std::string name;                             // the user's name for it
  std::shared_ptr<const MaterialModel> model;   // of the registry, or an instance with curves; none: mass_spring
  bool mass_spring = false;                     // springs on the edges (material/mass_spring.h); the only one for cloth
  std::vector<std::vector<double>> parameters;  // the model's kernel parameters
  // The user's parameters that vary over the elements, so that others of them can change while a simulation runs.
  std::map<std::string, std::vector<double>> fields;
  std::vector<double> density;          // [kg/m^3]
  std::vector<double> fiber_stiffness;  // [Pa]; empty: no fibers
  Points fiber_direction;               // 3 x (1 or tets), unit, rest state
  std::vector<Index> tets;              // ids of elements in the body's mesh; empty: all
};

struct FixSetup {
  std::vector<Index> vertices;                 // body numbering
  std::array<bool, 3> axes{true, true, true};  // which coordinates are prescribed
  Motion motion;
  double until = forever;  // [s]
};

enum class LoadKind { traction, pressure, force };

struct LoadSetup {
  LoadKind kind = LoadKind::traction;
  Triangles faces;             // boundary faces of the body (all of a cloth), body numbering, outward
  Vec3 vector = Vec3::Zero();  // traction [Pa] or total force [N]
  double pressure = 0;         // [Pa], positive pushes inwards
  Keyframes factor;            // 1 x k, times `vector`/`pressure`; empty: 1
  Keyframes vector_keys;       // 3 x k, replaces `vector` when not empty
};

// A point of a body: the weighted mean of some vertices.
struct SpringEnd {
  Index body = -1;
  std::vector<Index> vertices;  // body numbering
  std::vector<double> weights;  // of the vertices, of sum 1
};

struct SpringSetup {
  std::vector<Index> vertices;  // body numbering: each gets its own spring
  // The other end: a fixed point, the mean position of some vertices of a body, or a point for each spring.
  std::optional<Vec3> point;
  Index other_body = -1;
  std::vector<Index> other_vertices;
  std::vector<SpringEnd> ends;
  double stiffness = 0;  // [N/m], of each spring
  double length = 0;     // [m], rest length
  Motion motion;         // moves `point`
  double until = forever;
};

struct BodySetup {
  std::string name;
  TetMesh mesh;  // tets or cloth; validated, after the body's transform: the rest state
  std::vector<MaterialAssignment> materials;
  Vec3 velocity = Vec3::Zero();          // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s], about the centre of mass
  Vec3 acceleration = Vec3::Zero();      // [m/s^2], added to gravity
  Keyframes acceleration_keys;           // 3 x k, replaces `acceleration` when not empty
  std::vector<FixSetup> fixes;
  std::vector<LoadSetup> loads;
  std::vector<SpringSetup> springs;
  double damping_mass = 0;       // [1/s]
  double damping_stiffness = 0;  // [s]
  bool affine = false;           // moves by affine maps alone (model/affine_body.h)
  // Contact acts on this surface in place of the mesh's boundary; after the body's transform
  // (model/embedded_surface.h).
  std::optional<TriMesh> collision;
  std::shared_ptr<const RenderSurface> render;  // is drawn in place of the mesh's boundary; after the transform

  // Filled in while the system is built. The user's mesh where another one is simulated, and what each of its vertices
  // follows there; `mesh` and `materials` are then those of the other one.
  std::optional<TetMesh> follower;
  std::vector<Embedding::Row> follower_rows;
  std::vector<MaterialAssignment> follower_materials;
  std::vector<Embedding::Row> collision_rows;  // vertices of `mesh` that the collision surface follows
  double volume = 0;                           // of the user's mesh [m^3]

  const TetMesh& user_mesh() const { return follower ? *follower : mesh; }
};

// Faces of one body glued to those of another: each vertex of `faces` follows vertices of `to_faces` (model/tie.h).
struct TieSetup {
  Index body = -1;
  Triangles faces;  // boundary faces of the body, body numbering, outward
  Index to = -1;    // another body
  Triangles to_faces;
  double until = forever;  // [s]
  double breaks_at = 0;    // mean traction at which the tie breaks [Pa]; 0: never
};

struct PlaneSetup {
  Vec3 point = Vec3::Zero();    // [m]
  Vec3 normal = Vec3(0, 1, 0);  // unit, out of the solid half-space
};

struct ObstacleSetup {
  std::string name;
  std::optional<TriMesh> mesh;      // after the transform; or
  std::optional<PlaneSetup> plane;  // an analytic half-space
  std::string material;             // for friction pairs; empty: the obstacle's own
  Motion motion;
};

struct FrictionPair {
  std::string a, b;  // material names (obstacles: their material, else their name)
  double coefficient = 0;
};

enum class ContactKind { barrier, penalty };

struct ContactSetup {
  bool enabled = true;
  ContactKind model = ContactKind::barrier;
  double distance = 0;      // dhat [m]; 0: chosen from the mesh
  double interference = 0;  // the smallest overlap of bodies at rest [m], which an automatic dhat resolves; 0: none
  std::optional<double> stiffness;  // kappa [Pa]; none: automatic and adaptive
  double friction = 0;              // default coefficient
  std::vector<FrictionPair> pairs;
  double slip_speed = 0;             // eps_v [m/s]; in statics m a load step; 0: chosen from size and motion
  int friction_iterations = 0;       // rounds of lagged friction in a step, at most; 0: 20, in statics 100
  double friction_tolerance = 1e-2;  // relative change of friction forces below which rounds end
  int surface_samples = 0;           // of the surfaces, in reduced methods; 0: automatic
  bool self = true;
  std::vector<std::array<std::string, 2>> ignore;  // names of bodies and obstacles
};

enum class Integrator { implicit_euler, bdf2, newmark, statics };

struct TimeSetup {
  double step = 0.01;  // [s]
  int steps = 100;
  Integrator integrator = Integrator::implicit_euler;
  double newmark_beta = 0.25, newmark_gamma = 0.5;
  bool ramp = true;   // statics: gravity and loads grow from 0 to 1
  int substeps = 64;  // parts that a step which fails is divided into, at most; 0: none
  // In dynamics: the largest motion of two bodies towards each other in a part of a step, over the size of the smaller
  // one; 0: any.
  double max_travel = 0.5;
};

// The method multilevel as its paper has it.
struct PrintedSetup {
  bool affine = true;               // correct by an affine motion of each body first
  bool subspace = true;             // correct by the basis
  bool factorize = false;           // the reduced systems, instead of solving them by PCG
  double reduced_tolerance = 1e-4;  // relative residual of that PCG
  bool cubature_hessian = true;     // reduced systems from the elastic Hessian of the cubature's tets alone
  bool cubature_residual = false;   // also the residual that is refined, as printed in the paper
  int refinement = -1;              // iterations of PCG in full space; -1: 20 or 40, by the size of clusters
  int lag = 5;                      // keep the elastic Hessian, renewed at most every so many iterations; 0: never kept
  double lag_step = 0.5;            // mean of the last line-search steps under which it is renewed
  bool stop_by_subspace = true;     // measure the subspace part of the direction instead of all of it
};

// The multilevel methods (SMS; theory, section 5).
struct MultilevelSetup {
  std::string partition = "geodesic";  // geodesic | heat | metis | euclidean
  std::string basis = "sms";           // sms | rbf | biharmonic | eigenmodes
  double stiffness_exponent = 0;       // exponent of the stiffness in the distances of clusters
  double interface_stiffness = 0.3;    // stiffness at interfaces of materials over the softest, for distances only
  bool dirichlet = true;               // the basis fades to zero at fixed vertices; else it jumps to zero there
  int reduced_lag = 20;                // directions of a step that may use reduced matrices of earlier ones; 0: none
  bool eliminate_contacts = true;      // the preconditioner eliminates the vertices in contact
  double forcing = 0.1;                // share of the energy norm of a direction that its error may have
  bool cache = true;                   // keep precomputed data in the user's cache folder
  std::optional<PrintedSetup> printed;

  bool has_cubature() const { return printed && printed->cubature_hessian; }
};

struct QuasiNewtonSetup {
  std::string initial = "laplacian";   // laplacian | rest | identity
  std::string acceleration = "lbfgs";  // lbfgs | chebyshev | none
  int history = 5;                     // pairs of lbfgs
  double spectral_radius = 0.9;        // of chebyshev
  bool line_search = true;
  bool rotations = true;         // a coarse correction turns parts; the laplacian counts turns as strain
  double low = 0.5, high = 1.5;  // stretches over which stiffnesses are fitted
};

// Whether an entry of a library of modes names a file of them (modes/mode_file.h) instead of a kind.
inline bool is_mode_file(const std::string& entry) {
  return entry.ends_with(".npz");
}

// The adaptive subspaces (TS; theory, section 8).
struct AdaptiveSetup {
  // Candidates: names of adaptive/mode_library.h, or paths of files of modes.
  std::vector<std::string> library = {"eigenmodes"};
  int initial = 0;                 // candidates that are active at the start; 0: one a component and five more
  int regions = 0;                 // of tets; 0: chosen from the number of tets
  double vertex_error = 0.1;       // eps_G of vertices
  double mode_error = 0.1;         // eps_G of modes
  double progress = 1e-4;          // eps_xi
  double drop_rate = 0.1;          // eps_d [1/s], in statics a share of the diagonal; 0: nothing is dropped
  double trust = 1;                // a region's secant error from which its Hessian is formed anew
  double linear_tolerance = 1e-5;  // of the Schur complement, relative residual
  // When a step may end: once the estimated error is at most `accuracy` of the step's motion, or once the oracle adds
  // nothing (the paper's rule).
  bool accept_by_estimate = true;
  double accuracy = 0.02;
};

// Poses that weights of points are fitted to, for subspaces of dense modes.
struct TrainingSetup {
  double size = 0.1;         // of a pose: its largest displacement over the scene's diagonal, in the mean
  int poses = 0;             // 0: as many as change the error by more than the tolerance
  double tolerance = 0.005;  // of the change of the error in a round
};

struct SolverSetup {
  std::string method = "newton";  // a row of dynamics/methods.cpp, or auto until the meshes are known
  std::string method_reason;      // why this method, if the scene leaves it to sinew
  std::string linear_solver;      // llt | pcg; empty: as the method says
  double tolerance = 0;           // [m/s], in statics [m]; 0: chosen from the size of the scene
  std::string norm = "max";       // max | mean
  double force_tolerance = 1e-3;  // in statics, of unbalanced forces over the largest one
  int max_iterations = 200;
  std::string instability = "follow";  // of statics: follow | report | ignore
  double linear_tolerance = 1e-4;      // pcg, relative residual
  int linear_iterations = 10000;       // pcg, at most
  bool block_jacobi = true;            // pcg's preconditioner: the 3 x 3 diagonal blocks, or the diagonal alone
  int handles = 0;                     // of a subspace; 0: chosen from the size of the scene
  // Settings of the reduced methods.
  std::string subspace = "eigenmodes";         // a kind of handles, of modes, a file of modes, or full
  std::vector<std::string> further_subspaces;  // further entries of a list of kinds and files of modes
  std::string cubature_rule = "stiffness";     // of reduced/reduced_basis.h or cubature/make_cubature.h
  int cubature_degree = 2;                     // of modal and polynomial
  int cubature_points = 0;                     // of clusters and stiffness; 0: by the handles
  double cubature_power = 0;                   // of the eigenvalues in the features of clusters
  int domains = 0;                             // of dense modes: substructures in all; 0: one a connected body
  bool warping = false;                        // of dense modes (reduced/warping.h)
  std::string jacobian = "symmetric";          // of modal cubature: symmetric | exact | free
  TrainingSetup training;
  int error_every = -1;  // rows with an estimated error, in a subspace; 0: none; -1: by the cost of estimates
  int iterations = -1;   // of a step: a budget; 0: until the tolerance; -1: as the method says
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
  Vec3 gravity{0, -9.81, 0};
  TimeSetup time;
  std::vector<BodySetup> bodies;
  std::vector<ObstacleSetup> obstacles;
  std::vector<TieSetup> ties;
  ContactSetup contact;
  SolverSetup solver;
};

}  // namespace sinew
