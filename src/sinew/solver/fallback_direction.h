// A direction that switches to a second method for the rest of a step if the first makes no progress.
#pragma once

#include <functional>
#include <memory>

#include "sinew/solver/descent_direction.h"

namespace sinew {

// The second direction takes over if line searches cut `most_cuts` steps in a row below `short_step`, after `patience`
// iterations of a step, or if the first direction fails. Every step begins with the first direction. The switch depends
// on counts, not on times, so results do not depend on the machine.
class FallbackDirection : public FullSpaceDirection {
 public:
  static constexpr double short_step = 1e-3;
  static constexpr int most_cuts = 10, patience = 100;

  // make_second is called when the second direction is first needed. name: name of the second method.
  FallbackDirection(std::unique_ptr<FullSpaceDirection> first,
                    std::function<std::unique_ptr<FullSpaceDirection>()> make_second, std::string name)
      : first_(std::move(first)), make_second_(std::move(make_second)), name_(std::move(name)) {}

  void adapt(Change change) override;
  void begin_step(const StepContext& context, IncrementalPotential& potential) override;
  bool takes_local_steps() const override { return first_->takes_local_steps(); }
  bool starts_at_predictor() const override { return first_->starts_at_predictor(); }
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override;
  DirectionResult correction(const Points& x, const Points& g, Points& d) override;
  void accepted(const Points& x, double alpha, double model_error) override;
  bool sees_contacts() const override { return current().sees_contacts(); }
  void lagged_anew() override { current().lagged_anew(); }
  void end_step() override;
  std::string_view fallback() const override { return fallen_back_ ? std::string_view(name_) : std::string_view(); }
  Definiteness curvature(const Points& x, Points& z) override { return current().curvature(x, z); }
  bool retry() override;
  bool confirm() override { return current().confirm(); }
  std::span<const char> balanced() const override { return current().balanced(); }
  void share(Preparation& prepared) const override { first_->share(prepared); }
  void save(ArchiveWriter& archive) const override { first_->save(archive); }
  void load(const ArchiveReader& archive) override { first_->load(archive); }

 private:
  FullSpaceDirection& current() { return fallen_back_ ? *second_ : *first_; }
  const FullSpaceDirection& current() const { return fallen_back_ ? *second_ : *first_; }
  void fall_back();

  std::unique_ptr<FullSpaceDirection> first_, second_;
  std::function<std::unique_ptr<FullSpaceDirection>()> make_second_;
  std::string name_;
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  bool fallen_back_ = false;
  bool falls_back_ = false;        // falls back at the next direction; corrections still belong to the last direction
  int iterations_ = 0, cuts_ = 0;  // iterations in this step; consecutive short steps
};

}  // namespace sinew
