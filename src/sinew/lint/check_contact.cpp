// What touches, or nearly touches, at the start.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/contact/candidates.h"
#include "sinew/contact/gap.h"
#include "sinew/contact/intersection.h"
#include "sinew/contact/layer_overlap.h"
#include "sinew/contact/stencil_text.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/lint/check_parts.h"
#include "sinew/model/naming.h"

namespace sinew {
namespace {

constexpr int listed = 5;                       // lines of text
constexpr std::size_t most_primitives = 10000;  // in JSON
constexpr double violent_gap = 1e-3;            // of the contact distance: forces of a thousand times its stiffness

using Owners = std::pair<Index, Index>;

template <class Ids>
Json own_numbers(const System& system, const Ids& ids) {
  Json numbers = Json::array();
  for (const Index id : ids) numbers.push_back(own_number(system, id));
  return numbers;
}

std::vector<std::string> names(const System& system, const Owners& owners) {
  const auto& all = system.collision.owner_names;
  if (owners.first == owners.second) return {all[owners.first]};
  return {all[owners.first], all[owners.second]};
}

Json position_json(const Vec3& p) {
  return {p.x(), p.y(), p.z()};
}

void add_surface_intersections(const System& system, const State& state, Findings& findings) {
  const CollisionMesh& mesh = system.collision;
  std::map<Owners, std::vector<Intersection>> pairs;
  for (const Intersection& i : find_intersections(mesh, state.x))
    pairs[std::minmax(i.edge_owner, i.triangle_owner)].push_back(i);
  for (const auto& [owners, list] : pairs) {
    Finding finding;
    finding.kind = "intersection";
    finding.severity = Severity::error;
    finding.owners = names(system, owners);
    finding.value = static_cast<double>(list.size());
    finding.position = intersection_point(mesh, state.x, list[0]);
    const std::string first = owner_text(system, owners.first);
    const std::string where = owners.first == owners.second
                                  ? first + " with itself"
                                  : fmt::format("{} with {}", first, owner_text(system, owners.second));
    finding.message = fmt::format("{}: {} pairs of an edge and a triangle cross", where, list.size());
    finding.remedy = "move them apart, or let them ignore each other (contact.ignore)";
    if (owners.first == owners.second) finding.remedy = "untangle the mesh, or set contact.self to false";
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Intersection& i = list[k];
      const auto edge = mesh.edges.col(i.edge);
      const auto triangle = mesh.triangles.col(i.triangle);
      const Vec3 place = intersection_point(mesh, state.x, i);
      if (k < most_primitives) {
        finding.primitives.push_back({{"edge", own_numbers(system, edge)},
                                      {"edge_of", mesh.owner_names[i.edge_owner]},
                                      {"triangle", own_numbers(system, triangle)},
                                      {"triangle_of", mesh.owner_names[i.triangle_owner]},
                                      {"position", position_json(place)}});
      }
      if (k < static_cast<std::size_t>(listed)) {
        finding.details.push_back(
            fmt::format("{} of {} and {} of {} at {}", primitive_text(system, {&mesh.edges(0, i.edge), 2}),
                        owner_text(system, i.edge_owner), primitive_text(system, {&mesh.triangles(0, i.triangle), 3}),
                        owner_text(system, i.triangle_owner), place_text(place)));
      }
    }
    if (list.size() > listed) finding.details.push_back(fmt::format("and {} more", list.size() - listed));
    findings.add(std::move(finding));
  }
}

void add_plane_intersections(const System& system, const State& state, Findings& findings) {
  const CollisionMesh& mesh = system.collision;
  std::map<Owners, std::vector<BelowPlane>> pairs;  // owner, plane
  for (const BelowPlane& b : find_below_planes(mesh, state.x, state.planes))
    pairs[{mesh.vertex_owner[b.vertex], b.plane}].push_back(b);
  for (auto& [key, list] : pairs) {
    const auto lowest = std::min_element(list.begin(), list.end(),
                                         [](const BelowPlane& a, const BelowPlane& b) { return a.height < b.height; });
    const Index plane_owner = mesh.planes[key.second].owner;
    Finding finding;
    finding.kind = "intersection";
    finding.severity = Severity::error;
    finding.owners = names(system, {key.first, plane_owner});
    const double depth = 0 - lowest->height;  // 0 of a vertex on the plane: -0 would be told with its sign
    finding.value = depth;
    finding.position = state.x.col(lowest->vertex);
    finding.message =
        fmt::format("{} vertices of {} are on or behind plane '{}', the deepest by {:.4g} m: {} at {}", list.size(),
                    owner_text(system, key.first), mesh.owner_names[plane_owner], depth,
                    primitive_text(system, {&lowest->vertex, 1}), place_text(state.x.col(lowest->vertex)));
    finding.remedy = depth > 0 ? fmt::format("move the body along the plane's normal by more than {:.4g} m", depth)
                               : "move the body along the plane's normal by a little more than contact.distance";
    for (std::size_t k = 0; k < std::min(most_primitives, list.size()); ++k) {
      finding.primitives.push_back({{"vertex", own_number(system, list[k].vertex)},
                                    {"depth", 0 - list[k].height},
                                    {"position", position_json(state.x.col(list[k].vertex))}});
    }
    findings.add(std::move(finding));
  }
}

// Meshes that are nearer than their thicknesses allow.
void add_layer_overlaps(const System& system, const State& state, Findings& findings) {
  for (const LayerOverlap& overlap : find_layer_overlaps(system.collision, state.x, state.planes)) {
    const bool self = overlap.a == overlap.b;
    Finding finding;
    finding.kind = "intersection";
    finding.severity = Severity::error;
    finding.owners = names(system, {overlap.a, overlap.b});
    finding.value = overlap.distance;
    finding.position = state.x.col(overlap.v[0]);
    finding.message = fmt::format(
        "{} and {} are {:.4g} m apart at {}, but with their contact.thickness they touch at {:.4g} m; {} pairs are too "
        "close",
        owner_text(system, overlap.a), self ? "itself" : owner_text(system, overlap.b), overlap.distance,
        place_text(*finding.position), overlap.offset, overlap.count);
    finding.remedy = self ? "use a smaller thickness or a coarser mesh, or set contact.self to false"
                          : fmt::format("move them apart by more than {:.4g} m, or use a smaller thickness",
                                        std::max(overlap.offset - overlap.distance, 1e-6 * overlap.offset));
    const auto vertices = std::span(overlap.v).first(std::ranges::find(overlap.v, Index{-1}) - overlap.v.begin());
    finding.primitives.push_back({{"vertices", own_numbers(system, vertices)}, {"distance", overlap.distance}});
    findings.add(std::move(finding));
  }
}

struct Gap {
  long count = 0;
  double size = std::numeric_limits<double>::infinity();
  const ContactStencil* closest = nullptr;
};

}  // namespace

void check_intersections(const System& system, const State& state, Findings& findings) {
  if (!system.setup.contact.enabled || system.setup.contact.model == ContactKind::penalty) return;
  add_surface_intersections(system, state, findings);
  add_plane_intersections(system, state, findings);
  add_layer_overlaps(system, state, findings);
}

void check_gaps(const System& system, const State& state, Findings& findings) {
  if (!system.setup.contact.enabled || system.setup.contact.model == ContactKind::penalty) return;
  ContactDetector detector(system.collision);
  const ContactSet& active = detector.active_set(state.x, state.planes, system.contact_distance);
  std::map<Owners, Gap> pairs;
  for (const ContactStencil& stencil : active.stencils) {
    const auto [a, b] = stencil_owners(system.collision, stencil);
    Gap& gap = pairs[std::minmax(a, b)];
    const double size = stencil_gap(stencil, state.x, state.planes);
    ++gap.count;
    if (size < gap.size) gap = {gap.count, size, &stencil};
  }
  for (const auto& [owners, gap] : pairs) {
    const bool self = owners.first == owners.second;
    const double distance = gap.size;
    const auto& all = system.collision.owner_names;
    Finding finding;
    finding.kind = "thin gap";
    finding.severity = self || distance < violent_gap * system.contact_distance ? Severity::warning : Severity::remark;
    finding.owners = names(system, owners);
    finding.value = distance;
    finding.position = state.x.col(gap.closest->v[0]);
    finding.message = fmt::format(
        "'{}' and {} start with {} pairs closer than contact.distance ({:.3g} m) and push each other from the first "
        "step on; smallest gap: {:.3g} m, between {} at {}",
        all[owners.first], self ? "itself" : "'" + all[owners.second] + "'", gap.count, system.contact_distance,
        distance, stencil_text(system, *gap.closest), place_text(*finding.position));
    finding.remedy = self ? "choose a smaller contact.distance, or set contact.self to false"
                          : "if that is not wanted, move them apart or choose a smaller contact.distance";
    const auto vertices = std::span(gap.closest->v).first(static_cast<std::size_t>(gap.closest->vertex_count()));
    finding.primitives.push_back({{"vertices", own_numbers(system, vertices)}, {"gap", distance}});
    findings.add(std::move(finding));
  }
}

void check_freedom(const System& system, const State& state, Findings& findings) {
  if (system.setup.time.integrator != Integrator::statics) return;
  std::vector<ContactStencil> contacts;
  if (system.setup.contact.enabled) {
    ContactDetector detector(system.collision);
    contacts = detector.active_set(state.x, state.planes, system.contact_distance).stencils;
  }
  for (const FreePiece& piece : free_pieces(system, state.time, contacts, system.tied.get())) {
    const std::string& name = system.bodies[piece.body].name;
    findings.add({"free body",
                  Severity::warning,
                  fmt::format("nothing constrains {} of the 6 rigid motions of '{}': without contact or a load that "
                              "keeps it in place it has no static equilibrium",
                              piece.motions, name),
                  "fix more of its vertices or attach springs",
                  {name},
                  static_cast<double>(piece.motions),
                  Vec3(state.x.col(piece.vertex))});
  }
}

}  // namespace sinew
