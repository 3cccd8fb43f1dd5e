// Terms of loads on faces whose forces depend on positions: pressures, moments and remote forces.
#pragma once

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

class LoadEnergy : public Energy {
 public:
  // The loads of the term, in the order of System::loads.
  virtual std::size_t count() const = 0;
  virtual const FaceLoad& source(std::size_t load) const = 0;
  // g += scale * gradient of one load.
  virtual void add_load_gradient(std::size_t load, const Points& x, double scale, Points& g) const = 0;
};

}  // namespace sinew
