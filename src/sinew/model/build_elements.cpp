#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <Eigen/Geometry>

#include "sinew/core/parallel.h"
#include "sinew/material/mass_spring.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/element_parameters.h"
#include "sinew/model/initial_strain.h"

namespace sinew {
namespace {

// A tet of the scene with where its material's values stand.
struct SceneTet {
  Index group = 0;
  std::array<Index, 4> sorted{};    // vertices (corners of the ten-node tet), simulation numbering, ascending
  Index body = 0, tet = 0;          // tet: in the body's mesh
  Index assignment = 0, entry = 0;  // entry: into the assignment's per-tet arrays

  // Groups apart, then along the numbering of the vertices; the last two make the order total.
  auto key() const { return std::tie(group, sorted, body, tet); }
};

// Elements, and the model, with fibers, expansion, families of fibers and initial strain. Of a model with curves also
// the material, which may get other curves later, and its data; of a viscous material the branches.
using GroupKey = std::tuple<Elements, std::string, bool, bool, std::size_t, bool, std::string, std::vector<double>>;

GroupKey group_key(const BodySetup& body, const MaterialAssignment& a) {
  const std::span<const double> own = a.model->data();
  std::vector<double> data(own.begin(), own.end());
  for (const ViscousBranch& branch : a.viscosity) data.insert(data.end(), {branch.time, branch.modulus});
  if (!a.bulk_relaxes) data.push_back(0);
  return {body.elements,     a.model->name(),       !a.fiber_stiffness.empty(), !a.expansion.empty(),
          a.families.size(), has_initial_strain(a), own.empty() ? "" : a.name,  data};
}

class ElementBuilder {
 public:
  ElementBuilder(const Setup& setup, const VertexMaps& maps, System& system) : setup_(setup), maps_(maps), s_(system) {}

  void build() {
    number_groups();
    collect();
    parallel_sort(tets_.begin(), tets_.end(), [](const SceneTet& a, const SceneTet& b) { return a.key() < b.key(); });
    store();
    store_triangles();
    const auto springs = static_cast<Index>(group_of_.size());
    for (Index begin = 0, end = 0; begin < count() && tets_[begin].group < springs; begin = end) {
      while (end < count() && tets_[end].group == tets_[begin].group) ++end;
      s_.groups.push_back(make_group(begin, end));
    }
    store_quadratic();
    store_heat();
    keep_fields();
    add_masses();
  }

 private:
  Index count() const { return static_cast<Index>(tets_.size()); }

  const MaterialAssignment& assignment(const SceneTet& tet) const {
    return setup_.bodies[tet.body].materials[tet.assignment];
  }

  // By name: addresses decide nothing. Tets that springs hold are in none, and come after the others.
  void number_groups() {
    for (const BodySetup& body : setup_.bodies) {
      for (const MaterialAssignment& a : body.materials)
        if (!a.mass_spring) group_of_.emplace(group_key(body, a), 0);
    }
    Index next = 0;
    for (auto& [key, id] : group_of_) id = next++;
  }

  void collect() {
    tets_.reserve(s_.user_tet_count);
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b) {
      const BodySetup& body = setup_.bodies[b];
      if (body.mesh.is_cloth()) continue;
      for (std::size_t a = 0; a < body.materials.size(); ++a) {
        const MaterialAssignment& assignment = body.materials[a];
        const Index group =
            assignment.mass_spring ? static_cast<Index>(group_of_.size()) : group_of_.at(group_key(body, assignment));
        const bool all = assignment.tets.empty();
        const Index size = all ? body.mesh.tet_count() : static_cast<Index>(assignment.tets.size());
        for (Index k = 0; k < size; ++k) {
          SceneTet tet{group, {}, static_cast<Index>(b), all ? k : assignment.tets[k], static_cast<Index>(a), k};
          for (int j = 0; j < 4; ++j) tet.sorted[j] = maps_.mesh[b][corner(body, tet.tet, j)];
          std::sort(tet.sorted.begin(), tet.sorted.end());
          tets_.push_back(tet);
        }
      }
    }
  }

  // Corner j of a tet, or of the ten-node tet that holds it: its parts stay together.
  static Index corner(const BodySetup& body, Index tet, int j) {
    return is_quadratic(body.elements) ? body.mesh.quadratic(j, tet / parts_of_quadratic) : body.mesh.tets(j, tet);
  }

  void store() {
    std::map<std::string, Index> material_ids;
    for (const BodySetup& body : setup_.bodies) {
      for (const MaterialAssignment& a : body.materials) {
        const auto [entry, added] = material_ids.emplace(a.name, static_cast<Index>(s_.material_names.size()));
        if (!added) continue;
        s_.material_names.push_back(a.name);
        s_.material_looks.push_back(a.look);
      }
    }
    // By body and assignment: no look-up of names for every tet.
    std::vector<std::vector<Index>> material(setup_.bodies.size());
    for (std::size_t b = 0; b < material.size(); ++b) {
      for (const MaterialAssignment& a : setup_.bodies[b].materials) material[b].push_back(material_ids[a.name]);
    }
    s_.tets.resize(4, count());
    s_.tet_body.resize(count());
    s_.tet_material.resize(count());
    s_.tet_to_user.resize(count());
    for (Index t = 0; t < count(); ++t) {
      const SceneTet& tet = tets_[t];
      const Tets& own = setup_.bodies[tet.body].mesh.tets;
      for (int j = 0; j < 4; ++j) s_.tets(j, t) = maps_.mesh[tet.body][own(j, tet.tet)];
      s_.tet_body[t] = tet.body;
      s_.tet_material[t] = material[tet.body][tet.assignment];
      const bool shown = !setup_.bodies[tet.body].follower;
      s_.tet_to_user[t] = shown ? s_.bodies[tet.body].tet_user_begin + tet.tet : -1;
    }
  }

  void store_heat() {
    if (std::ranges::all_of(setup_.bodies, [](const BodySetup& body) { return body.heat.empty(); })) return;
    // By body and tet of its mesh.
    std::vector<std::vector<TetHeat>> of_body(setup_.bodies.size());
    for (std::size_t b = 0; b < of_body.size(); ++b) {
      const BodySetup& body = setup_.bodies[b];
      of_body[b].resize(body.mesh.tet_count());
      for (std::size_t h = 0; h < body.heat.size(); ++h) {
        const std::vector<Index>& tets = body.heat[h].tets;
        const Index count = tets.empty() ? body.mesh.tet_count() : static_cast<Index>(tets.size());
        for (Index k = 0; k < count; ++k) of_body[b][tets.empty() ? k : tets[k]] = {static_cast<Index>(h), k};
      }
    }
    s_.tet_heat.resize(count());
    for (Index t = 0; t < count(); ++t) s_.tet_heat[t] = of_body[tets_[t].body][tets_[t].tet];
  }

  // The ten-node tets, in the order of their parts.
  void store_quadratic() {
    Index begin = 0, end = 0;
    for (const ElasticGroup& group : s_.groups) (is_quadratic(group.elements) ? end : begin) = group.tet_end;
    if (end == 0) return;
    s_.quadratic_tets.resize(10, (end - begin) / parts_of_quadratic);
    for (Index q = 0; q < s_.quadratic_tets.cols(); ++q) {
      const SceneTet& first = tets_[begin + parts_of_quadratic * q];
      const QuadraticTets& own = setup_.bodies[first.body].mesh.quadratic;
      for (int a = 0; a < 10; ++a)
        s_.quadratic_tets(a, q) = maps_.mesh[first.body][own(a, first.tet / parts_of_quadratic)];
    }
  }

  // What the user gave for each tet. A parameter with a field in all bodies of the material, or in none, is complete.
  void keep_fields() {
    std::map<std::string, std::map<std::string, std::vector<double>>> values;
    std::vector<Index> order(count());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](Index t) { return s_.tet_to_user[t]; });
    for (const Index t : order) {
      if (is_quadratic(setup_.bodies[tets_[t].body].elements) && tets_[t].tet % parts_of_quadratic != 0) continue;
      const MaterialAssignment& own = assignment(tets_[t]);
      for (const auto& [name, list] : own.fields) values[own.name][name].push_back(list[tets_[t].entry]);
    }
    for (auto& [material, fields] : values)
      for (auto& [name, list] : fields)
        if (static_cast<Index>(list.size()) == tets_of(material)) s_.material_fields[material][name] = std::move(list);
  }

  // A ten-node tet counts once.
  Index tets_of(const std::string& material) const {
    return static_cast<Index>(std::ranges::count_if(tets_, [&](const SceneTet& tet) {
      const bool first = !is_quadratic(setup_.bodies[tet.body].elements) || tet.tet % parts_of_quadratic == 0;
      return first && assignment(tet).name == material;
    }));
  }

  void store_triangles() {
    s_.triangles.resize(3, s_.user_triangles.cols());
    s_.triangle_material.assign(s_.user_triangles.cols(), 0);
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b) {
      const BodySetup& body = setup_.bodies[b];
      const Index begin = s_.bodies[b].triangle_begin;
      for (Index f = 0; f < s_.bodies[b].triangle_count; ++f)
        for (int k = 0; k < 3; ++k) s_.triangles(k, begin + f) = maps_.body[b][body.user_mesh().triangles(k, f)];
      if (body.follower && s_.bodies[b].triangle_count > 0) {
        const auto name = std::ranges::find(s_.material_names, body.materials[0].name) - s_.material_names.begin();
        std::fill_n(s_.triangle_material.begin() + begin, s_.bodies[b].triangle_count, static_cast<Index>(name));
      }
      if (!body.mesh.is_cloth()) continue;
      for (const MaterialAssignment& a : body.materials) {
        const auto name = std::find(s_.material_names.begin(), s_.material_names.end(), a.name);
        const auto material = static_cast<Index>(name - s_.material_names.begin());
        if (a.tets.empty()) std::fill_n(s_.triangle_material.begin() + begin, s_.bodies[b].triangle_count, material);
        for (const Index f : a.tets) s_.triangle_material[begin + f] = material;
      }
    }
  }

  // One value where all tets of the range agree, else one for each.
  template <class Values>
  std::vector<double> column(Index begin, Index end, Values&& values_of) const {
    std::vector<double> column(end - begin);
    for (Index t = begin; t < end; ++t) {
      const std::vector<double>& values = values_of(assignment(tets_[t]));
      column[t - begin] = values[values.size() == 1 ? 0 : tets_[t].entry];
    }
    if (std::all_of(column.begin(), column.end(), [&](double v) { return v == column[0]; })) column.resize(1);
    column.shrink_to_fit();
    return column;
  }

  ElasticGroup make_group(Index begin, Index end) const {
    const MaterialAssignment& first = assignment(tets_[begin]);
    ElasticGroup group;
    group.elements = setup_.bodies[tets_[begin].body].elements;
    group.model = first.model;
    group.tet_begin = begin;
    group.tet_end = end;
    for (std::size_t p = 0; p < first.parameters.size(); ++p) {
      group.parameters.push_back(column(
          begin, end, [p](const MaterialAssignment& a) -> const auto& { return a.parameters[p]; }));
    }
    group.viscosity = first.viscosity;
    group.bulk_relaxes = first.bulk_relaxes;
    group.flows = first.model->plastic() != nullptr;
    group.initial_stretch = initial_stretches(begin, end);
    for (std::size_t f = 0; f < first.families.size(); ++f)
      group.families.push_back(directions(
          begin, end, [f](const MaterialAssignment& a) -> const auto& { return a.families[f]; }));
    if (!first.expansion.empty())
      group.expansion = column(
          begin, end, [](const MaterialAssignment& a) -> const auto& { return a.expansion; });
    if (first.fiber_stiffness.empty()) return group;
    group.fiber_stiffness = column(
        begin, end, [](const MaterialAssignment& a) -> const auto& { return a.fiber_stiffness; });
    group.fiber_tension.resize(static_cast<std::size_t>(end - begin));
    for (Index t = begin; t < end; ++t) {
      const MaterialAssignment& a = assignment(tets_[t]);
      group.fiber_tension[static_cast<std::size_t>(t - begin)] = activation_at_start(a) * a.fiber_tension;
      add_muscle(a);
    }
    if (std::ranges::all_of(group.fiber_tension, [&](double tension) { return tension == group.fiber_tension[0]; }))
      group.fiber_tension.resize(1);
    group.fiber_direction = directions(
        begin, end, [](const MaterialAssignment& a) -> const auto& { return a.fiber_direction; });
    return group;
  }

  static double activation_at_start(const MaterialAssignment& a) {
    return a.activation_keys.empty() ? a.activation : a.activation_keys.at(0)[0];
  }

  void add_muscle(const MaterialAssignment& a) const {
    if (a.fiber_tension == 0 && a.fiber_length == 1 && a.fiber_length_keys.empty()) return;
    Muscle muscle{a.fiber_tension, activation_at_start(a)};
    if (a.fiber_tension > 0) muscle.activation_keys = a.activation_keys;
    muscle.length = a.fiber_length_keys.empty() ? a.fiber_length : a.fiber_length_keys.at(0)[0];
    muscle.length_keys = a.fiber_length_keys;
    s_.muscles[a.name] = std::move(muscle);
  }

  // F at rest of tets with an initial strain or stress.
  MatX initial_stretches(Index begin, Index end) const {
    if (!has_initial_strain(assignment(tets_[begin]))) return {};
    MatX result(9, end - begin);
    parallel_for(
        static_cast<std::size_t>(end - begin),
        [&](std::size_t k) {
          const SceneTet& tet = tets_[begin + static_cast<Index>(k)];
          const RowMat3 F = initial_stretch(assignment(tet), static_cast<std::size_t>(tet.entry));
          result.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const VecX>(F.data(), 9);
        },
        64);
    const bool constant = (result.colwise() - VecX(result.col(0))).isZero(0);
    return constant ? MatX(result.leftCols(1)) : result;
  }

  template <class Directions>
  Points directions(Index begin, Index end, Directions&& directions_of) const {
    Points result(3, end - begin);
    for (Index t = begin; t < end; ++t) {
      const Points& own = directions_of(assignment(tets_[t]));
      result.col(t - begin) = own.col(own.cols() == 1 ? 0 : tets_[t].entry).normalized();
    }
    const bool constant = (result.colwise() - Vec3(result.col(0))).isZero(0);
    return constant ? Points(result.leftCols(1)) : result;
  }

  double density(Index t) const {
    const std::vector<double>& values = assignment(tets_[t]).density;
    return values[values.size() == 1 ? 0 : tets_[t].entry];
  }

  // A quarter of each tet's mass to each of its vertices.
  void add_masses() {
    s_.mass.assign(s_.dynamic_count, 0.0);
    add_quadratic_masses();
    for (Index t = 0; t < count(); ++t) {
      if (s_.quadratic_of(t) >= 0) continue;
      const double quarter = density(t) * tet_volume(s_.rest, s_.tets, t) / 4;
      for (int j = 0; j < 4; ++j) s_.mass[s_.tets(j, t)] += quarter;
    }
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b)
      if (setup_.bodies[b].mesh.is_cloth()) add_cloth_masses(b);
  }

  // Shares of a ten-node tet's mass in proportion to the diagonal of its consistent mass matrix: 1/36 at corners and
  // 4/27 at mid-nodes (Hinton, Rock and Zienkiewicz 1976). A quarter of it to each vertex would be 0 or less at
  // corners.
  void add_quadratic_masses() {
    for (Index q = 0; q < s_.quadratic_tets.cols(); ++q) {
      const double mass =
          density(s_.quadratic_begin() + parts_of_quadratic * q) * quadratic_tet_volume(s_.rest, s_.quadratic_tets, q);
      for (int a = 0; a < 10; ++a) s_.mass[s_.quadratic_tets(a, q)] += mass * (a < 4 ? 1.0 / 36 : 4.0 / 27);
    }
  }

  // A third of each triangle's.
  void add_cloth_masses(std::size_t b) {
    const BodySetup& body = setup_.bodies[b];
    double area = 0;
    for (const MaterialAssignment& a : body.materials) {
      const bool all = a.tets.empty();
      const std::size_t size = all ? body.mesh.element_count() : a.tets.size();
      for (std::size_t k = 0; k < size; ++k) {
        const Index f = s_.bodies[b].triangle_begin + (all ? static_cast<Index>(k) : a.tets[k]);
        const double own = triangle_area(s_.rest, s_.triangles, f);
        const double volume = value_of(a.parameters[MassSpring::thickness], k) * own;
        area += own;
        s_.bodies[b].cloth_volume += volume;
        for (int j = 0; j < 3; ++j) s_.mass[s_.triangles(j, f)] += value_of(a.density, k) * volume / 3;
      }
    }
    s_.bodies[b].thickness = s_.bodies[b].cloth_volume / area;
  }

  const Setup& setup_;
  const VertexMaps& maps_;
  System& s_;
  std::map<GroupKey, Index> group_of_;
  std::vector<SceneTet> tets_;
};

}  // namespace

void build_elements(const Setup& setup, const VertexMaps& maps, System& system) {
  ElementBuilder(setup, maps, system).build();
}

void build_velocities(const Setup& setup, System& s) {
  std::vector<double> mass(setup.bodies.size(), 0.0);
  std::vector<Vec3> moment(setup.bodies.size(), Vec3::Zero());
  for (Index i = 0; i < s.dynamic_count; ++i) {
    mass[s.vertex_body[i]] += s.mass[i];
    moment[s.vertex_body[i]] += s.mass[i] * s.rest.col(i);
  }
  s.initial_velocity.resize(3, s.dynamic_count);
  for (Index i = 0; i < s.dynamic_count; ++i) {
    const Index b = s.vertex_body[i];
    const Vec3 arm = s.rest.col(i) - moment[b] / mass[b];
    s.initial_velocity.col(i) = setup.bodies[b].velocity + setup.bodies[b].angular_velocity.cross(arm);
  }
  // Vertices that are held have no velocity, which a reaction would have to stop in the first step; those that follow a
  // motion keep that of their body.
  for (const PrescribedVertex& prescribed : s.prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k] && prescribed.holds_at(0) && s.motions[prescribed.motion].empty())
        s.initial_velocity(k, prescribed.vertex) = 0;
}

}  // namespace sinew
