#include "sinew/core/memory.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace sinew {
namespace {

double number_in_file(const char* path, double otherwise) {
  std::ifstream stream(path);
  double value = otherwise;
  return stream >> value ? value : otherwise;
}

}  // namespace

double available_memory() {
  double available = 0;
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("MemAvailable:")) available = 1024 * std::stod(line.substr(13));
  }
  const double limit = number_in_file("/sys/fs/cgroup/memory.max", 0);  // "max" is no number
  if (limit > 0) available = std::min(available, limit - number_in_file("/sys/fs/cgroup/memory.current", 0));
  return available;
}

std::string memory_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  return fmt::format("{:.0f} MB", bytes / 1e6);
}

}  // namespace sinew
