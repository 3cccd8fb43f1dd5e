// Bolts that keep a force. A minimisation of E has a shortening s of each bolt. Afterwards the forces N(s) in the bolts
// are compared with the prescribed ones, F, and s changes until they agree:
//
//   s <- s + J^-1 (F - N),
//
// with an approximation J of dN/ds that secants improve (Broyden 1965). J begins with the stiffness of the tets of each
// cut alone, which is too large, and is kept from step to step.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"
#include "sinew/potential/bolt_force.h"

namespace sinew {

class BoltRounds {
 public:
  static constexpr int most_rounds = 50;

  // The system must outlive this.
  explicit BoltRounds(const System& system) : system_(system) {}

  // Begins the minimisation of a step, or part of one, that begins at time `start`. Returns whether some bolt keeps a
  // force in it.
  bool begin(const StepContext& context, double start);
  bool keep_force() const { return !kept_.empty(); }
  // The shortening of all bolts with which to minimise, where forces at the start are `at_start`.
  std::vector<double> predict(const std::vector<BoltForce>& at_start);
  // After a minimisation: the shortening for another one; empty: the forces are within the tolerance.
  std::vector<double> next(const std::vector<BoltForce>& forces);
  int rounds() const { return rounds_; }  // since begin()
  // For messages: the bolt that is farthest from its force.
  std::string lack(const std::vector<BoltForce>& forces) const;

  void save(ArchiveWriter& archive) const;
  void load(const ArchiveReader& archive);

 private:
  VecX missing(const std::vector<BoltForce>& forces) const;
  std::vector<double> step(const VecX& missing);
  bool is_loose(Index kept, const VecX& missing) const;
  void set_slope();

  const System& system_;
  int rounds_ = 0;
  std::vector<Index> kept_;         // bolts that keep a force
  VecX target_, scale_;             // by kept bolt [N]
  std::vector<double> shortening_;  // of all bolts [m]
  MatX slope_;                      // J, bolts x bolts [N/m]; empty: not set yet
  std::vector<int> loose_rounds_;   // by kept bolt, in this minimisation
  VecX before_, last_step_;         // by kept bolt: what lacked before the last change of s, and that change
};

}  // namespace sinew
