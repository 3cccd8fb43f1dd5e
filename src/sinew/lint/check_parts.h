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

// A range of some quantity.
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
  Index fixed = 0, loaded_faces = 0, springs = 0;   // selected vertices, faces, vertices
  Index vertices = 0, tets = 0, triangles = 0;      // triangles: of cloth
  std::vector<std::string> materials;

  double diagonal() const { return (upper - lower).norm(); }
};

struct MaterialFacts {
  std::string model;
  Index tets = 0, triangles = 0;  // triangles: of cloth
  Range young, poisson, density;
};

// Facts of a setup that are needed after its meshes are moved out.
struct SceneFacts {
  std::vector<BodyFacts> bodies;
  std::map<std::string, MaterialFacts> materials;  // those in use
  double smallest_diagonal() const;                // of a body [m]
};
SceneFacts scene_facts(const Setup& setup);

// Slivers, unconnected pieces, tets joined by less than a face, unused vertices, regions without tets. Before the
// meshes are taken.
void check_meshes(const Setup& setup, Findings& findings);

// Nearly incompressible material in few layers of tets. Before the meshes are taken.
void check_locking(const Setup& setup, Findings& findings);

// Slender bodies in few layers of tets. Before the meshes are taken.
void check_bending(const Setup& setup, Findings& findings);

// Springs that all end at one mean and pull their vertices together. Before the meshes are taken.
void check_springs(const Setup& setup, Findings& findings);

// Tets that are inside out at the start.
void check_inverted(const System& system, const State& state, Findings& findings);

// The contact distance against interferences, gaps and thicknesses; `other_start`: the scene does not start at the rest
// shape.
void check_fits(const System& system, const State& state, bool other_start, Findings& findings);

// How much implicit Euler damps the slowest vibration of held bodies at `time`. Solves an eigenproblem.
void check_damping(const System& system, double time, Findings& findings);

// Affine bodies under Newmark's rule, which does not damp the vibration of their shape.
void check_newmark(const System& system, Findings& findings);

// Bodies inside others or inside closed obstacles: no surfaces cross, and yet they overlap. After check_intersections.
void check_nesting(const System& system, const State& state, Findings& findings);

// Sizes, stiffnesses, densities, gravity and loads that look like other units; materials and pairs without use.
void check_units(const SceneFacts& facts, const System& system, Findings& findings);
void check_materials(const SceneFacts& facts, const Scene& scene, Findings& findings);

// Time step and contact distance against sizes and motions from time `start` on; contact switched off.
void check_scales(const SceneFacts& facts, const System& system, double start, Findings& findings);

// Values where rounding decides: bodies far from the origin, tiny contact distances, very stiff springs, extreme
// friction and tolerances.
void check_extremes(const SceneFacts& facts, const System& system, Findings& findings);

// A tolerance that does not resolve the slip speed of friction; in statics a slip of many load steps.
void check_friction(const System& system, Findings& findings);

// Fixed vertices that jump in the first step, and a start whose time is meaningless here or leaves no steps. `motion`:
// the scene's `initial`, or null.
void check_start(const SceneFacts& facts, const System& system, const State& state, const InitialMotion* motion,
                 Findings& findings);

// Intersections at the start, gaps below the contact distance, and in statics free bodies.
void check_intersections(const System& system, const State& state, Findings& findings);
void check_gaps(const System& system, const State& state, Findings& findings);
void check_freedom(const System& system, const State& state, Findings& findings);

// The levels that `multilevel` would build, without building them.
struct LevelPlan {
  Index handles = 0, asked = 0;     // at most, and requested by the scene
  Index most = 0, automatic = 0;    // allowed by the vertices, and chosen by "auto"
  Index pieces = 0;                 // connected pieces, each with at least one handle
  std::vector<Index> body_handles;  // by body
  std::ptrdiff_t single = 0;        // bodies with one handle
  std::ptrdiff_t full = 0;          // bodies with a piece that has as many handles as its vertices allow
  Index sparsest = -1;              // the body with most vertices a handle
  Index most_vertices = 0, sparse_pieces = 0;
  std::string file, not_kept;  // in the cache folder, or why there is none
  bool is_there = false;
  double file_size = 0;  // [bytes], estimated where it is not there
};
LevelPlan level_plan(const System& system);
std::string plan_text(const LevelPlan& plan, const SolverSetup& solver);
Json json(const LevelPlan& plan);

// The subspace that reduced methods would build; empty for other methods.
struct ReducedPlan {
  std::vector<std::string> subspaces;  // one, or the list of kinds of modes
  std::string rule;
  Index handles = 0, points = 0, samples = 0;  // points 0: found by the rule; samples 0: no contact
  Index parts = 1;                             // substructures, each with that many modes and points
  Index parts_wanted = 0;                      // if more were requested
  int iterations = 0;                          // 0: until the tolerance
  std::string file;                            // in the cache folder; empty: not kept
  bool is_there = false;
};
std::optional<ReducedPlan> reduced_plan(const System& system);
std::string plan_text(const ReducedPlan& plan);
Json json(const ReducedPlan& plan);

// Reduced methods: impossible settings, coarse surfaces that intersect at the start.
void check_reduced(const System& system, const State& state, Findings& findings);

// Method multilevel: too many or too few solver.handles for the vertices.
void check_handles(const System& system, const SolverSetup& solver, Findings& findings);

// Settings of a method in a scene whose method "auto" takes another.
void check_method_keys(const Scene& scene, const System& system, Findings& findings);

// A run that needs more memory than is free, or nearly as much.
void check_free_memory(const System& system, Findings& findings);

}  // namespace sinew
