#include "sinew/lint/memory.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/dynamics/methods.h"
#include "sinew/lint/check_parts.h"

namespace sinew {
namespace {

// Measured on balls of 15k to 185k tets, writing frames [bytes].
constexpr double base_bytes = 20e6, bytes_per_tet = 500, bytes_per_vertex = 2500, bytes_per_block = 76;
// Blocks of the elastic Hessian over those of linear tets, by kind of elements; counted in boxes of 6,000 tets.
constexpr double wider[] = {1, 4, 2, 13};
constexpr double worth_naming = 0.9;  // of the memory that another method needs, below which it is advised

// "use coarser meshes", or the method of the table that needs the least where that is less.
std::string remedy(const System& system, const std::string& method) {
  const auto memory = [&](const Method& m) { return estimated_memory(system, std::string(m.name)); };
  const Method& lightest = *std::ranges::min_element(methods(), {}, memory);
  if (memory(lightest) > worth_naming * estimated_memory(system, method)) return "use coarser meshes";
  return fmt::format("use coarser meshes, or --method {}, which needs less", lightest.name);
}

// Mean over the tets.
double width_of_blocks(const System& system) {
  double sum = system.tet_count() - system.elastic_tet_count();
  for (const ElasticGroup& group : system.groups)
    sum += wider[static_cast<int>(group.elements)] * (group.tet_end - group.tet_begin);
  return system.tet_count() > 0 ? sum / system.tet_count() : 1;
}

}  // namespace

double estimated_memory(const System& system, const std::string& method) {
  const double vertices = system.dynamic_count, tets = system.tet_count();
  // Euler's formula for a solid: edges = vertices + tets + half of the boundary triangles, but for the genus.
  const double springs = static_cast<double>(system.edge_springs.size());
  const double edges = vertices + tets + 0.5 * static_cast<double>(system.collision.triangles.cols()) + springs;
  const double blocks = vertices + width_of_blocks(system) * edges;
  const double bytes = base_bytes + bytes_per_tet * tets + bytes_per_vertex * vertices + bytes_per_block * blocks;
  return bytes + find_method(method).memory(system);
}

void check_memory(const System& system, const std::string& method) {
  const double needed = estimated_memory(system, method), available = available_memory();
  if (available <= 0 || needed <= available) return;
  fail_input(code::memory, "the scene needs about {} of memory ({} tets, method {}), but {} are free; {}",
             memory_text(needed), system.tet_count(), method, memory_text(available), remedy(system, method));
}

void check_free_memory(const System& system, Findings& findings) {
  constexpr double crowded = 0.8;
  const std::string method = resolved_method(system.setup.solver);
  const double needed = estimated_memory(system, method), available = available_memory();
  if (available <= 0 || needed <= crowded * available) return;
  findings.add({"memory",
                needed > available ? Severity::error : Severity::warning,
                fmt::format("the run needs about {}, {} are free", memory_text(needed), memory_text(available)),
                remedy(system, method),
                {},
                needed});
}

}  // namespace sinew
