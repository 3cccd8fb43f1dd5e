// Statistics of an adaptive subspace: its size by iteration, counts and times.
#pragma once

#include <span>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// One iteration, including what the oracle added.
struct AdaptiveIteration {
  Index vertices = 0;          // enriched vertices
  Index handles = 0;           // active handles
  double error = 0;            // largest error of a vertex before the oracle added any
  long linear_iterations = 0;  // iterations on the Schur complement
};

struct AdaptiveReport {
  std::vector<AdaptiveIteration> iterations;
  double share = 0;                                 // share of vertices enriched in the last iteration
  Index exact_tets = 0;                             // tets outside the secant Hessians, in the last iteration
  long renewed = 0;                                 // Hessians of regions computed from all their tets
  long secants = 0;                                 // Hessians of regions updated by a secant
  Index dropped_vertices = 0, dropped_handles = 0;  // after the step
  long estimates = 0;                               // error estimates at the end of iterations
  long refusals = 0;                                // estimates above the accuracy
  Index asked_vertices = 0, asked_handles = 0;      // coordinates added after refusals
  // Times [s]. regions: forces, secants and exact Hessians of regions. oracle: errors, the trial step of the modes and
  // its collisions, activation. modes: matrices of the modes and their factors. schur: the enriched block and its
  // solves. estimate: estimates and the coordinates they add.
  double regions = 0, oracle = 0, modes = 0, schur = 0, estimate = 0;

  void add(const AdaptiveReport& more) {
    iterations.insert(iterations.end(), more.iterations.begin(), more.iterations.end());
    if (!more.iterations.empty()) share = more.share, exact_tets = more.exact_tets;
    renewed += more.renewed;
    secants += more.secants;
    dropped_vertices += more.dropped_vertices;
    dropped_handles += more.dropped_handles;
    regions += more.regions;
    oracle += more.oracle;
    modes += more.modes;
    schur += more.schur;
    estimates += more.estimates;
    refusals += more.refusals;
    asked_vertices += more.asked_vertices;
    asked_handles += more.asked_handles;
    estimate += more.estimate;
  }
};

// The active subspace between steps, in the simulation's numbering; valid until the next step.
struct ActiveSubspace {
  std::span<const char> enriched;     // dynamic_count flags: vertices with their own unknowns
  std::span<const Index> tet_region;  // by tet: its region
  Index handles = 0;                  // number of active handles
};

}  // namespace sinew
