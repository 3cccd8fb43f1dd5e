#include "sinew/io/requested_fields.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Dense>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/suggest.h"
#include "sinew/core/symmetric_tensor.h"
#include "sinew/mesh/consistent_loads.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr const char* energy_density_name = "energy_density";

constexpr FieldInfo fields[] = {
    {"first_piola", "Pa", 9, false, "first Piola-Kirchhoff stress, row by row: force over area at rest"},
    {"second_piola", "Pa", 6, false, "second Piola-Kirchhoff stress"},
    {"principal_stress", "Pa", 3, false, "principal Cauchy stresses, largest first"},
    {"principal_stress_directions", "", 9, false, "their directions, one after another"},
    {"pressure", "Pa", 1, false, "minus a third of the trace of the Cauchy stress"},
    {"strain", "", 6, false, "logarithmic strain, in the axes of space"},
    {"green_strain", "", 6, false, "Green strain, in the axes of the rest state"},
    {"principal_strain", "", 3, false, "principal logarithmic strains, largest first"},
    {"principal_strain_directions", "", 9, false, "their directions in space, one after another"},
    {"jacobian", "", 1, false, "volume over volume at rest, det F"},
    {energy_density_name, "J/m^3", 1, false, "elastic energy over volume at rest"},
    {"contact_pressure", "Pa", 1, true, "normal force of contacts over the area of a vertex"},
    {"contact_traction", "Pa", 3, true, "force of contacts and friction over the area of a vertex"},
};

void put_rows(const Mat3& m, double* out) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[3 * i + j] = m(i, j);
}

// One tet: F and the Cauchy stress s. P = J s F^-T, S = F^-1 P.
void put_field(const FieldInfo& field, const Mat3& F, const double* cauchy, double* out) {
  const std::string_view name = field.name;
  if (name == "first_piola") return put_rows(F.determinant() * symmetric_matrix(cauchy) * F.inverse().transpose(), out);
  if (name == "second_piola")
    return put_symmetric(F.determinant() * F.inverse() * symmetric_matrix(cauchy) * F.inverse().transpose(), out);
  Eigen::Map<Vec3> three(out);
  Eigen::Map<Mat3> columns(out);
  if (name == "principal_stress")
    three = principal_values(symmetric_matrix(cauchy));
  else if (name == "principal_stress_directions")
    columns = principal_directions(symmetric_matrix(cauchy));
  else if (name == "pressure")
    out[0] = -(cauchy[0] + cauchy[1] + cauchy[2]) / 3;
  else if (name == "strain")
    put_symmetric(logarithmic_strain(F), out);
  else if (name == "green_strain")
    put_symmetric(green_strain(F), out);
  else if (name == "principal_strain")
    three = principal_values(logarithmic_strain(F));
  else if (name == "principal_strain_directions")
    columns = principal_directions(F * F.transpose());
  else
    out[0] = F.determinant();
}

// By user vertex: a third of the area of the surface triangles around it on which its force presses (mesh/surface.h).
VecX pressed_areas(Frame& frame, const Points& force) {
  const System& system = frame.system();
  VecX area = VecX::Zero(system.user_vertex_count);
  const Points& x = frame.positions();
  const auto add = [&](const Triangles& triangles, bool two_sided) {
    for (const auto& t : triangles.colwise())
      for (int k = 0; k < 3; ++k) {
        if (force.col(t[k]).isZero(0)) continue;
        const Vec3 direction = force.col(t[k]).normalized();
        area[t[k]] += pressed_area(x.col(t[0]), x.col(t[1]), x.col(t[2]), direction) / 3;
        if (two_sided) area[t[k]] += pressed_area(x.col(t[0]), x.col(t[1]), x.col(t[2]), -direction) / 3;
      }
  };
  add(boundary_triangles(system.user_tets), false);
  add(system.user_triangles, true);  // cloth
  return area;
}

// Forces on nodes of ten-node tets as those of the parts of their faces.
Points on_parts(const System& system, const Points& force) {
  Points result = force;
  for (const auto& [node, ends] : edge_nodes(system.user_quadratic_tets)) {
    for (const Index end : ends) result.col(end) += end_share * force.col(node);
    result.col(node) -= 2 * end_share * force.col(node);
  }
  return result;
}

std::vector<double> contact_field(const FieldInfo& field, Frame& frame) {
  const Points normal = on_parts(frame.system(), frame.contact_force());
  const Points friction = on_parts(frame.system(), frame.friction_force());
  const VecX area = pressed_areas(frame, normal);
  std::vector<double> values(static_cast<std::size_t>(area.size()) * field.width, 0.0);
  for (Index v = 0; v < area.size(); ++v) {
    if (!(area[v] > 0)) continue;
    double* out = values.data() + static_cast<std::size_t>(v) * field.width;
    if (field.width == 1)
      out[0] = normal.col(v).norm() / area[v];
    else
      Eigen::Map<Vec3>{out} = (normal.col(v) + friction.col(v)) / area[v];
  }
  return values;
}

// Sums values at vertices (see nodal_means()).
class NodalMeans {
 public:
  NodalMeans(const System& system, const std::vector<double>& by_tet, std::size_t width)
      : system_(system),
        by_tet_(by_tet),
        width_(width),
        material_(by_user_tet(system, system.tet_material)),
        sums_(width * static_cast<std::size_t>(system.user_vertex_count), 0.0),
        weights_(static_cast<std::size_t>(system.user_vertex_count), 0.0) {
    for (Index t = 0; t < system_.user_tet_count; ++t) volume_.push_back(rest_volume(t));
    find_counted();
  }

  std::vector<double> means() {
    for (const SystemBody& body : system_.bodies) {
      for (Index q = 0; q < body.quadratic_count; ++q)
        add_quadratic(system_.user_quadratic_tets.col(body.quadratic_begin + q),
                      body.tet_user_begin + parts_of_quadratic * q);
      if (body.quadratic_count > 0) continue;
      for (Index t = body.tet_user_begin; t < body.tet_user_begin + body.tet_count; ++t)
        for (int k = 0; k < 4; ++k) add(system_.user_tets(k, t), t, volume_[t], values(t));
    }
    for (std::size_t v = 0; v < weights_.size(); ++v)
      for (std::size_t k = 0; k < width_; ++k) sums_[v * width_ + k] /= weights_[v] > 0 ? weights_[v] : 1;
    return std::move(sums_);
  }

 private:
  const double* values(Index t) const { return by_tet_.data() + width_ * static_cast<std::size_t>(t); }

  double rest_volume(Index t) const {
    Mat3 edges;
    for (int k = 0; k < 3; ++k)
      edges.col(k) =
          system_.user_rest.col(system_.user_tets(k + 1, t)) - system_.user_rest.col(system_.user_tets(0, t));
    return std::abs(edges.determinant()) / 6;
  }

  // By vertex: the material whose tets count there, that with the largest volume around the vertex.
  void find_counted() {
    counted_.assign(weights_.size(), -1);
    std::map<Index, std::map<Index, double>> mixed;  // vertices at interfaces: volumes by material
    for (Index t = 0; t < system_.user_tet_count; ++t)
      for (int k = 0; k < 4; ++k) {
        Index& first = counted_[system_.user_tets(k, t)];
        if (first >= 0 && first != material_[t]) mixed[system_.user_tets(k, t)];
        first = first < 0 ? material_[t] : first;
      }
    if (mixed.empty()) return;
    for (Index t = 0; t < system_.user_tet_count; ++t)
      for (int k = 0; k < 4; ++k)
        if (const auto at = mixed.find(system_.user_tets(k, t)); at != mixed.end())
          at->second[material_[t]] += volume_[t];
    for (const auto& [v, volumes] : mixed)
      counted_[v] = std::ranges::max_element(volumes, {}, [](const auto& entry) { return entry.second; })->first;
  }

  void add(Index vertex, Index tet, double weight, const double* own) {
    if (counted_[vertex] != material_[tet]) return;
    weights_[vertex] += weight;
    for (std::size_t k = 0; k < width_; ++k) sums_[static_cast<std::size_t>(vertex) * width_ + k] += weight * own[k];
  }

  // The parts at the corners have the values of the four quadrature points, which lie at 1/4 + 3/(4 sqrt 5) towards
  // each corner: the linear function through them is mean + sqrt(5) (value - mean) at the corner.
  void add_quadratic(const auto& nodes, Index first_part) {
    std::vector<double> mean(width_, 0.0), corner(4 * width_), between(width_);
    double whole = 0;
    for (Index part = 0; part < parts_of_quadratic; ++part) whole += volume_[first_part + part];
    for (int c = 0; c < 4; ++c)
      for (std::size_t k = 0; k < width_; ++k) mean[k] += values(first_part + c)[k] / 4;
    for (int c = 0; c < 4; ++c)
      for (std::size_t k = 0; k < width_; ++k)
        corner[c * width_ + k] = mean[k] + std::sqrt(5.0) * (values(first_part + c)[k] - mean[k]);
    for (int c = 0; c < 4; ++c) add(nodes[c], first_part, whole, corner.data() + c * width_);
    // Nodes on edges, in VTK's order.
    constexpr int ends[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (int e = 0; e < 6; ++e) {
      for (std::size_t k = 0; k < width_; ++k)
        between[k] = (corner[ends[e][0] * width_ + k] + corner[ends[e][1] * width_ + k]) / 2;
      add(nodes[4 + e], first_part, whole, between.data());
    }
  }

  const System& system_;
  const std::vector<double>& by_tet_;
  std::size_t width_;
  std::vector<Index> material_;  // by user tet
  std::vector<double> sums_, weights_, volume_;
  std::vector<Index> counted_;
};

}  // namespace

std::span<const FieldInfo> field_table() {
  return fields;
}

const FieldInfo& find_field(const std::string& name) {
  const auto at = std::ranges::find_if(fields, [&](const FieldInfo& field) { return field.name == name; });
  if (at != std::end(fields)) return *at;
  std::vector<std::string> known;
  for (const FieldInfo& field : fields) known.emplace_back(field.name);
  fail_input(code::scene_value, "output.fields: found \"{}\", expected one of {}{}", name, quoted_list(known),
             did_you_mean(name, known));
}

std::vector<double> tet_field(const FieldInfo& field, Frame& frame) {
  if (std::string_view(field.name) == energy_density_name) return frame.energy_density();
  const std::vector<double>&F = frame.deformation_gradients(), &cauchy = frame.cauchy_stress();
  const auto count = static_cast<std::size_t>(frame.system().user_tet_count);
  std::vector<double> values(count * field.width);
  parallel_for(count, [&](std::size_t t) {
    const Mat3 own = Eigen::Map<const Mat3>(F.data() + 9 * t).transpose();
    put_field(field, own, cauchy.data() + 6 * t, values.data() + t * field.width);
  });
  return values;
}

std::vector<double> vertex_field(const FieldInfo& field, Frame& frame) {
  if (field.of_contact) return contact_field(field, frame);
  return nodal_means(frame.system(), tet_field(field, frame), field.width);
}

int nodal_width(const std::string& name) {
  if (name == "cauchy_stress") return 6;
  return name == "von_mises" || name == "plastic_strain" ? 1 : find_field(name).width;
}

std::vector<double> nodal_field(const std::string& name, Frame& frame) {
  const System& system = frame.system();
  if (name == "cauchy_stress") return nodal_means(system, frame.cauchy_stress(), 6);
  if (name == "von_mises") return nodal_means(system, frame.von_mises(), 1);
  if (name != "plastic_strain") return vertex_field(find_field(name), frame);
  std::vector<double> strain = frame.plastic_strain();
  strain.resize(static_cast<std::size_t>(system.user_tet_count), 0.0);
  return nodal_means(system, strain, 1);
}

std::vector<std::string> shown_fields(const std::vector<std::string>& fields,
                                      const std::vector<std::string>& nodal_fields) {
  std::vector<std::string> shown = fields;
  for (const std::string& name : nodal_fields) {
    const bool known = std::ranges::any_of(field_table(), [&](const FieldInfo& field) { return field.name == name; });
    if (known && std::ranges::count(shown, name) == 0) shown.push_back(name);
  }
  return shown;
}

VecX colour_field(const FieldInfo& field, Frame& frame) {
  const std::vector<double> values = vertex_field(field, frame);
  VecX numbers(frame.system().user_vertex_count);
  for (Index v = 0; v < numbers.size(); ++v) {
    const double* own = values.data() + static_cast<std::size_t>(v) * field.width;
    if (field.width == 1 || field.width == 3) {
      numbers[v] = field.width == 1 || !field.of_contact ? own[0] : Eigen::Map<const Vec3>(own).norm();
    } else if (field.width == 6) {
      numbers[v] = von_mises(symmetric_matrix(own));
    } else {
      numbers[v] = Eigen::Map<const Mat3>(own).norm();
    }
  }
  return numbers;
}

std::vector<double> nodal_means(const System& system, const std::vector<double>& by_tet, int width) {
  return NodalMeans(system, by_tet, static_cast<std::size_t>(width)).means();
}

}  // namespace sinew
