// Nearly incompressible material in few layers of tets. A linear tet that keeps its volume can hardly move; what share
// of the motions is lost depends on how many layers there are between two surfaces.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sinew/lint/check_parts.h"
#include "sinew/material/model.h"
#include "sinew/mesh/layers.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/element_parameters.h"
#include "sinew/model/naming.h"

namespace sinew {
namespace {

constexpr double first_poisson = 0.45;  // from which layers are counted
constexpr double nearly_incompressible = 0.495;
constexpr double thin_share = 0.1;  // of the volume of a piece: thinner parts of a smaller share are left
constexpr double much = 0.1;        // excess of stiffness that is worth a warning

// How much too stiff a bonded rubber disc is under compression, of a radius of 2.5 times its height: less 1, by layers
// (rows) and Poisson's ratio (columns). Measured: docs/tuning.md, which `scripts/tuning_runs locking` writes.
constexpr std::array measured_poisson{0.45, 0.49, 0.499, 0.4999};
constexpr double measured_excess[most_layers][measured_poisson.size()] = {
    {0.712, 3.99, 40.4, 402},     {0.273, 1.54, 15.9, 159},     {0.11, 0.22, 0.28, 0.28}, {0.078, 0.188, 0.352, 0.399},
    {0.057, 0.114, 0.145, 0.145}, {0.047, 0.098, 0.163, 0.187}, {0.04, 0.08, 0.10, 0.10}, {0.033, 0.069, 0.109, 0.126}};

// Bulk over Young's modulus.
double bulk(double poisson) {
  return 1 / (3 * (1 - 2 * poisson));
}

// Between the columns, and beyond the last one, a power law in the bulk modulus.
double excess(int layers, double poisson) {
  const double* row = measured_excess[layers - 1];
  std::size_t k = 0;
  while (k + 2 < measured_poisson.size() && poisson > measured_poisson[k + 1]) ++k;
  const double part = std::log(bulk(poisson) / bulk(measured_poisson[k])) /
                      std::log(bulk(measured_poisson[k + 1]) / bulk(measured_poisson[k]));
  return row[k] * std::pow(row[k + 1] / row[k], part);
}

struct Material {
  std::string name;
  std::vector<Index> tets;  // those with a Poisson's ratio of first_poisson or more, in the body's numbering
  double poisson = 0;       // the largest
};

Material prone_part(const BodySetup& body, const MaterialAssignment& assignment) {
  Material part{assignment.name, {}, 0};
  if (assignment.mass_spring) return part;  // springs do not lock
  const bool all = assignment.tets.empty();
  const std::size_t count = all ? static_cast<std::size_t>(body.mesh.tet_count()) : assignment.tets.size();
  const bool uniform = std::all_of(assignment.parameters.begin(), assignment.parameters.end(),
                                   [](const std::vector<double>& values) { return values.size() == 1; });
  double poisson = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || !uniform) {
      const LameParameters lame = assignment.model->linearized(element_parameters(assignment, i).kernel);
      poisson = lame.lambda / (2 * (lame.lambda + lame.mu));
    }
    if (!(poisson >= first_poisson * (1 - 1e-9))) continue;
    part.tets.push_back(all ? static_cast<Index>(i) : assignment.tets[i]);
    part.poisson = std::max(part.poisson, poisson);
  }
  return part;
}

// The thinnest of the connected pieces of some tets.
struct Thinnest {
  int layers = most_layers;
  Index tet = -1;    // one of them, in the numbering of those tets
  double share = 0;  // of the piece's volume, that has so few layers
};

Thinnest thinnest_piece(const Tets& tets, const std::vector<double>& volumes, Index vertex_count) {
  const std::vector<int> layers = tet_layers(tets, vertex_count);
  const Components pieces = connected_components(tets);
  std::vector<std::array<double, most_layers + 1>> volume(static_cast<std::size_t>(pieces.count));  // by layers; 0: all
  for (std::size_t t = 0; t < layers.size(); ++t) {
    auto& of_piece = volume[static_cast<std::size_t>(pieces.labels[t])];
    of_piece[0] += volumes[t];
    of_piece[static_cast<std::size_t>(layers[t])] += volumes[t];
  }
  Thinnest thinnest;
  for (Index p = 0; p < pieces.count; ++p) {
    const auto& of_piece = volume[static_cast<std::size_t>(p)];
    double sum = 0;
    for (int count = 1; count < thinnest.layers; ++count) {
      sum += of_piece[static_cast<std::size_t>(count)];
      if (sum < thin_share * of_piece[0]) continue;
      thinnest = {count, -1, sum / of_piece[0]};
      for (std::size_t t = 0; t < layers.size() && thinnest.tet < 0; ++t)
        if (pieces.labels[t] == p && layers[t] == count) thinnest.tet = static_cast<Index>(t);
    }
  }
  return thinnest;
}

bool takes_mixed(const BodySetup& body) {
  return std::ranges::all_of(body.materials, [](const MaterialAssignment& of) {
    return of.model && of.model->volume_part().form != VolumeEnergy::none;
  });
}

std::string remedy_text(double poisson) {
  int enough = 1;
  while (enough < most_layers && excess(enough, poisson) >= much) ++enough;
  const std::string others =
      poisson > 0.46 ? "or a lower Poisson's ratio (0.45 and 4 layers: 8 % too stiff)" : "or a lower Poisson's ratio";
  if (excess(enough, poisson) >= much)
    return fmt::format("take more than {} layers across (a finer mesh), {}", most_layers, others);
  return fmt::format("take {} layers or more across (a finer mesh), {}", enough, others);
}

void check_part(const BodySetup& body, const Material& part, Findings& findings) {
  Tets tets(4, static_cast<Eigen::Index>(part.tets.size()));
  std::vector<double> volumes(part.tets.size());
  for (std::size_t i = 0; i < part.tets.size(); ++i) {
    tets.col(static_cast<Eigen::Index>(i)) = body.mesh.tets.col(part.tets[i]);
    const Vec3 a = body.mesh.vertices.col(body.mesh.tets(0, part.tets[i]));
    const auto edge = [&](int k) -> Vec3 { return body.mesh.vertices.col(body.mesh.tets(k, part.tets[i])) - a; };
    volumes[i] = edge(1).cross(edge(2)).dot(edge(3)) / 6;
  }
  const Thinnest thinnest = thinnest_piece(tets, volumes, body.mesh.vertex_count());
  const double too_much = excess(thinnest.layers, part.poisson);
  const bool fine = thinnest.layers >= most_layers || too_much < much;
  if (fine && part.poisson <= nearly_incompressible) return;
  Finding finding;
  finding.kind = "locking";
  finding.severity = fine ? Severity::remark : Severity::warning;
  finding.owners = {body.name, part.name};
  finding.value = 1 + too_much;
  const std::string across = thinnest.layers >= most_layers
                                 ? fmt::format("{} layers of tets or more", most_layers)
                                 : fmt::format("{} layer{} of tets", thinnest.layers, thinnest.layers == 1 ? "" : "s");
  std::string where;
  if (thinnest.tet >= 0) {
    Vec3 middle = Vec3::Zero();
    for (int k = 0; k < 4; ++k) middle += body.mesh.vertices.col(tets(k, thinnest.tet)) / 4;
    finding.position = middle;
    where = fmt::format(" ({:.0f} % of it is no thicker, as at {})", 100 * thinnest.share, place_text(middle));
    finding.primitives.push_back(
        {{"tet", part.tets[static_cast<std::size_t>(thinnest.tet)]}, {"layers", thinnest.layers}});
  }
  finding.message = fmt::format(
      "body '{}' has {} across{}, of material '{}' with a Poisson's ratio of {:.5g}: held between stiff faces it is {} "
      "{} too stiff, since linear tets lock near a ratio of 0.5",
      body.name, across, where, part.name, part.poisson, thinnest.layers >= most_layers ? "up to" : "about",
      too_much < 1 ? fmt::format("{:.0f} %", 100 * too_much) : fmt::format("{:.2g} times", 1 + too_much));
  finding.remedy = remedy_text(part.poisson);
  if (!fine && takes_mixed(body))
    finding.remedy = fmt::format(
        "set \"elements\" of the body to \"quadratic_mixed\", which does not lock ({} vertices "
        "in place of {}), or {}",
        quadratic_vertex_count(body.mesh), body.mesh.vertex_count(), finding.remedy);
  findings.add(std::move(finding));
}

}  // namespace

Index quadratic_vertex_count(const TetMesh& mesh) {
  Points vertices = mesh.vertices;
  with_mid_nodes(vertices, mesh.tets);
  return static_cast<Index>(vertices.cols());
}

void check_locking(const Setup& setup, Findings& findings) {
  for (const BodySetup& body : setup.bodies) {
    if (body.elements != Elements::linear) continue;
    for (const MaterialAssignment& assignment : body.materials) {
      const Material part = prone_part(body, assignment);
      if (!part.tets.empty()) check_part(body, part, findings);
    }
  }
}

}  // namespace sinew
