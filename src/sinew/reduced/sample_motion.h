// How the coordinates of a space move the samples of a coarse surface: what contact (reduced_contact.h) and a space
// have to tell each other.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

class SampleMotion {
 public:
  virtual ~SampleMotion() = default;

  // Into the first columns of `out`, one a sample: where they are at y [m], ...
  virtual void positions(const MatX& y, Points& out) = 0;
  // ... or at what the time integrator combines of several y, ...
  virtual void reference(const MatX& y, Points& out) = 0;
  // ... or how they go from one y to another, straight.
  virtual void way(const MatX& from, const MatX& to, Points& out) = 0;

  // g += the gradient f by the samples' positions, of the unknowns or as the space keeps it.
  virtual void add_gradient(const Points& f, MatX& g) = 0;
};

}  // namespace sinew
