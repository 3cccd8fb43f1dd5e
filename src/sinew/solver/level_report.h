// What the levels of a multilevel direction did.
#pragma once

#include <optional>

namespace sinew {

struct LevelReport {
  bool any = false;                                     // whether the direction has levels
  long affine_iterations = 0, subspace_iterations = 0;  // of reduced PCG; 0 by factorisation
  long refinement_iterations = 0;
  int hessian_updates = 0;  // of the elastic part in full space
  int reduced_updates = 0;  // of reduced matrices and their factorisations
  int contact_updates = 0;  // those of them that renewed contacts only
  int rejections = 0;       // of exact Hessians that were not positive definite
  // [s] affine, subspace, refinement, rejected and other make up the time of linear solves.
  double affine = 0, subspace = 0;  // reduced matrices, their factorisation and solves
  double galerkin = 0;              // the part of both that forms reduced matrices
  double refinement = 0;
  double rejected = 0;  // all that was done with exact Hessians before they were rejected
  double other = 0;     // right-hand sides, constraints, norms
  double cubature = 0;  // the Hessian by cubature; a part of assembly

  // The parts of the last direction, where it is a sum of corrections: displacements of vertices over h [m/s].
  struct Parts {
    double subspace_mean = 0, subspace_max = 0;  // of the corrections in subspaces: the mean and the largest
    double refinement_mean = 0;                  // of what full space added
  };
  std::optional<Parts> parts;

  // What was done so far has come to nothing, in so many seconds.
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
