#include "sinew/app/memory.h"

#include <cmath>

#include "sinew/app/check_parts.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/methods.h"

namespace sinew::app {
namespace {

// Measured on balls of 15k to 185k tets, writing frames [bytes].
constexpr double base_bytes = 20e6, bytes_per_tet = 500, bytes_per_vertex = 2500, bytes_per_block = 76;
constexpr double factor_blocks =
    24;  // 3x3 blocks of factor and work space over n^(4/3): 21 to 22 of a ball, more in contact

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

}  // namespace sinew::app
