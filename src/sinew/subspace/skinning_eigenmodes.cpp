#include "sinew/subspace/skinning_eigenmodes.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "sinew/core/activity.h"
#include "sinew/core/parallel.h"
#include "sinew/linalg/lanczos.h"
#include "sinew/partition/laplacian.h"
#include "sinew/partition/submesh.h"
#include "sinew/subspace/cluster_graph.h"

namespace sinew {
namespace {

struct ComponentModes {
  std::vector<Index> vertices;  // of the domain, the free ones
  Eigenpairs modes;
  Vec3 center = Vec3::Zero();
  double radius = 0;
};

// The lowest `count` modes L_w w = lambda M w of one component (Benchekroun et al. 2023, "Fast complementary dynamics
// via skinning eigenmodes"; SMFEM, section 5.1): rows and columns of fixed vertices are left out, and the shift of the
// shift-invert Lanczos method is of the size of the lowest eigenvalues.
ComponentModes component_modes(const Domain& domain, const std::vector<double>& stiffness, std::span<const Index> tets,
                               Index count) {
  const Submesh mesh = extract(domain, tets);
  std::vector<double> volume, k;
  for (Index t : mesh.tet) {
    volume.push_back(domain.volume[t]);
    k.push_back(stiffness[t]);
  }
  const SparseMatrix L = stiffness_laplacian(mesh.vertices, mesh.tets, volume, k);
  VecX mass(mesh.vertex_count());
  for (Index v = 0; v < mesh.vertex_count(); ++v) mass[v] = domain.mass[mesh.vertex[v]];
  ComponentModes result;
  result.center = mesh.vertices * mass / mass.sum();
  result.radius = (mesh.vertices.colwise() - result.center).colwise().norm().maxCoeff();

  // Rows and columns of the free vertices alone.
  std::vector<Index> number(mesh.vertex_count(), -1), free;
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    if (domain.fixed[mesh.vertex[v]]) continue;
    number[v] = static_cast<Index>(free.size());
    free.push_back(v);
    result.vertices.push_back(mesh.vertex[v]);
  }
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index v : free) {
    for (SparseMatrix::InnerIterator e(L, v); e; ++e) {
      if (number[e.row()] >= 0) entries.emplace_back(number[e.row()], number[v], e.value());
    }
  }
  SparseMatrix A(static_cast<Index>(free.size()), static_cast<Index>(free.size()));
  A.setFromTriplets(entries.begin(), entries.end());
  // k / (rho r^2): about the lowest eigenvalue of a body of radius r of the softest material.
  const double softest = *std::min_element(k.begin(), k.end());
  const double density = mass.sum() / std::accumulate(volume.begin(), volume.end(), 0.0);
  const double shift = softest / (density * result.radius * result.radius);
  LanczosOptions options;
  options.after_block = activity::reached;
  result.modes = lowest_eigenpairs(A, mass(free), count, shift, options);
  return result;
}

// A handle, the column of its component's modes that gives its weights, and the entry of largest magnitude there.
struct ScaledColumn {
  Index handle, column;
  double largest;
};

// The weights of all handles by vertex, in arrays of their final size: no more than n k of them at once.
void set_weights(const std::vector<ComponentModes>& components, const std::vector<std::vector<ScaledColumn>>& columns,
                 Index vertices, HandleBasis& basis) {
  basis.begin.assign(static_cast<std::size_t>(vertices) + 1, 0);
  const auto for_each_vertex = [&](auto visit) {
    for (std::size_t c = 0; c < components.size(); ++c) {
      const ComponentModes& component = components[c];
      parallel_for(component.vertices.size(), [&](std::size_t v) {
        std::int64_t at = basis.begin[component.vertices[v]];
        for (const ScaledColumn& column : columns[c]) {
          const double weight = component.modes.vectors(static_cast<Index>(v), column.column) / column.largest;
          if (weight != 0) visit(at++, column.handle, weight);
        }
        basis.begin[component.vertices[v]] = at;
      });
    }
  };
  // First pass: counts, which an exclusive sum turns into the beginnings of the rows. Second pass: the weights are
  // written while each beginning moves to the end of its row, which is the beginning of the next; a shift by one
  // restores them.
  for_each_vertex([](std::int64_t, Index, double) {});
  std::exclusive_scan(basis.begin.begin(), basis.begin.end(), basis.begin.begin(), std::int64_t{0});
  basis.handle.resize(static_cast<std::size_t>(basis.begin.back()));
  basis.weight.resize(basis.handle.size());
  for_each_vertex([&](std::int64_t at, Index handle, double weight) {
    basis.handle[at] = handle;
    basis.weight[at] = weight;
  });
  std::shift_right(basis.begin.begin(), basis.begin.end(), 1);
  basis.begin[0] = 0;
}

}  // namespace

// The stiffness of each tet in L_w: lambda + 4 mu, or 2 E for models without Lamé parameters.
std::vector<double> spread_stiffness(const Domain& domain) {
  std::vector<double> stiffness(domain.tet_count());
  for (std::size_t t = 0; t < stiffness.size(); ++t) {
    const double at_rest = domain.lambda[t] + 4 * domain.mu[t];
    stiffness[t] = at_rest > 0 ? at_rest : 2 * domain.young[t];
  }
  return stiffness;
}

// Modes of all components in parallel; then the handles: the lowest mode of each component first, so that each can
// move, then the lowest of all others.
HandleBasis skinning_eigenmodes(const Domain& domain, Index count, std::vector<double>* eigenvalues) {
  const std::vector<double> stiffness = spread_stiffness(domain);
  const IndexLists tets = grouped(domain.component, domain.component_count);
  std::vector<ComponentModes> components(domain.component_count);
  parallel_for(
      components.size(), [&](std::size_t c) { components[c] = component_modes(domain, stiffness, tets[c], count); }, 1);

  // All modes of all components by eigenvalue, but each component's lowest one first.
  struct Mode {
    double value;
    Index component, number;
  };
  std::vector<Mode> modes;
  for (Index c = 0; c < domain.component_count; ++c) {
    for (Index i = 0; i < components[c].modes.values.size(); ++i)
      modes.push_back({components[c].modes.values[i], c, i});
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) {
    const int a_later = a.number > 0, b_later = b.number > 0;
    return a_later != b_later ? a_later < b_later : a.value < b.value;
  });
  modes.resize(std::min(modes.size(), static_cast<std::size_t>(std::max<Index>(count, 0))));

  // Handles with the frames of their components; a mode is scaled so that its entry of largest magnitude is 1.
  HandleBasis basis;
  std::vector<std::vector<ScaledColumn>> columns(components.size());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const ComponentModes& component = components[modes[i].component];
    basis.center.push_back(component.center);
    basis.radius.push_back(component.radius);
    if (eigenvalues) eigenvalues->push_back(modes[i].value);
    const auto mode = component.modes.vectors.col(modes[i].number);
    Index largest = 0;
    mode.cwiseAbs().maxCoeff(&largest);
    columns[modes[i].component].push_back({static_cast<Index>(i), modes[i].number, mode[largest]});
  }
  set_weights(components, columns, domain.vertex_count(), basis);
  return basis;
}

}  // namespace sinew
