// Advances the state of one method by time steps.
#pragma once

#include <functional>
#include <optional>

#include "sinew/core/archive.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/model/change.h"
#include "sinew/model/state.h"

namespace sinew {

struct NodalForces;
struct ReducedBasis;

// Of condensed steppers: standard finite elements, or mixed ones.
enum class Formulation { standard, mixed };

// The message where a method cannot go on from a state with inverted tets. Mixed methods can: their energy is that of
// stretches.
inline constexpr const char* inverted_text =
    "a tet of the present state is inverted or flat, which its material does not allow in this method: wait until it "
    "has "
    "come back, or go back to the start";

struct Clock {
  int step = 0;     // steps done
  double time = 0;  // [s]; in statics the share of the load, 0 to 1
};

// Of a state that a method cannot hold: the largest distance of a vertex from where it was to be [m], and difference of
// its velocity [m/s]. Zero in full space.
struct StateLoss {
  double position = 0, velocity = 0;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual StepReport advance() = 0;

  // Of methods that can divide a time step: the largest number of its parts. divide() has the next step made in so many
  // parts from its start, a power of two that is not larger.
  virtual int most_parts() const { return 1; }
  virtual void divide(int /*parts*/) {}

  virtual Clock clock() const = 0;

  // The full-space state; a reduced method lifts it when it is asked for. Valid until the next call that is not const.
  virtual const State& sample() const = 0;

  // Goes on from another state of the same system, by whatever method it was reached; what the method cannot hold of it
  // is projected away.
  virtual StateLoss replace(State state) = 0;

  // The system has changed; what was computed from it and is kept over steps is made anew, as far as needed.
  virtual void adapt(Change change) = 0;
  // The next step knows nothing of those before, as steps of another size must not.
  virtual void drop_history() = 0;
  // From here on `step` steps are done, and step 0 was at `start_time` [s]; positions and history stay.
  virtual void set_clock(int step, double start_time) = 0;

  // Whether the stepper goes on by another formulation, with all else that it has.
  virtual bool set_formulation(Formulation) { return false; }

  virtual Energies energies() = 0;
  virtual NodalForces forces() = 0;

  // Per tet: 6 x m Cauchy stress [Pa] (XX YY ZZ XY YZ XZ) and von Mises stress [Pa].
  virtual void stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) = 0;

  // Of methods in a subspace, null and empty otherwise: what it is, and q, 12 a handle (its 3 x 4 matrix by columns).
  virtual const ReducedBasis* subspace() const { return nullptr; }
  virtual VecX coordinates() const { return {}; }
  // The coordinates with those that follow prescribed motions: a row of three axes for each column of U, four a handle.
  // Null for methods in full space. Valid until the next call that is not const.
  virtual const MatX* reduced_positions() const { return nullptr; }
  // Other coordinates at the same time and velocity; without the history of others. Throws InputError where their
  // number is another, they are not finite, or what they move touches what it may not.
  virtual void set_coordinates(const VecX&) {}

  // Of the last step, of methods in a subspace; O(n).
  virtual std::optional<FullGradient> full_gradient() { return {}; }

  // The estimated error of the last step, `report`, where solver.error_every wants it; of methods in a subspace, O(n).
  virtual std::optional<StateError> error(const StepReport& /*report*/) { return {}; }

  // Of the method with adaptive subspaces.
  virtual std::optional<ActiveSubspace> active_subspace() const { return {}; }

  virtual void save(ArchiveWriter& archive) const = 0;
  virtual void load(const ArchiveReader& archive) = 0;

  void set_interrupt(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

 protected:
  bool interrupted() const { return interrupted_ && interrupted_(); }

 private:
  std::function<bool()> interrupted_;
};

}  // namespace sinew
