#include "sinew/model/part_of_system.h"

#include <algorithm>

#include "sinew/core/sort_unique.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// The entries of a column of one value or one a tet that belong to the tets [begin, end) of the part.
std::vector<double> entries_of(const std::vector<double>& column, const ElasticGroup& group,
                               std::span<const Index> tets, Index begin, Index end) {
  if (column.size() <= 1) return column;
  std::vector<double> values;
  for (Index t = begin; t < end; ++t) values.push_back(column[tets[t] - group.tet_begin]);
  return values;
}

Points directions_of(const Points& column, const ElasticGroup& group, std::span<const Index> tets, Index begin,
                     Index end) {
  if (column.cols() <= 1) return column;
  Points values(3, end - begin);
  for (Index t = begin; t < end; ++t) values.col(t - begin) = column.col(tets[t] - group.tet_begin);
  return values;
}

}  // namespace

// Tets of a group are consecutive, and so are those of the part.
void add_groups(const System& whole, std::span<const Index> tets, System& part) {
  for (const ElasticGroup& group : whole.groups) {
    const auto first = std::ranges::lower_bound(tets, group.tet_begin);
    const auto last = std::ranges::lower_bound(tets, group.tet_end);
    if (first == last) continue;
    ElasticGroup own;
    own.elements = group.elements;
    own.model = group.model;
    own.tet_begin = static_cast<Index>(first - tets.begin());
    own.tet_end = static_cast<Index>(last - tets.begin());
    for (const auto& column : group.parameters)
      own.parameters.push_back(entries_of(column, group, tets, own.tet_begin, own.tet_end));
    own.fiber_stiffness = entries_of(group.fiber_stiffness, group, tets, own.tet_begin, own.tet_end);
    own.fiber_tension = entries_of(group.fiber_tension, group, tets, own.tet_begin, own.tet_end);
    own.expansion = entries_of(group.expansion, group, tets, own.tet_begin, own.tet_end);
    own.viscosity = group.viscosity;
    own.bulk_relaxes = group.bulk_relaxes;
    own.flows = group.flows;
    own.initial_stretch = group.initial_stretch;
    if (group.initial_stretch.cols() > 1) {
      own.initial_stretch.resize(9, own.tet_end - own.tet_begin);
      for (Index t = own.tet_begin; t < own.tet_end; ++t)
        own.initial_stretch.col(t - own.tet_begin) = group.initial_stretch.col(tets[t] - group.tet_begin);
    }
    own.fiber_direction = directions_of(group.fiber_direction, group, tets, own.tet_begin, own.tet_end);
    for (const Points& family : group.families)
      own.families.push_back(directions_of(family, group, tets, own.tet_begin, own.tet_end));
    part.groups.push_back(std::move(own));
  }
}

std::vector<double> vertex_volumes(const System& system) {
  std::vector<double> volume(system.dynamic_count, 0.0);
  for (Index t = 0; t < system.tet_count(); ++t) {
    const double own = tet_volume(system.rest, system.tets, t);
    for (int i = 0; i < 4; ++i) volume[system.tets(i, t)] += own;
  }
  return volume;
}

System part_of_system(const System& whole, std::span<const Index> tets, std::span<const double> volume,
                      std::vector<Index>& vertices) {
  System part;
  part.setup = whole.setup;
  part.bodies = whole.bodies;
  part.material_names = whole.material_names;
  part.muscles = whole.muscles;
  vertices.clear();
  for (const Index t : tets)
    for (int i = 0; i < 4; ++i) vertices.push_back(whole.tets(i, t));
  sort_unique(vertices);
  const auto n = static_cast<Index>(vertices.size()), m = static_cast<Index>(tets.size());
  part.dynamic_count = n;
  part.rest.resize(3, n);
  for (Index v = 0; v < n; ++v) part.rest.col(v) = whole.rest.col(vertices[v]);
  part.tets.resize(4, m);
  part.mass.assign(n, 0.0);
  for (Index t = 0; t < m; ++t) {
    const double own = tet_volume(whole.rest, whole.tets, tets[t]);
    for (int i = 0; i < 4; ++i) {
      part.tets(i, t) =
          static_cast<Index>(std::ranges::lower_bound(vertices, whole.tets(i, tets[t])) - vertices.begin());
      const Index v = part.tets(i, t);
      part.mass[v] += own / volume[vertices[v]] * whole.mass[vertices[v]];
    }
    part.tet_body.push_back(whole.tet_body[tets[t]]);
    part.tet_material.push_back(whole.tet_material[tets[t]]);
    part.tet_to_user.push_back(whole.tet_to_user[tets[t]]);
  }
  for (const Index v : vertices) {
    part.vertex_body.push_back(whole.vertex_body[v]);
    part.vertex_to_user.push_back(whole.vertex_to_user[v]);
  }
  part.initial_velocity.setZero(3, n);
  add_groups(whole, tets, part);
  part.diagonal = (part.rest.rowwise().maxCoeff() - part.rest.rowwise().minCoeff()).norm();
  return part;
}

}  // namespace sinew
