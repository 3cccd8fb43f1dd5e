#include "sinew/io/report_surface.h"

#include <algorithm>
#include <map>

#include "sinew/core/sort_unique.h"
#include "sinew/dynamics/methods.h"
#include "sinew/formats/obj_polygons.h"
#include "sinew/io/focus_box.h"
#include "sinew/io/report_format.h"
#include "sinew/io/requested_fields.h"
#include "sinew/mesh/strain.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr std::size_t most_ranges = 12;  // of colours, by material

// Texture coordinates of a render surface, by corner of its triangles. Empty if it has none.
ReportSurface::TextureCorners texture_of(const RenderSurface& render) {
  ObjPolygons polygons = obj_polygons(render.layout);
  ReportSurface::TextureCorners result;
  if (polygons.texture.empty()) return result;
  const Index* at = polygons.texture.data();
  for (const Index size : polygons.sizes) {
    for (Index k = 2; k < size; ++k) result.corners.insert(result.corners.end(), {at[0], at[k - 1], at[k]});
    at += size;
  }
  result.coordinates = std::move(polygons.coordinates);
  if (static_cast<Eigen::Index>(result.corners.size()) != render.mesh.triangles.size()) return {};
  return result;
}

Points columns(const Points& all, const std::vector<Index>& vertices) {
  Points x(3, static_cast<Eigen::Index>(vertices.size()));
  for (std::size_t v = 0; v < vertices.size(); ++v) x.col(static_cast<Eigen::Index>(v)) = all.col(vertices[v]);
  return x;
}

VecX lengths(const Points& vectors) {
  return vectors.colwise().norm().transpose();
}

// A face as the tet on one side has it.
struct DrawnFace {
  std::int64_t face = 0;  // 4 tet + local face
  Index beyond = -1;      // tet on the other side
};

// Faces by the material beyond them and their own: first those of the surface (beyond: -1), then those between two
// materials or two regions of one, once, as the tet of the lower ones has them. Of equal materials in the order of the
// tets. regions: of tets, or none.
std::map<std::pair<Index, Index>, std::vector<DrawnFace>> faces_by_material(const Tets& tets,
                                                                            const std::vector<Index>& material,
                                                                            std::span<const Index> regions) {
  std::map<std::pair<Index, Index>, std::vector<DrawnFace>> result;
  const std::vector<TetFace> faces = sorted_faces(tets);
  const auto kind = [&](Index tet) { return std::pair{material[tet], regions.empty() ? 0 : regions[tet]}; };
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const TetFace& face = faces[i];
    if (i + 1 == faces.size() || !face.same_vertices(faces[i + 1])) {
      result[{-1, material[face.tet()]}].push_back({face.face, -1});
      continue;
    }
    const TetFace& other = faces[++i];
    if (kind(face.tet()) == kind(other.tet())) continue;
    const bool lower = kind(face.tet()) < kind(other.tet());
    const TetFace &own = lower ? face : other, &beyond = lower ? other : face;
    result[{material[beyond.tet()], material[own.tet()]}].push_back({own.face, static_cast<Index>(beyond.tet())});
  }
  for (auto& [materials, list] : result) std::ranges::sort(list, {}, &DrawnFace::face);
  return result;
}

}  // namespace

ReportSurface::ReportSurface(const System& system) : ReportSurface(system, {}, true) {}

ReportSurface::ReportSurface(const System& system, std::vector<Index> regions)
    : ReportSurface(system, std::move(regions), false) {}

ReportSurface::ReportSurface(const System& system, std::vector<Index> regions, bool with_render)
    : system_(system),
      regions_(std::move(regions)),
      tets_at_vertex_(static_cast<std::size_t>(system.user_vertex_count), 0) {
  for (const Index v : system.user_tets.reshaped()) ++tets_at_vertex_[v];
  const std::vector<Index> materials = by_user_tet(system, system.tet_material);
  for (const SystemBody& body : system.bodies) {
    if (body.render && with_render) {
      add_render(body, materials);
    } else if (body.triangle_count > 0) {
      add_cloth(body);
    } else {
      add_body(body, materials);
    }
  }
  add_obstacles();
  find_material_vertices();
}

// Where materials differ much in stiffness, one range of colours for all shows nothing of the soft ones.
void ReportSurface::find_material_vertices() {
  const std::size_t count = system_.material_names.size();
  if (count < 2 || count > most_ranges) return;
  for (const Part& part : parts_) {
    auto& lists = material_vertices_.emplace_back(count);
    Index triangle = 0;
    for (const Group& group : part.groups) {
      const auto corners = part.triangles.middleCols(triangle, group.count).reshaped();
      triangle += group.count;
      if (part.body && group.beyond < 0)
        lists[group.material].insert(lists[group.material].end(), corners.begin(), corners.end());
    }
    for (std::vector<Index>& list : lists) sort_unique(list);
  }
}

void ReportSurface::hold_inside(Index most_tets) {
  const std::vector<Index> materials = by_user_tet(system_, system_.tet_material);
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const SystemBody& body = system_.bodies[b];
    Part& part = parts_[b];
    if (body.tet_count == 0 || part.open) continue;
    if (part.render || body.tet_count > most_tets) {
      part.solid = part.render ? "render" : "size";
      continue;
    }
    part.inside = std::make_shared<const BodyInside>(system_.user_tets.middleCols(body.tet_user_begin, body.tet_count),
                                                     std::span(materials).subspan(body.tet_user_begin, body.tet_count),
                                                     part.vertices, system_.user_rest);
  }
}

void ReportSurface::add_body(const SystemBody& body, const std::vector<Index>& materials) {
  const auto first = materials.begin() + body.tet_user_begin;
  const Tets tets = system_.user_tets.middleCols(body.tet_user_begin, body.tet_count);
  std::span<const Index> regions;
  if (!regions_.empty()) regions = std::span(regions_).subspan(body.tet_user_begin, body.tet_count);
  const auto faces = faces_by_material(tets, {first, first + body.tet_count}, regions);
  Part part{body.name, true, true, false, {}, {}, {}, nullptr, 0};
  std::vector<Index> corners;
  for (const auto& [materials, list] : faces) {
    part.groups.push_back({materials.second, static_cast<Index>(list.size()), materials.first});
    for (const auto& [face, beyond] : list) {
      for (const int corner : tet_faces[face % 4]) corners.push_back(tets(corner, face / 4));
      if (regions.empty()) continue;
      triangle_regions_.own.push_back(regions[face / 4]);
      triangle_regions_.beyond.push_back(beyond < 0 ? -1 : regions[beyond]);
    }
  }
  finish(std::move(part),
         Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3)));
}

// Its triangles by material, in their order.
void ReportSurface::add_cloth(const SystemBody& body) {
  std::map<Index, std::vector<Index>> corners;
  for (Index f = body.triangle_begin; f < body.triangle_begin + body.triangle_count; ++f) {
    std::vector<Index>& list = corners[system_.triangle_material[f]];
    for (const Index v : system_.user_triangles.col(f)) list.push_back(v);
  }
  Part part{body.name, true, true, true, {}, {}, {}, nullptr, 0};
  std::vector<Index> all;
  for (const auto& [material, list] : corners) {
    part.groups.push_back({material, static_cast<Index>(list.size() / 3), -1});
    all.insert(all.end(), list.begin(), list.end());
  }
  if (!regions_.empty()) {
    triangle_regions_.own.insert(triangle_regions_.own.end(), body.triangle_count, -1);
    triangle_regions_.beyond.insert(triangle_regions_.beyond.end(), body.triangle_count, -1);
  }
  finish(std::move(part), Eigen::Map<const Triangles>(all.data(), 3, body.triangle_count));
}

// Its triangles by the material of the tet at their first corner; those of an affine body have the body's first.
void ReportSurface::add_render(const SystemBody& body, const std::vector<Index>& materials) {
  const RenderSurface& render = *body.render;
  const Index first =
      body.triangle_count > 0 ? system_.triangle_material[body.triangle_begin] : materials[body.tet_user_begin];
  std::map<Index, std::vector<Index>> corners;  // by material, into those of all triangles
  for (Index f = 0; f < render.mesh.triangles.cols(); ++f) {
    const Index tet = render.tets[render.mesh.triangles(0, f)];
    std::vector<Index>& list = corners[tet < 0 ? first : materials[body.tet_user_begin + tet]];
    list.insert(list.end(), {3 * f, 3 * f + 1, 3 * f + 2});
  }
  Part part{body.name,
            true,
            true,
            !encloses_volume(render.mesh.triangles),
            render.leaders(body.user_begin),
            {},
            {},
            body.render,
            body.user_begin};
  std::vector<Index> all;
  for (const auto& [material, list] : corners) {
    part.groups.push_back({material, static_cast<Index>(list.size() / 3), -1});
    all.insert(all.end(), list.begin(), list.end());
  }
  part.triangles = render.mesh.triangles.reshaped()(all).reshaped(3, render.mesh.triangles.cols());
  const auto has_texture = [&](const auto& of) { return !system_.material_looks[of.first].texture.empty(); };
  if (std::ranges::any_of(corners, has_texture)) {
    part.texture = texture_of(render);
    if (!part.texture.corners.empty()) {
      std::vector<Index> ordered;
      for (const Index corner : all) ordered.push_back(part.texture.corners[corner]);
      part.texture.corners = std::move(ordered);
    }
  }
  parts_.push_back(std::move(part));
}

void ReportSurface::add_obstacles() {
  const Index body_count = static_cast<Index>(system_.bodies.size());
  const CollisionMesh& collision = system_.collision;
  std::map<Index, std::vector<Index>> corners;  // by obstacle
  for (Eigen::Index t = 0; t < collision.triangles.cols(); ++t) {
    const auto triangle = collision.triangles.col(t);
    if (triangle.minCoeff() < system_.body_vertex_count()) continue;
    std::vector<Index>& list = corners[collision.vertex_owner[triangle[0]] - body_count];
    list.insert(list.end(), triangle.begin(), triangle.end());
  }
  for (const auto& [obstacle, list] : corners) {
    const Index motion = system_.obstacle_vertex_motion[list.front() - system_.body_vertex_count()];
    const bool moves = motion >= 0 && !system_.motions[motion].empty();
    const auto count = static_cast<Index>(list.size() / 3);
    Part part{system_.setup.obstacles[obstacle].name, false, moves, false, {}, {}, {{0, count}}, nullptr, 0};
    finish(std::move(part), Eigen::Map<const Triangles>(list.data(), 3, count));
  }
}

void ReportSurface::finish(Part part, const Triangles& triangles) {
  part.vertices = used_vertices(triangles);
  part.triangles = triangles;
  for (Index& v : part.triangles.reshaped()) {
    v = static_cast<Index>(std::ranges::lower_bound(part.vertices, v) - part.vertices.begin());
  }
  parts_.push_back(std::move(part));
}

Json ReportSurface::objects() const {
  Json list = Json::array();
  for (const Part& part : parts_) {
    Json groups = Json::array();
    for (const Group& group : part.groups) {
      groups.push_back({group.material, group.count});
      if (group.beyond >= 0) groups.back().push_back(group.beyond);
    }
    list.push_back({{"name", part.name},
                    {"kind", part.body ? "body" : "obstacle"},
                    {"moves", part.moves},
                    {"vertices", part.vertices.size()},
                    {"triangles", part.triangles.cols()},
                    {"groups", groups}});
    if (part.open) list.back()["open"] = true;
    if (part.inside) list.back()["inside"] = part.inside->facts();
    if (part.solid) list.back()["solid"] = part.solid;
    if (!part.texture.corners.empty()) list.back()["coordinates"] = part.texture.coordinates.size();
  }
  return list;
}

Json ReportSurface::planes() const {
  Json list = Json::array();
  for (const CollisionMesh::Plane& plane : system_.collision.planes) {
    list.push_back({{"name", system_.collision.owner_names[plane.owner]}});
  }
  return list;
}

Points ReportSurface::positions(const Part& part, const Points& user, const Points& all) const {
  return part.render ? part.render->positions(user, part.first) : columns(part.body ? user : all, part.vertices);
}

std::vector<std::size_t> ReportSurface::moved(const Points& all) const {
  std::vector<std::size_t> objects;
  for (std::size_t object = 0; object < parts_.size(); ++object) {
    const Part& part = parts_[object];
    const auto is_away = [&](Index v) { return all.col(v) != system_.rest.col(v); };
    if (!part.moves && std::ranges::any_of(part.vertices, is_away)) objects.push_back(object);
  }
  return objects;
}

VecX ReportSurface::field(const Part& part, const VecX& by_user_vertex) const {
  return part.render ? part.render->means(by_user_vertex, part.first) : VecX(by_user_vertex(part.vertices));
}

std::string ReportSurface::mesh_data() const {
  ReportEncoder encoder, inside;
  bool any_inside = false;
  std::vector<Index> corners;
  for (const Part& part : parts_) {
    const Points x = positions(part, system_.user_rest, system_.rest);
    const auto box = ReportEncoder::box(x);
    encoder.box(box);
    encoder.points(x, box);
    corners.insert(corners.end(), part.triangles.data(), part.triangles.data() + part.triangles.size());
    if (!part.inside) continue;
    part.inside->add_mesh(inside);
    any_inside = true;
  }
  for (const Part& part : parts_) {
    if (part.texture.corners.empty()) continue;
    Points places = Points::Zero(3, static_cast<Eigen::Index>(part.texture.coordinates.size()));
    for (std::size_t k = 0; k < part.texture.coordinates.size(); ++k)
      for (int a = 0; a < 2; ++a) places(a, static_cast<Index>(k)) = part.texture.coordinates[k][a];
    const auto box = ReportEncoder::box(places);
    encoder.box(box);
    encoder.points(places, box);
    corners.insert(corners.end(), part.texture.corners.begin(), part.texture.corners.end());
  }
  encoder.integers(corners);
  return encoder.finish() + (any_inside ? inside_mark + inside.finish() : "");
}

std::vector<Index> ReportSurface::body_vertices() const {
  std::vector<Index> all;
  for (const Part& part : parts_)
    if (part.body) all.insert(all.end(), part.vertices.begin(), part.vertices.end());
  return all;
}

std::vector<ReportField> ReportSurface::fields() const {
  std::vector<ReportField> fields(std::begin(report_fields), std::end(report_fields));
  const std::string method = resolved_method(system_.setup.solver);
  if (method != "auto" && find_method(method).uses("adaptive")) fields.push_back(enriched_field);
  if (system_.flows()) fields.push_back(plastic_strain_field);
  for (const std::string& name : requested_) fields.push_back({find_field(name).name, find_field(name).unit});
  return fields;
}

VecX ReportSurface::vertex_field(Frame& frame, std::size_t field) const {
  const std::size_t usual = fields().size() - requested_.size();
  if (field >= usual) return colour_field(find_field(requested_[field - usual]), frame);
  if (field == 1) return lengths(frame.displacement());
  if (field == 2) return lengths(frame.velocity());
  if (field == 3) return lengths(frame.contact_force());
  if (field == 4) return mean_at_vertices(equivalent_strain(system_.user_rest, frame.positions(), system_.user_tets));
  if (field >= std::size(report_fields)) {
    if (system_.flows()) return mean_at_vertices(frame.plastic_strain());
    const std::vector<double> enriched = frame.enriched();
    if (enriched.empty()) return VecX::Zero(system_.user_vertex_count);
    return VecX::Map(enriched.data(), static_cast<Index>(enriched.size()));
  }
  return mean_at_vertices(frame.von_mises());
}

VecX ReportSurface::mean_at_vertices(const std::vector<double>& by_tet) const {
  VecX mean = VecX::Zero(system_.user_vertex_count);
  for (Index t = 0; t < system_.user_tet_count; ++t) {
    for (int k = 0; k < 4; ++k) mean[system_.user_tets(k, t)] += by_tet[t];
  }
  for (Index v = 0; v < system_.user_vertex_count; ++v) mean[v] /= std::max<Index>(tets_at_vertex_[v], 1);
  return mean;
}

std::vector<std::vector<Spread>> ReportSurface::material_spreads(const std::vector<VecX>& fields) const {
  const std::size_t materials = system_.material_names.size();
  std::vector<std::vector<Spread>> spreads(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f) {
    std::vector<std::vector<double>> values(materials);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p].body) continue;
      const VecX of_part = field(parts_[p], fields[f]);
      for (std::size_t m = 0; m < materials; ++m)
        for (const Index v : material_vertices_[p][m]) values[m].push_back(of_part[v]);
      if (!parts_[p].inside) continue;
      const BodyInside& inside = *parts_[p].inside;
      for (std::size_t k = 0; k < inside.vertices().size(); ++k)
        values[inside.vertex_materials()[k]].push_back(fields[f][inside.vertices()[k]]);
    }
    for (std::vector<double>& list : values) spreads[f].push_back(spread_of(std::move(list)));
  }
  return spreads;
}

EncodedFrame ReportSurface::encode(Frame& frame) const {
  EncodedFrame result;
  result.step = frame.step();
  result.time = frame.time();
  ReportEncoder encoder, inside;
  bool any_inside = false;
  for (const PlaneState& plane : frame.state().planes) {
    for (int axis = 0; axis < 3; ++axis) encoder.number(plane.point[axis]);
    for (int axis = 0; axis < 3; ++axis) encoder.number(plane.normal[axis]);
  }
  result.moved = moved(frame.state().x);
  bool first = true;
  std::vector<WeightedBox> bodies;
  for (std::size_t object = 0; object < parts_.size(); ++object) {
    const Part& part = parts_[object];
    if (!part.moves && std::ranges::find(result.moved, object) == result.moved.end()) continue;
    const Points x = positions(part, frame.positions(), frame.state().x);
    const auto box = ReportEncoder::box(x);
    encoder.box(box);
    encoder.points(x, box);
    if (part.inside) part.inside->add_positions(inside, frame.positions(), box);
    any_inside = any_inside || part.inside;
    for (int axis = 0; part.body && axis < 3; ++axis) {
      if (first) result.box[axis] = box[axis];
      widen(result.box[axis], box[axis]);
    }
    if (part.body) bodies.push_back({box, static_cast<double>(x.cols())});
    first = first && !part.body;
  }
  result.focus = focus_box(bodies);
  const std::vector<ReportField> shown = this->fields();
  std::vector<VecX> fields(shown.size());
  result.ranges.resize(fields.size());
  result.spreads.resize(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f) fields[f] = vertex_field(frame, f);
  std::vector<std::vector<double>> all(fields.size());
  first = true;
  for (const Part& part : parts_) {
    if (!part.body) continue;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const VecX values = field(part, fields[f]);
      const std::span<const double> span{values.data(), static_cast<std::size_t>(values.size())};
      ValueRange range = range_of(span);
      all[f].insert(all[f].end(), span.begin(), span.end());
      if (part.inside && !part.inside->vertices().empty()) {
        const VecX beneath = fields[f](part.inside->vertices());
        const std::span<const double> more{beneath.data(), static_cast<std::size_t>(beneath.size())};
        widen(range, range_of(more));
        all[f].insert(all[f].end(), more.begin(), more.end());
      }
      encoder.range(range);
      encoder.sequence(span, range, field_levels);
      if (part.inside) part.inside->add_field(inside, fields[f], range);
      if (first) result.ranges[f] = range;
      widen(result.ranges[f], range);
    }
    first = false;
  }
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (shown[f].flag) {
      result.ranges[f] = {0, 1};
      result.spreads[f].count = 1;
      std::ranges::copy(spread_levels, result.spreads[f].values.begin());
    } else {
      result.spreads[f] = spread_of(std::move(all[f]));
    }
  }
  if (!material_vertices_.empty()) result.by_material = material_spreads(fields);
  result.data = encoder.finish() + (any_inside ? inside_mark + inside.finish() : "");
  return result;
}

}  // namespace sinew
