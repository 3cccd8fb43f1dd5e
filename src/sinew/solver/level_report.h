// What the levels of a multilevel direction did.
#pragma once

namespace sinew {

struct LevelReport {
  bool any = false;                                     // whether the direction has levels
  long affine_iterations = 0, subspace_iterations = 0;  // of reduced PCG; 0 by factorisation
  long refinement_iterations = 0;
  int hessian_updates = 0;  // of the elastic part in full space
  // [s]
  double affine = 0, subspace = 0;  // reduced matrices, their factorisation and solves
  double galerkin = 0;              // the part of both that forms reduced matrices
  double refinement = 0;
  double cubature = 0;  // the Hessian by cubature
  // Of the last direction: its subspace part and all of it [m/s].
  double subspace_mean = 0, subspace_max = 0;  // mean and largest vertex displacement over h
  double refinement_mean = 0;

  void add(const LevelReport& other) {
    any = any || other.any;
    affine_iterations += other.affine_iterations;
    subspace_iterations += other.subspace_iterations;
    refinement_iterations += other.refinement_iterations;
    hessian_updates += other.hessian_updates;
    affine += other.affine;
    subspace += other.subspace;
    galerkin += other.galerkin;
    refinement += other.refinement;
    cubature += other.cubature;
    if (!other.any) return;
    subspace_mean = other.subspace_mean;
    subspace_max = other.subspace_max;
    refinement_mean = other.refinement_mean;
  }
};

}  // namespace sinew
