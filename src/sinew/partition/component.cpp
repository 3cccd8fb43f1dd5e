#include "sinew/partition/component.h"

#include <algorithm>
#include <cmath>

#include "sinew/mesh/surface.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

// One flag for each vertex: whether tets of several materials meet there.
std::vector<char> interface_vertices(const Component& component) {
  std::vector<char> is_interface(component.vertex_count(), 0);
  std::vector<Index> first(component.vertex_count(), -1);
  for (Index t = 0; t < component.tet_count(); ++t) {
    for (int i = 0; i < 4; ++i) {
      const Index v = component.mesh.tets(i, t);
      if (first[v] < 0) first[v] = t;
      if (component.material[t] != component.material[first[v]]) is_interface[v] = 1;
    }
  }
  return is_interface;
}

// The stiffness that distances use (SMS, section 3.6): (E / min E)^stiffness_exponent, and `interface_stiffness` in
// tets with a vertex in several materials, which are then long and keep clusters from crossing interfaces.
std::vector<double> metric_stiffness(const Component& component, const Domain& domain, double interface_stiffness,
                                     double stiffness_exponent) {
  std::vector<double> stiffness(component.tet_count());
  for (Index t = 0; t < component.tet_count(); ++t) stiffness[t] = domain.young[component.mesh.tet[t]];
  const double softest = *std::min_element(stiffness.begin(), stiffness.end());
  const std::vector<char> is_interface = interface_vertices(component);
  for (Index t = 0; t < component.tet_count(); ++t) {
    const auto tet = component.mesh.tets.col(t);
    const bool crosses = std::any_of(tet.begin(), tet.end(), [&](Index v) { return is_interface[v] != 0; });
    stiffness[t] = crosses ? interface_stiffness : std::pow(stiffness[t] / softest, stiffness_exponent);
  }
  return stiffness;
}

}  // namespace

Vec3 Component::barycentre(Index t) const {
  Vec3 sum = Vec3::Zero();
  for (const Index v : mesh.tets.col(t)) sum += mesh.vertices.col(v);
  return sum / 4;
}

// The mesh of one component with what the division needs: neighbours, volumes, materials, relative stiffnesses.
Component make_component(const Domain& domain, std::span<const Index> tets, double interface_stiffness,
                         double stiffness_exponent) {
  Component component;
  component.mesh = extract(domain, tets);
  component.neighbours = tet_neighbours(component.mesh.tets);
  component.volume.resize(tets.size());
  component.material.resize(tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    component.volume[t] = domain.volume[tets[t]];
    component.material[t] = domain.material[tets[t]];
  }
  component.stiffness = metric_stiffness(component, domain, interface_stiffness, stiffness_exponent);
  const Index n = component.vertex_count();
  component.free.resize(n);
  for (Index v = 0; v < n; ++v) component.free[v] = domain.fixed[component.mesh.vertex[v]] ? 0 : 1;
  component.vertex_volume = lumped_volume(n, component.mesh.tets, component.volume);
  // The size of a tet in the metric is V k^(-3/2): clusters of equal size are larger in stiff parts.
  std::vector<double> size(component.volume);
  for (std::size_t t = 0; t < size.size(); ++t) size[t] *= std::pow(component.stiffness[t], -1.5);
  component.vertex_size = lumped_volume(n, component.mesh.tets, size);
  for (Index v = 0; v < n; ++v)
    if (!component.free[v]) component.vertex_size[v] = 0;
  return component;
}

// The tets of each component, ascending, by counting sort.
ComponentTets component_tets(const Domain& domain) {
  ComponentTets sorted;
  sorted.offsets.assign(static_cast<std::size_t>(domain.component_count) + 1, 0);
  for (const Index c : domain.component) ++sorted.offsets[c + 1];
  for (Index c = 0; c < domain.component_count; ++c) sorted.offsets[c + 1] += sorted.offsets[c];
  sorted.items.resize(domain.component.size());
  std::vector<Index> cursor(sorted.offsets.begin(), sorted.offsets.end() - 1);
  for (Index t = 0; t < domain.tet_count(); ++t) sorted.items[cursor[domain.component[t]]++] = t;
  return sorted;
}

}  // namespace sinew
