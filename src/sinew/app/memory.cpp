#include "sinew/app/memory.h"

#include <cmath>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "sinew/app/check_parts.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/methods.h"

namespace sinew::app {
namespace {

// Measured on balls of 15k to 185k tets, writing frames [bytes].
constexpr double base_bytes = 20e6, bytes_per_tet = 500, bytes_per_vertex = 2500, bytes_per_block = 76;
constexpr double factor_blocks =
    24;  // 3x3 blocks of factor and work space over n^(4/3): 21 to 22 of a ball, more in contact

double number_in_file(const char* path, double otherwise) {
  std::ifstream stream(path);
  double value = otherwise;
  return stream >> value ? value : otherwise;
}

}  // namespace

double estimated_memory(const System& system, const std::string& method) {
  const double vertices = system.dynamic_count, tets = system.tet_count();
  // Euler's formula for a solid: edges = vertices + tets + half of the boundary triangles, but for the genus.
  const double edges = vertices + tets + 0.5 * static_cast<double>(system.collision.triangles.cols());
  double bytes = base_bytes + bytes_per_tet * tets + bytes_per_vertex * vertices + bytes_per_block * (vertices + edges);
  if (method == "newton") {
    for (const SystemBody& body : system.bodies) {
      bytes += 9 * sizeof(double) * factor_blocks * std::pow(static_cast<double>(body.vertex_count), 4.0 / 3);
    }
  }
  return bytes;
}

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

void check_memory(const System& system, const std::string& method) {
  const double needed = estimated_memory(system, method), available = available_memory();
  if (available <= 0 || needed <= available) return;
  fail_input("the scene needs about {} of memory ({} tets, method {}), but {} are free; use coarser meshes{}",
             memory_text(needed), system.tet_count(), method, memory_text(available),
             method == "newton" ? " or --method newton-pcg, which needs less" : "");
}

void check_free_memory(const System& system, Findings& findings) {
  constexpr double crowded = 0.8;
  const std::string method = resolved_method(system.setup.solver);
  const double needed = estimated_memory(system, method), available = available_memory();
  if (available <= 0 || needed <= crowded * available) return;
  findings.add(
      {"memory",
       needed > available ? Severity::error : Severity::warning,
       fmt::format("the run needs about {}, {} are free", memory_text(needed), memory_text(available)),
       method == "newton" ? "use coarser meshes, or --method newton-pcg, which needs less" : "use coarser meshes",
       {},
       needed});
}

std::string memory_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  return fmt::format("{:.0f} MB", bytes / 1e6);
}

}  // namespace sinew::app
