// Data that methods compute from a model, and that copies of a simulation share.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sinew {

struct EstimatorLevels;     // multilevel/multilevel_preconditioner.h
struct Hierarchy;           // multilevel/hierarchy.h
struct ModeLibrary;         // adaptive/mode_library.h
struct ProjectiveConstant;  // quasi_newton/projective_matrix.h
struct ReducedBasis;        // reduced/reduced_basis.h
struct TornMesh;            // adaptive/region_hessians.h

// A value that the simulations of one model compute once: each looks here before it computes the value, and offers it
// to the others afterwards. Values never change. Threads may call at once.
template <class T>
class Shared {
 public:
  explicit Shared(std::shared_ptr<const T> value = {}) : value_(std::move(value)) {}

  std::shared_ptr<const T> get() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return value_;
  }
  void offer(std::shared_ptr<const T> value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    value_ = std::move(value);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

struct Preparation {
  std::shared_ptr<const Hierarchy> hierarchy;
  std::shared_ptr<const ModeLibrary> library;
  std::shared_ptr<const ReducedBasis> basis;
  // For hierarchy and library: the prescribed flags by vertex or coordinate, as their owner keeps them.
  std::vector<char> fixed;
  double time = 0;     // at which the basis was made [s]
  bool loads = false;  // the stepper gets its state by load(), and needs none at the start

  // Made by the first step that needs them.
  std::shared_ptr<Shared<ProjectiveConstant>> projective;
  std::shared_ptr<Shared<EstimatorLevels>> levels;
  std::shared_ptr<Shared<TornMesh>> torn;

  // For a model that will differ: keeps the values, and no longer shares those that come.
  void part() {
    const auto own = [](auto& shared) {
      if (shared) shared = std::make_shared<std::decay_t<decltype(*shared)>>(shared->get());
    };
    own(projective);
    own(levels);
    own(torn);
  }
};

}  // namespace sinew
