// Numbers that look random and are the same on every machine: proportions of things that should not be alike.
#pragma once

#include <cstdint>

namespace sinew::mesher {

// In [0, 1), number `which` of item `item` (splitmix64).
inline double scattered(int item, int which) {
  std::uint64_t z =
      0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(item) * 64 + static_cast<std::uint64_t>(which) + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

// In [low, high).
inline double scattered(int item, int which, double low, double high) {
  return low + (high - low) * scattered(item, which);
}

}  // namespace sinew::mesher
