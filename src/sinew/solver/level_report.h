// Statistics of the levels of a multilevel direction.
#pragma once

#include <optional>

namespace sinew {

struct LevelReport {
  bool any = false;                                     // the direction has levels
  long affine_iterations = 0, subspace_iterations = 0;  // reduced PCG; 0: solved by factorisation
  long refinement_iterations = 0;
  int hessian_updates = 0;  // updates of the elastic Hessian in full space
  int reduced_updates = 0;  // updates of reduced matrices and their factorisations
  int contact_updates = 0;  // reduced updates of contacts only
  int rejections = 0;       // exact Hessians that were not positive definite
  // Times [s]. affine, subspace, refinement, rejected and other add up to the time of linear solves.
  double affine = 0, subspace = 0;  // reduced matrices, their factorisations and solves
  double galerkin = 0;              // part of affine and subspace that forms reduced matrices
  double refinement = 0;
  double rejected = 0;  // all work with exact Hessians that were rejected
  double other = 0;     // right-hand sides, constraints, norms
  double cubature = 0;  // Hessian by cubature; part of assembly

  // Parts of the last direction if it is a sum of corrections: mean and largest displacement of vertices over h [m/s].
  struct Parts {
    double subspace_mean = 0, subspace_max = 0;  // mean and largest correction in subspaces
    double refinement_mean = 0;                  // mean correction in full space
  };
  std::optional<Parts> parts;

  // Counts the work so far, which took `seconds`, as rejected.
  void reject(double seconds) {
    affine = subspace = galerkin = refinement = 0;
    rejected = seconds;
    rejections = 1;
  }

  void add(const LevelReport& more) {
    any = any || more.any;
    affine_iterations += more.affine_iterations;
    subspace_iterations += more.subspace_iterations;
    refinement_iterations += more.refinement_iterations;
    hessian_updates += more.hessian_updates;
    reduced_updates += more.reduced_updates;
    contact_updates += more.contact_updates;
    rejections += more.rejections;
    affine += more.affine;
    subspace += more.subspace;
    galerkin += more.galerkin;
    refinement += more.refinement;
    rejected += more.rejected;
    other += more.other;
    cubature += more.cubature;
    if (more.parts) parts = more.parts;
  }
};

}  // namespace sinew
