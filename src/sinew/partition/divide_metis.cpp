#include <limits>

#include <fmt/format.h>
#include <metis.h>

#include "sinew/core/error.h"
#include "sinew/linalg/metis_lock.h"
#include "sinew/partition/methods.h"

namespace sinew {

// METIS divides the graph of tets that share a face into parts of equally many tets; stiffness plays no role.
std::vector<Index> divide_metis(const Component& component, Index clusters, const PartitionOptions& options) {
  idx_t m = component.tet_count(), constraints = 1, parts = clusters, cut = 0;
  std::vector<idx_t> begin{0}, neighbours, part(m);
  for (Index t = 0; t < m; ++t) {
    for (int i = 0; i < 4; ++i)
      if (component.neighbours(i, t) >= 0) neighbours.push_back(component.neighbours(i, t));
    begin.push_back(static_cast<idx_t>(neighbours.size()));
  }
  idx_t metis_options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(metis_options);
  metis_options[METIS_OPTION_SEED] = static_cast<idx_t>(options.seed % std::numeric_limits<idx_t>::max());
  metis_options[METIS_OPTION_NUMBERING] = 0;
  metis_options[METIS_OPTION_CONTIG] = 1;
  const MetisLock lock;
  const int status = METIS_PartGraphKway(&m, &constraints, begin.data(), neighbours.data(), nullptr, nullptr, nullptr,
                                         &parts, nullptr, nullptr, metis_options, &cut, part.data());
  if (status != METIS_OK)
    throw SimulationError(
        code::factorization,
        fmt::format("METIS failed to divide the mesh (status {}); check the mesh with sinew check", status));
  return part;
}

}  // namespace sinew
