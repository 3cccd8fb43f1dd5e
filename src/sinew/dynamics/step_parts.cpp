#include "sinew/dynamics/step_parts.h"

#include <algorithm>
#include <bit>

namespace sinew {

StepParts::StepParts(int most, int first)
    : all_(std::max(smallest_parts(most), first)), longest_(all_ / first), size_(longest_) {}

int StepParts::smallest_parts(int most) {
  return most > 1 ? static_cast<int>(std::bit_floor(static_cast<unsigned>(most))) : 1;
}

void StepParts::succeeded() {
  done_ += size_;
  if (++in_a_row_ < 2 || done_ % (2 * size_) != 0 || 2 * size_ > longest_) return;
  size_ *= 2;
  in_a_row_ = 0;
}

bool StepParts::failed() {
  in_a_row_ = 0;
  if (size_ == 1) return false;
  size_ /= 2;
  return true;
}

}  // namespace sinew
