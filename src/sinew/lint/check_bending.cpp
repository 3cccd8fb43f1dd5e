// Slender bodies in few layers of linear tets, which bend too little: shear locking.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sinew/lint/check_parts.h"
#include "sinew/mesh/layers.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr int enough_layers = 4;
constexpr double slender = 10;  // length of a piece over 2 V / A, the thickness of a plate and half that of a bar
constexpr double bending_share = 0.5;  // of its volume that has so few layers

// How much too stiff a cantilever of n layers of cubes, six tets each, is against its tip's load: less 1. The error of
// linear elements falls with the square of n. Measured of a square bar of ratio 20, by 1, 2, 3, 4 layers: 178, 47, 21,
// 12 %.
double bending_excess(int layers) {
  return 1.9 / (layers * layers);
}

struct SolidPiece {
  std::vector<Index> tets;
  double volume = 0, area = 0;  // [m^3], [m^2]
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
};

std::vector<SolidPiece> solid_pieces(const TetMesh& mesh) {
  const Components components = connected_components(mesh.tets);
  const Tets neighbours = tet_neighbours(mesh.tets);
  std::vector<SolidPiece> pieces(static_cast<std::size_t>(components.count));
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    SolidPiece& piece = pieces[static_cast<std::size_t>(components.labels[t])];
    piece.tets.push_back(t);
    piece.volume += tet_volume(mesh.vertices, mesh.tets, t);
    for (int k = 0; k < 4; ++k) {
      const Vec3 p = mesh.vertices.col(mesh.tets(k, t));
      piece.low = piece.low.cwiseMin(p);
      piece.high = piece.high.cwiseMax(p);
      if (neighbours(k, t) >= 0) continue;
      const Vec3 a = mesh.vertices.col(mesh.tets((k + 1) % 4, t)), b = mesh.vertices.col(mesh.tets((k + 2) % 4, t)),
                 c = mesh.vertices.col(mesh.tets((k + 3) % 4, t));
      piece.area += 0.5 * (b - a).cross(c - a).norm();
    }
  }
  return pieces;
}

// A slice whose plane is held, which cannot bend: of many vertices a coordinate is prescribed.
bool is_held_slice(const BodySetup& body) {
  constexpr double many = 0.3;
  for (const FixSetup& fix : body.fixes)
    if (static_cast<double>(fix.vertices.size()) > many * body.mesh.vertex_count()) return true;
  return false;
}

}  // namespace

void check_bending(const Setup& setup, Findings& findings) {
  for (const BodySetup& body : setup.bodies) {
    if (body.mesh.is_cloth() || body.mesh.tet_count() == 0 || is_held_slice(body)) continue;
    if (is_quadratic(body.elements)) continue;
    const std::vector<SolidPiece> pieces = solid_pieces(body.mesh);
    const auto is_slender = [](const SolidPiece& p) {
      return (p.high - p.low).norm() * p.area > slender * 2 * p.volume;
    };
    if (std::ranges::none_of(pieces, is_slender)) continue;
    const std::vector<int> layers = tet_layers(body.mesh.tets, body.mesh.vertex_count());
    int worst = enough_layers;
    const SolidPiece* thinnest = nullptr;
    for (const SolidPiece& piece : pieces) {
      if (!is_slender(piece)) continue;
      std::array<double, enough_layers> volume{};
      for (const Index t : piece.tets)
        if (layers[t] < enough_layers) volume[layers[t]] += tet_volume(body.mesh.vertices, body.mesh.tets, t);
      double sum = 0;
      for (int count = 1; count < worst; ++count) {
        sum += volume[count];
        if (sum < bending_share * piece.volume) continue;
        worst = count;
        thinnest = &piece;
      }
    }
    if (!thinnest) continue;
    Finding finding;
    finding.kind = "locking";
    finding.severity = Severity::remark;  // it may not bend
    finding.owners = {body.name};
    finding.value = 1 + bending_excess(worst);
    finding.message = fmt::format(
        "body '{}' is slender ({:.3g} m long, about {:.2g} m thick) and has {} layer{} of tets across: in bending, "
        "linear tets make it about {:.0f} % too stiff",
        body.name, (thinnest->high - thinnest->low).norm(), 2 * thinnest->volume / thinnest->area, worst,
        worst == 1 ? "" : "s", 100 * bending_excess(worst));
    finding.remedy = fmt::format(
        "if it bends, set \"elements\" of the body to \"quadratic\" ({} vertices in place of {}), "
        "or take at least {} layers across (a finer mesh)",
        quadratic_vertex_count(body.mesh), body.mesh.vertex_count(), enough_layers);
    findings.add(std::move(finding));
  }
}

}  // namespace sinew
