// Diagnoses a step that did not converge: the term, the location, what was tried, and what to change.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class ElasticEnergy;
class IncrementalPotential;
class StepHistory;
struct MinimizerSettings;
struct MinimizeReport;
struct System;
struct TermForce;

// Why a minimisation did not converge; key `cause` in the rows of steps.jsonl.
enum class Cause {
  too_few_iterations,  // the residual was still falling, or there were too few to tell
  oscillation,         // the residual does not fall
  unsettled_contact,   // the residual is below the tolerance, but contact forces still change
  unsettled_friction,  // as above, but friction deviates from Coulomb's law with the current normal forces
  unsettled_bolt,      // in statics and dynamics: a bolt does not reach its force
  contact_filter,      // the collision filter keeps shortening the steps
  inversion_filter,    // the inversion filter keeps shortening the steps
  stretch_limit,       // edges at their stretch_limit keep shortening the steps
  line_search,         // no step along the direction decreases the potential
  linear_solver,       // the iterative solver stopped before its tolerance
  blocked_motion,      // prescribed motion presses bodies that cannot give way
  slow_motion,         // prescribed motion has not reached its target after all iterations
  singular,            // the Hessian cannot be factorised
  free_motion,         // in statics: nothing holds a body against its load
  limit_point,         // in statics: the load is above what the bodies can carry
  not_finite,          // numbers have overflowed
};
const char* cause_name(Cause cause);
// Returns the cause's section of docs/errors.md, such as "W-too-few-iterations".
std::string cause_code(Cause cause);

struct Diagnosis {
  Cause cause = Cause::oscillation;
  std::string reason;  // a sentence that says what happened
  std::string advice;  // what to change

  // The vertex that the last direction moves farthest. If a filter shortened the steps, a vertex of the closest
  // contact, flattest tet or tautest edge instead. Numbered as in its body's mesh; no body: no such vertex.
  std::string body;
  Index vertex = -1;
  Vec3 position = Vec3::Zero();  // [m]
  double residual = 0;           // last change of the vertex's velocity [m/s], in statics of its position [m]
  double largest_residual = 0;   // largest residual of all vertices
  double tolerance = 0;          // in the unit of the residual
  bool is_static = false;
  std::string term;                                    // dominant term at the vertex, or the term that limits the step
  std::vector<std::pair<std::string, double>> forces;  // force of each term on the vertex [N], largest first

  double smallest_gap = -1;  // [m]; negative: no contact
  std::string closest;       // its two primitives, in words
  double min_jacobian = 1;
  std::string flattest;  // the tet, numbered as in its body's mesh

  int iterations = 0, line_search_steps = 0, projected_factorizations = 0;
  long contact_cuts = 0, inversion_cuts = 0;         // steps that the filter shortened
  double shortest_step = 1;                          // shortest step length; 1: full step
  double stiffness_before = 0, stiffness_after = 0;  // contact stiffness [Pa]; 0: no contact
};

// The closest contact; `gap` is negative if there is no contact.
struct ClosestContact {
  double gap = -1;      // [m]
  std::string sides;    // its two primitives, in words
  Index touching = -1;  // a vertex of a body in this contact
};

// Data of a minimisation that ended without converging.
struct UnconvergedEnd {
  const System& system;
  const ElasticEnergy& elastic;         // elastic energy of all tets
  const Points& x;                      // 3 x n_all
  const Points& d;                      // the last direction, 3 x dynamic_count or more
  const std::vector<TermForce>& terms;  // forces at x
  ClosestContact closest;
  double step = 1;  // [s]; 1 in statics
  bool is_static = false;
  double stiffness_after = 0;  // contact stiffness at the end [Pa]
};

// Diagnoses the end of a minimisation. `report` must have cause and reason. The history may refine the cause
// `oscillation`.
Diagnosis diagnose(const UnconvergedEnd& end, const MinimizerSettings& settings, const MinimizeReport& report);

// Diagnoses the end of a minimisation at x (3 x n_all) with the last direction d (3 x n_all). Costs a few gradients.
Diagnosis diagnose(const IncrementalPotential& potential, const Points& x, const Points& d,
                   const MinimizerSettings& settings, const MinimizeReport& report);

// Returns location, smallest gap, actions tried and advice, each on a line that starts with `indent`.
std::string details_text(const Diagnosis& diagnosis, const std::string& indent = "\n  ");

}  // namespace sinew
