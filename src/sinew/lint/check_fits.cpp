// The contact distance against what it must resolve: interferences, small gaps, thin bodies. Bodies push each other
// from the contact distance on, so that each seems thicker by up to half of it.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/contact/overlap.h"
#include "sinew/contact/surface_distance.h"
#include "sinew/lint/check_parts.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/naming.h"

namespace sinew {
namespace {

constexpr double resolved_share = 0.05;  // of an interference, a gap or a thickness
// 2 V / A is the thickness of a wide plate; of a body four times as wide as thick it is two thirds of that.
constexpr double thickness_doubt = 1.5;
constexpr double layer_share = 0.25;  // of a contact.thickness

std::string proposal(double distance) {
  return fmt::format("set contact.distance to {:.1g} m or less", 0.99 * distance);
}

// Bodies that overlap in the shapes of their meshes and start from another state.
void check_interference(const System& system, Findings& findings) {
  for (const Overlap& overlap : find_overlaps(system.collision, system.rest)) {
    const double share = system.contact_distance / overlap.depth;
    if (!(share > resolved_share * (1 + 1e-9))) continue;
    Finding finding;
    finding.kind = "contact distance";
    finding.owners = {system.collision.owner_names[overlap.a], system.collision.owner_names[overlap.b]};
    finding.value = system.contact_distance;
    finding.position = overlap.place;
    finding.message = fmt::format(
        "the meshes of {} and {} overlap by {:.3g} m, as at {}; contact.distance, {:.3g} m, acts like {:.0f} % more "
        "overlap",
        owner_text(system, overlap.a), owner_text(system, overlap.b), overlap.depth, place_text(overlap.place),
        system.contact_distance, 100 * share);
    finding.remedy = proposal(resolved_share * overlap.depth);
    findings.add(std::move(finding));
  }
}

// Whether two overlap at rest and start apart for that reason alone.
bool has_interference(const System& system, Index a, Index b) {
  return std::ranges::any_of(system.interferences, [&](const Interference& pair) {
    return (pair.owners[0] == a && pair.owners[1] == b) || (pair.owners[0] == b && pair.owners[1] == a);
  });
}

// In statics bodies that start a small gap apart: contact closes the distance's share of it too early.
void check_static_gaps(const System& system, const State& state, Findings& findings) {
  if (system.setup.time.integrator != Integrator::statics) return;
  const CollisionMesh& mesh = system.collision;
  const double reach = system.contact_distance / resolved_share;
  SurfaceDistance surfaces(mesh);
  surfaces.update(state.x);
  for (Index a = 0; a < mesh.owner_count; ++a) {
    for (Index b = 0; b < mesh.owner_count; ++b) {
      if (a == b || findings.has("contact distance", {mesh.owner_names[a], mesh.owner_names[b]}) ||
          !mesh.owners_may_touch(a, b) || !surfaces.has_triangles(b) || has_interference(system, a, b))
        continue;
      const double touch = mesh.offset(a, b);  // distance of the meshes at which they touch
      double gap = reach;
      Index closest = -1;
      for (const Index v : mesh.vertices) {
        if (mesh.vertex_owner[v] != a || surfaces.box_distance(b, state.x.col(v)) > gap + touch) continue;
        const NearestPoint nearest = surfaces.nearest(b, state.x, state.x.col(v), gap + touch);
        if (nearest.triangle < 0 || std::abs(nearest.distance) >= gap + touch) continue;
        gap = std::abs(nearest.distance) - touch;
        closest = v;
      }
      // Closer ones push each other already, which is a finding of its own.
      if (closest < 0 || gap <= system.contact_distance) continue;
      if (findings.has("contact distance", {mesh.owner_names[a], mesh.owner_names[b]})) continue;
      Finding finding;
      finding.kind = "contact distance";
      finding.severity = Severity::remark;
      finding.owners = {mesh.owner_names[a], mesh.owner_names[b]};
      finding.value = system.contact_distance;
      finding.position = state.x.col(closest);
      finding.message = fmt::format(
          "{} and {} start {:.3g} m apart; with contact.distance {:.3g} m they touch {:.0f} % of the gap too early",
          owner_text(system, a), owner_text(system, b), gap, system.contact_distance,
          100 * system.contact_distance / gap);
      finding.remedy = "if the gap matters, " + proposal(resolved_share * gap);
      findings.add(std::move(finding));
    }
  }
}

// 2 V / A is the thickness of a plate.
void check_thickness(const System& system, Findings& findings) {
  std::vector<double> volume(system.bodies.size(), 0.0), area(system.bodies.size(), 0.0);
  for (Index t = 0; t < system.tet_count(); ++t) volume[system.tet_body[t]] += tet_volume(system.rest, system.tets, t);
  const CollisionMesh& mesh = system.collision;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Index owner = mesh.vertex_owner[mesh.vertices[i]];
    if (owner < static_cast<Index>(area.size()) && !mesh.is_sample(mesh.vertices[i]))
      area[owner] += mesh.vertex_area[i];
  }
  for (std::size_t b = 0; b < volume.size(); ++b) {
    if (system.bodies[b].affine_volume > 0)
      volume[b] = system.bodies[b].affine_volume;      // not that of its control points
    if (!(volume[b] > 0) || !(area[b] > 0)) continue;  // cloth, whose thickness is not in its mesh
    const double thickness = 2 * volume[b] / area[b], share = system.contact_distance / thickness;
    const auto own = static_cast<Index>(b);
    bool touches = false;
    for (Index other = 0; other < mesh.owner_count; ++other)
      touches |= other != own && mesh.owners_may_touch(own, other);
    if (!touches || !(share > thickness_doubt * resolved_share)) continue;
    findings.add({"contact distance",
                  Severity::remark,
                  fmt::format("body '{}' is about {:.2g} m thick; contact.distance, {:.3g} m, adds {:.0f} % to that",
                              system.bodies[b].name, thickness, system.contact_distance, 100 * share),
                  "if the thickness matters, " + proposal(resolved_share * thickness),
                  {system.bodies[b].name},
                  system.contact_distance});
  }
}

// Layers thinner than what the contact distance adds to them.
void check_layers(const System& system, Findings& findings) {
  for (const auto& [name, thickness] : system.setup.contact.thickness) {
    if (!(thickness > 0) || !(system.contact_distance > layer_share * thickness * (1 + 1e-9))) continue;
    findings.add(
        {"contact distance",
         Severity::remark,
         fmt::format("contact.thickness of '{}' is {:.3g} m; contact.distance, {:.3g} m, adds {:.0f} % to that", name,
                     thickness, system.contact_distance, 100 * system.contact_distance / thickness),
         "if the thickness matters, " + proposal(layer_share * thickness),
         {name},
         system.contact_distance});
  }
}

}  // namespace

void check_fits(const System& system, const State& state, bool other_start, Findings& findings) {
  const ContactSetup& contact = system.setup.contact;
  if (!contact.enabled || contact.model == ContactKind::penalty) return;
  if (other_start) check_interference(system, findings);
  if (findings.has("contact distance", {})) return;  // it is too large for more than that
  check_static_gaps(system, state, findings);
  check_thickness(system, findings);
  check_layers(system, findings);
}

}  // namespace sinew
