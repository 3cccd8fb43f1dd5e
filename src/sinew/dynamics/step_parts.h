// Divides a failed step into parts.
#pragma once

namespace sinew {

// Parts are halved after a failure and doubled after two successes in a row. The step consists of 2^k parts of the
// smallest size. Larger parts begin at multiples of their size.
class StepParts {
 public:
  // most: number of smallest parts, rounded down to a power of two. first: initial number of parts, a power of two up
  // to `most`; parts never get longer than initially.
  StepParts(int most, int first);

  // Rounds `most` down to a power of two, at least 1.
  static int smallest_parts(int most);

  // End and size of the next part, as fractions of the step.
  double end() const { return static_cast<double>(done_ + size_) / all_; }
  double share() const { return static_cast<double>(size_) / all_; }
  bool is_smallest() const { return size_ == 1; }
  bool is_last() const { return done_ + size_ == all_; }
  // Completed fraction of the step.
  double done() const { return static_cast<double>(done_) / all_; }

  void succeeded();
  // Halves the next part. Returns false if the part was already of the smallest size.
  bool failed();

 private:
  int all_, longest_, size_, done_ = 0, in_a_row_ = 0;
};

}  // namespace sinew
