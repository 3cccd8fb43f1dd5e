// Reproducible random numbers: the same on every machine, with one stream for each task.
#pragma once

#include <cstdint>

namespace sinew {

// The SplitMix64 generator (Steele, Lea & Flood 2014).
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream) : state_(seed) {
    state_ = next() ^ (stream * 0x9e3779b97f4a7c15ull);
  }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  // Uniformly distributed in (0, 1).
  double uniform() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace sinew
