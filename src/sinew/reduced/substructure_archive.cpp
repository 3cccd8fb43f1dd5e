#include "sinew/reduced/substructure_archive.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

void write_numbers(ArchiveWriter& archive, const std::string& name, const MatX& values) {
  archive.write(name, std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
}

// A matrix with so many rows; another number of values means a damaged file.
MatX read_numbers(const ArchiveReader& archive, const std::string& name, Index rows) {
  const std::vector<double> values = archive.doubles(name);
  if (values.empty()) return MatX(rows, 0);
  if (rows == 0 || static_cast<Index>(values.size()) % rows != 0)
    fail_input(code::file_damaged, "{} has {} numbers", name, values.size());
  return Eigen::Map<const MatX>(values.data(), rows, static_cast<Index>(values.size()) / rows);
}

// Indices in [0, end): what follows uses them without a check.
std::vector<Index> read_indices(const ArchiveReader& archive, const std::string& name, Index end) {
  const auto values = archive.integers32(name);
  if (std::ranges::any_of(values, [&](auto v) { return v < 0 || v >= end; }))
    fail_input(code::file_damaged, "{} is out of range", name);
  return {values.begin(), values.end()};
}

}  // namespace

// Everything of the substructures that is computed at rest. Names of entries are part of the format.
void write_substructures(ArchiveWriter& archive, const ReducedBasis& basis) {
  for (std::size_t p = 0; p < basis.parts.size(); ++p) {
    const Substructure& part = basis.parts[p];
    const std::string at = fmt::format("part{}/", p);
    archive.write(at + "vertices", std::span<const std::int32_t>(part.vertices));
    archive.write(at + "points", std::span<const std::int32_t>(part.points));
    archive.write(at + "tets", std::span<const std::int32_t>(part.tets));
    archive.write(at + "floats", static_cast<std::int64_t>(part.floats));
    archive.write(at + "error", part.training_error);
    archive.write(at + "held_motion", static_cast<std::int64_t>(part.prescribed_motion));
    const std::pair<const char*, MatX> matrices[] = {
        {"mass", part.mass},           {"modes", part.modes},       {"quotients", part.quotients},
        {"center", part.center},       {"driven", part.prescribed}, {"weights", part.point_weights},
        {"poses", part.poses},         {"forces", part.forces},     {"turns", part.turns},
        {"stiffness", part.stiffness}, {"allowed", part.allowed}};
    for (const auto& [name, matrix] : matrices) write_numbers(archive, at + name, matrix);
  }
  std::vector<std::int32_t> interfaces;
  std::vector<double> stiffness;
  for (const InterfaceSpring& spring : basis.interface_springs) {
    interfaces.insert(interfaces.end(), {spring.first, spring.second, spring.vertex});
    stiffness.push_back(spring.stiffness);
  }
  archive.write("seams", std::span<const std::int32_t>(interfaces));
  archive.write("seam_stiffness", std::span<const double>(stiffness));
  write_numbers(archive, "driven_center", basis.prescribed_center);
  archive.write("driven_radius", basis.prescribed_radius);
}

// Reads what write_substructures() wrote. Sizes are checked against each other: a damaged file is an InputError,
// after which the basis is made anew.
void read_substructures(const ArchiveReader& archive, Index count, const System& system, ReducedBasis& basis) {
  basis.point_part.assign(basis.cubature.point_count(), -1);
  for (Index p = 0; p < count; ++p) {
    Substructure part;
    const std::string at = fmt::format("part{}/", p);
    part.vertices = read_indices(archive, at + "vertices", system.dynamic_count);
    part.points = read_indices(archive, at + "points", basis.cubature.point_count());
    const Index n = part.vertex_count();
    if (n == 0 || !std::ranges::is_sorted(part.vertices) || !std::ranges::is_sorted(part.points))
      fail_input(code::file_damaged, "{} is not in order", at);
    part.floats = archive.integer(at + "floats") != 0;
    part.training_error = archive.scalar(at + "error");
    part.modes = read_numbers(archive, at + "modes", 3 * n);
    const Index r = part.mode_count();
    const MatX mass = read_numbers(archive, at + "mass", n), center = read_numbers(archive, at + "center", 3);
    const MatX quotients = read_numbers(archive, at + "quotients", r);
    part.prescribed = read_numbers(archive, at + "driven", 3 * n);
    part.point_weights = read_numbers(archive, at + "weights", static_cast<Index>(part.points.size()));
    part.poses = read_numbers(archive, at + "poses", r);
    part.forces = read_numbers(archive, at + "forces", r);
    part.turns = read_numbers(archive, at + "turns", 3 * n);
    part.stiffness = read_numbers(archive, at + "stiffness", r);
    part.allowed = read_numbers(archive, at + "allowed", 6);
    if (part.allowed.cols() == 0) part.allowed.resize(0, 0);
    const auto motion = archive.integer(at + "held_motion");
    if (motion < -1 || motion >= static_cast<std::int64_t>(system.motions.size()))
      fail_input(code::file_damaged, "{} follows no motion", at);
    part.prescribed_motion = static_cast<Index>(motion);
    part.tets = read_indices(archive, at + "tets", system.tet_count());
    if (mass.cols() != 1 || center.cols() != 1 || (r > 0 && quotients.cols() != 1) ||
        (part.point_weights.size() > 0 && part.point_weights.cols() != r) ||
        (part.is_warped() && (part.turns.cols() != r || part.stiffness.cols() != r || part.tets.empty())) ||
        (part.prescribed.size() > 0 && part.prescribed.cols() != 4 * static_cast<Index>(basis.motions.size())))
      fail_input(code::file_damaged, "{} has other sizes than its modes", at);
    part.mass = mass.col(0);
    part.center = center.col(0);
    part.quotients = r > 0 ? VecX(quotients.col(0)) : VecX();
    part.mass_rate = part.body(system).damping_mass;
    for (const Index point : part.points) basis.point_part[point] = p;
    basis.parts.push_back(std::move(part));
  }
  if (std::ranges::count(basis.point_part, -1) > 0) fail_input(code::file_damaged, "a point belongs to no part");
  const auto interfaces = archive.integers32("seams");
  const std::vector<double> stiffness = archive.doubles("seam_stiffness");
  if (interfaces.size() != 3 * stiffness.size())
    fail_input(code::file_damaged, "interface springs have {} numbers", interfaces.size());
  for (std::size_t s = 0; s < stiffness.size(); ++s) {
    const InterfaceSpring spring{interfaces[3 * s], interfaces[3 * s + 1], interfaces[3 * s + 2], stiffness[s]};
    if (std::min(spring.first, spring.second) < 0 || std::max(spring.first, spring.second) >= count ||
        basis.parts[spring.first].local(spring.vertex) < 0 || basis.parts[spring.second].local(spring.vertex) < 0)
      fail_input(code::file_damaged, "an interface spring is out of range");
    basis.interface_springs.push_back(spring);
  }
  basis.prescribed_center = read_numbers(archive, "driven_center", 3).col(0);
  basis.prescribed_radius = archive.scalar("driven_radius");
}

}  // namespace sinew
