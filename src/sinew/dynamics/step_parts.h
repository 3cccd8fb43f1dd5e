// How a step that fails in one is divided into parts.
#pragma once

namespace sinew {

// Parts are halved where they fail and doubled after two in a row that do not, as automatic steps of finite element
// codes are. The step has 2^k parts of the smallest size, and larger ones begin at multiples of their size.
class StepParts {
 public:
  // most: parts of the smallest size, rounded down to a power of two. first: parts to begin with, a power of two that
  // is not larger; none gets longer than these.
  StepParts(int most, int first);

  // `most` as a power of two, 1 at least.
  static int smallest_parts(int most);

  // The end of the next part and its size, over the step.
  double end() const { return static_cast<double>(done_ + size_) / all_; }
  double share() const { return static_cast<double>(size_) / all_; }
  bool is_smallest() const { return size_ == 1; }
  bool is_last() const { return done_ + size_ == all_; }
  // What is done, over the step.
  double done() const { return static_cast<double>(done_) / all_; }

  void succeeded();
  // False where the smallest part failed.
  bool failed();

 private:
  int all_, longest_, size_, done_ = 0, in_a_row_ = 0;
};

}  // namespace sinew
