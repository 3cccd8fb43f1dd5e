// The parts of `sinew check`: each checks one property of a scene and adds its findings.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sinew/dynamics/simulation.h"
#include "sinew/lint/findings.h"
#include "sinew/model/state.h"
#include "sinew/model/system.h"
#include "sinew/scene/scene.h"

namespace sinew {

// The range of a quantity.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct BodyFacts {
  std::string name;
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  // [m]
  double mass = 0;                                  // [kg]
  Range young, density;                             // [Pa], [kg/m^3]
  Index fixed = 0, loaded_faces = 0, springs = 0;   // numbers of selected vertices, faces, vertices
  Index vertices = 0, tets = 0, triangles = 0;      // triangles: of cloth
  std::vector<std::string> materials;

  double diagonal() const { return (upper - lower).norm(); }
};

struct MaterialFacts {
  std::string model;
  Index tets = 0, triangles = 0;  // triangles: of cloth
  Range young, poisson, density;
};

// Facts about a setup that are needed after its meshes have been moved out.
struct SceneFacts {
  std::vector<BodyFacts> bodies;
  std::map<std::string, MaterialFacts> materials;  // by name, only those in use
  double smallest_diagonal() const;                // of the smallest body [m]
};
SceneFacts scene_facts(const Setup& setup);

// Finds slivers, unconnected pieces, tets joined by less than a face, unused vertices, and regions without tets. Call
// it before the system takes the meshes.
void check_meshes(const Setup& setup, Findings& findings);

// Finds nearly incompressible material in few layers of tets. Call it before the system takes the meshes.
void check_locking(const Setup& setup, Findings& findings);

// Finds slender bodies in few layers of tets. Call it before the system takes the meshes.
void check_bending(const Setup& setup, Findings& findings);

// Finds springs that all end at one mean and pull their vertices together. Call it before the system takes the meshes.
void check_springs(const Setup& setup, Findings& findings);

// Finds tets that are inside out at the start.
void check_inverted(const System& system, const State& state, Findings& findings);

// Compares the contact distance with interferences, gaps and thicknesses. other_start: the scene does not start at the
// rest shape.
void check_fits(const System& system, const State& state, bool other_start, Findings& findings);

// Estimates how much implicit Euler damps the slowest vibration of held bodies at `time`. Solves an eigenproblem.
void check_damping(const System& system, double time, Findings& findings);

// Finds affine bodies with Newmark's rule, which does not damp the vibration of their shape.
void check_newmark(const System& system, Findings& findings);

// Finds bodies inside others or inside closed obstacles, which overlap although no surfaces cross. Call it after
// check_intersections().
void check_nesting(const System& system, const State& state, Findings& findings);

// Finds sizes, stiffnesses, densities, gravity and loads that seem to have other units, and materials and pairs that
// are not used.
void check_units(const SceneFacts& facts, const System& system, Findings& findings);
void check_materials(const SceneFacts& facts, const Scene& scene, Findings& findings);

// Compares time step and contact distance with sizes and motions from time `start` on. Finds contact that is switched
// off.
void check_scales(const SceneFacts& facts, const System& system, double start, Findings& findings);

// Finds values at which rounding matters: bodies far from the origin, tiny contact distances, very stiff springs,
// extreme friction and tolerances.
void check_extremes(const SceneFacts& facts, const System& system, Findings& findings);

// Finds a tolerance that does not resolve the slip speed of friction; in statics, a slip of many load steps.
void check_friction(const System& system, Findings& findings);

// Finds fixed vertices that jump in the first step, and a start whose time is meaningless here or leaves no steps.
// motion: that of the scene's `initial`, or null.
void check_start(const SceneFacts& facts, const System& system, const State& state, const InitialMotion* motion,
                 Findings& findings);

// Finds intersections at the start, gaps below the contact distance, and in statics free bodies.
void check_intersections(const System& system, const State& state, Findings& findings);
void check_gaps(const System& system, const State& state, Findings& findings);
void check_freedom(const System& system, const State& state, Findings& findings);

// The levels that `multilevel` would build, without building them.
struct LevelPlan {
  Index handles = 0, asked = 0;     // largest possible number, and the number that the scene requests
  Index most = 0, automatic = 0;    // largest number for these vertices, and the choice of "auto"
  Index pieces = 0;                 // connected pieces, each with at least one handle
  std::vector<Index> body_handles;  // handles of each body
  std::ptrdiff_t single = 0;        // number of bodies with one handle
  std::ptrdiff_t full = 0;          // number of bodies in which a piece has as many handles as its vertices allow
  Index sparsest = -1;              // body with the most vertices for each handle
  Index most_vertices = 0, sparse_pieces = 0;
  std::string file, not_kept;  // path in the cache folder; or why it is not cached
  bool is_there = false;
  double file_size = 0;  // [bytes], an estimate if the file does not exist
};
LevelPlan level_plan(const System& system);
std::string plan_text(const LevelPlan& plan, const SolverSetup& solver);
Json json(const LevelPlan& plan);

// The subspace that reduced methods would build; empty for other methods.
struct ReducedPlan {
  std::vector<std::string> subspaces;  // one name, or a list of kinds of modes
  std::string rule;
  Index handles = 0, points = 0, samples = 0;  // points 0: the rule finds them; samples 0: no contact
  Index parts = 1;                             // number of substructures, each with these modes and points
  Index parts_wanted = 0;                      // requested number of substructures, if larger
  int iterations = 0;                          // 0: until the tolerance
  std::string file;                            // path in the cache folder; empty: not cached
  bool is_there = false;
};
std::optional<ReducedPlan> reduced_plan(const System& system);
std::string plan_text(const ReducedPlan& plan);
Json json(const ReducedPlan& plan);

// Finds impossible settings of reduced methods, and coarse surfaces that intersect at the start.
void check_reduced(const System& system, const State& state, Findings& findings);

// For method multilevel: finds too many or too few solver.handles for the vertices.
void check_handles(const System& system, const SolverSetup& solver, Findings& findings);

// Finds settings of a method that "auto" does not choose in this scene.
void check_method_keys(const Scene& scene, const System& system, Findings& findings);

// Finds a run that needs more memory than is free, or nearly as much.
void check_free_memory(const System& system, Findings& findings);

// The number of vertices that a body of linear tets would have with quadratic elements.
Index quadratic_vertex_count(const TetMesh& mesh);

}  // namespace sinew
