#include "sinew/io/surface_parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"
#include "sinew/io/file_stem.h"
#include "sinew/mesh/surface.h"
#include "sinew/render/box_projection.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

Rgb color_of(const std::string& hex) {
  unsigned value = 0;
  if (hex.size() > 1) std::from_chars(hex.data() + 1, hex.data() + hex.size(), value, 16);
  return Rgb(static_cast<float>(value >> 16 & 255u), static_cast<float>(value >> 8 & 255u),
             static_cast<float>(value & 255u)) /
         255.0f;
}

std::string free_name(const std::string& wanted, const auto& is_taken) {
  std::string name = wanted;
  for (int k = 2; is_taken(name); ++k) name = fmt::format("{}_{}", wanted, k);
  return name;
}

std::array<Index, 3> sorted(const auto& triangle) {
  std::array<Index, 3> key{triangle[0], triangle[1], triangle[2]};
  std::ranges::sort(key);
  return key;
}

// By boundary triangle, the material of its tet.
std::vector<Index> materials_of(const Triangles& triangles, const Tets& tets, const Index* tet_material) {
  std::vector<Index> result(static_cast<std::size_t>(triangles.cols()), tets.cols() > 0 ? tet_material[0] : 0);
  const auto count = static_cast<std::size_t>(tets.cols());
  if (std::all_of(tet_material, tet_material + count, [&](Index m) { return m == tet_material[0]; })) return result;
  std::map<std::array<Index, 3>, Index> found;
  for (Index f = 0; f < triangles.cols(); ++f) found[sorted(triangles.col(f))] = f;
  for (Index t = 0; t < tets.cols(); ++t) {
    for (const auto& face : tet_faces) {
      const auto at = found.find(sorted(std::array<Index, 3>{tets(face[0], t), tets(face[1], t), tets(face[2], t)}));
      if (at != found.end()) result[static_cast<std::size_t>(at->second)] = tet_material[t];
    }
  }
  return result;
}

}  // namespace

SurfaceParts::SurfaceParts(const System& system) : system_(system), obstacle_surface_(system) {
  const std::vector<Index> tet_material = by_user_tet(system, system.tet_material);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    if (system.bodies[b].render)
      add_render(b, tet_material);
    else
      add_body(b, tet_material);
  }
  const std::vector<Index>& ids = obstacle_surface_.ids();
  for (std::size_t first = 0; first < ids.size();) {
    std::size_t last = first;
    while (last < ids.size() && ids[last] == ids[first]) ++last;
    const auto count = static_cast<Eigen::Index>(last - first);
    Source source;
    source.obstacle = true;
    Look look;
    look.roughness = 0.9;
    const Index one = material("obstacle", look, obstacle_color);
    add(named(system.setup.obstacles[ids[first]].name, static_cast<Index>(system.bodies.size()) + ids[first]),
        std::move(source), obstacle_surface_.triangles().middleCols(static_cast<Eigen::Index>(first), count),
        std::vector<Index>(last - first, one));
    first = last;
  }
}

// Names may differ only in characters no file name should have.
SurfacePart SurfaceParts::named(const std::string& name, Index id) {
  SurfacePart part;
  part.name = name;
  part.id = id;
  part.stem =
      free_name(file_stem(name), [&](const std::string& s) { return std::ranges::find(stems_, s) != stems_.end(); });
  stems_.push_back(part.stem);
  return part;
}

Index SurfaceParts::material(Index of_system, std::size_t body) {
  const auto m = static_cast<std::size_t>(of_system);
  const Look& look = system_.material_looks[m];
  const std::string name = file_stem(system_.material_names[m]);
  if (!look.color.empty()) return material(name, look, color_of(look.color));
  return material(name + "_" + file_stem(system_.bodies[body].name), look, body_color(body));
}

Index SurfaceParts::material(const std::string& name, const Look& look, const Rgb& color) {
  const auto is_taken = [&](const std::string& n) {
    return std::ranges::find(materials_, n, &PartMaterial::name) != materials_.end();
  };
  for (std::size_t k = 0; k < materials_.size(); ++k) {
    const PartMaterial& m = materials_[k];
    if (m.name == name && m.look == look && m.color == color) return static_cast<Index>(k);
  }
  materials_.push_back({free_name(name, is_taken), look, color, look.texture.empty() ? -1 : image(look.texture)});
  return static_cast<Index>(materials_.size()) - 1;
}

Index SurfaceParts::image(const std::string& path) {
  const auto at = std::ranges::find(images_, path, &PartImage::path);
  if (at != images_.end()) return static_cast<Index>(at - images_.begin());
  ImageFile file = read_image_file(path);
  const std::string stem = file_stem(fs::path(path).stem().string());
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(images_, [&](const PartImage& i) { return fs::path(i.name).stem().string() == name; });
  };
  const std::string name = free_name(stem, is_taken) + file.extension();
  images_.push_back({path, name, std::move(file)});
  return static_cast<Index>(images_.size()) - 1;
}

// By polygon, since a file has one place in the image for each of its corners.
void SurfaceParts::project_textures(SurfacePart& part, const Source& source) const {
  ObjPolygons& polygons = part.polygons;
  const auto look = [&](std::size_t p) -> const Look& {
    return materials_[static_cast<std::size_t>(polygons.material[p])].look;
  };
  bool any = false;
  for (std::size_t p = 0; p < polygons.sizes.size(); ++p) any = any || !look(p).texture.empty();
  if (!any || !polygons.texture.empty()) return;
  const Points rest = positions(source, system_.user_rest, Points());
  const Mat3 to_y = turn_to_y(up_axis(system_.setup.gravity)).toRotationMatrix();
  std::map<std::array<float, 2>, Index> known;
  const Index* at = polygons.corners.data();
  for (std::size_t p = 0; p < polygons.sizes.size(); at += polygons.sizes[p++]) {
    const BoxProjection projection(rest, to_y, look(p).texture_size);
    Vec3 normal = Vec3::Zero();
    for (Index k = 2; k < polygons.sizes[p]; ++k)
      normal += (rest.col(at[k - 1]) - rest.col(at[0])).cross(rest.col(at[k]) - rest.col(at[0]));
    for (Index k = 0; k < polygons.sizes[p]; ++k) {
      std::array<float, 2> place{};
      if (!look(p).texture.empty())
        place = projection.coordinates(projection.place(rest.col(at[k])), projection.direction(normal));
      const auto [found, is_new] = known.try_emplace(place, static_cast<Index>(polygons.coordinates.size()));
      if (is_new) polygons.coordinates.push_back(place);
      polygons.texture.push_back(found->second);
    }
  }
}

void SurfaceParts::add_body(std::size_t b, const std::vector<Index>& tet_material) {
  const SystemBody& body = system_.bodies[b];
  std::vector<Index> of_triangles;
  Triangles triangles = system_.user_triangles.middleCols(body.triangle_begin, body.triangle_count);
  if (triangles.cols() > 0) {
    of_triangles.assign(system_.triangle_material.begin() + body.triangle_begin,
                        system_.triangle_material.begin() + body.triangle_begin + body.triangle_count);
  } else {
    const Tets tets = system_.user_tets.middleCols(body.tet_user_begin, body.tet_count);
    triangles = boundary_triangles(tets);
    of_triangles = materials_of(triangles, tets, tet_material.data() + body.tet_user_begin);
  }
  for (Index& m : of_triangles) m = material(m, b);
  add(named(body.name, static_cast<Index>(b)), {}, triangles, std::move(of_triangles));
}

// A render surface's own materials keep their names, and look as the body's material there.
void SurfaceParts::add_render(std::size_t b, const std::vector<Index>& tet_material) {
  const SystemBody& body = system_.bodies[b];
  const RenderSurface& render = *body.render;
  SurfacePart part = named(body.name, static_cast<Index>(b));
  part.vertices = static_cast<Index>(render.mesh.vertices.cols());
  if (render.layout.empty()) {
    part.polygons.sizes.assign(static_cast<std::size_t>(render.mesh.triangles.cols()), 3);
    part.polygons.corners.assign(render.mesh.triangles.data(),
                                 render.mesh.triangles.data() + render.mesh.triangles.size());
    part.polygons.group = part.polygons.material = std::vector<Index>(part.polygons.sizes.size(), -1);
  } else {
    part.polygons = obj_polygons(render.layout);
  }
  for (const std::string& library : part.polygons.libraries)
    if (std::ranges::find(libraries_, library) == libraries_.end()) libraries_.push_back(library);
  // render.tets are numbered as in the body's mesh.
  const auto system_material = [&](Index vertex) {
    if (body.tet_count == 0) return system_.triangle_material[static_cast<std::size_t>(body.triangle_begin)];
    const Index tet = vertex < static_cast<Index>(render.tets.size()) ? render.tets[vertex] : -1;
    return tet_material[static_cast<std::size_t>(body.tet_user_begin + std::max<Index>(tet, 0))];
  };
  std::map<std::string, Index> own;
  std::size_t corner = 0;
  for (std::size_t p = 0; p < part.polygons.sizes.size(); ++p) {
    Index& m = part.polygons.material[p];
    const Index there = material(system_material(part.polygons.corners[corner]), b);
    corner += static_cast<std::size_t>(part.polygons.sizes[p]);
    if (m < 0) {
      m = there;
      continue;
    }
    const std::string& name = part.polygons.materials[static_cast<std::size_t>(m)];
    const auto [at, is_new] = own.try_emplace(name, 0);
    if (is_new) {
      const PartMaterial like = materials_[static_cast<std::size_t>(there)];
      at->second = material(name, like.look, like.color);
    }
    m = at->second;
  }
  part.polygons.materials.clear();
  Source source;
  source.render = body.render;
  source.first = body.user_begin;
  finish(std::move(part), std::move(source));
}

void SurfaceParts::add(SurfacePart part, Source source, const Triangles& triangles, std::vector<Index> materials) {
  source.vertices = used_vertices(triangles);
  part.vertices = static_cast<Index>(source.vertices.size());
  ObjPolygons& polygons = part.polygons;
  polygons.sizes.assign(static_cast<std::size_t>(triangles.cols()), 3);
  for (const Index v : triangles.reshaped())
    polygons.corners.push_back(
        static_cast<Index>(std::ranges::lower_bound(source.vertices, v) - source.vertices.begin()));
  polygons.group.assign(polygons.sizes.size(), -1);
  polygons.material = std::move(materials);
  finish(std::move(part), std::move(source));
}

void SurfaceParts::finish(SurfacePart part, Source source) {
  std::vector<Index> corners;
  const Index* at = part.polygons.corners.data();
  for (std::size_t p = 0; p < part.polygons.sizes.size(); ++p) {
    const Index size = part.polygons.sizes[p];
    for (Index k = 2; k < size; ++k) {
      corners.insert(corners.end(), {at[0], at[k - 1], at[k]});
      part.triangle_polygon.push_back(static_cast<Index>(p));
    }
    at += size;
  }
  part.triangles = Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
  part.closed = encloses_volume(part.triangles);
  project_textures(part, source);
  parts_.push_back(std::move(part));
  sources_.push_back(std::move(source));
}

Points SurfaceParts::positions(std::size_t part, const Points& user, const Points& obstacles) const {
  return positions(sources_[part], user, obstacles);
}

Points SurfaceParts::positions(const Source& source, const Points& user, const Points& obstacles) const {
  if (source.render) return source.render->positions(user, source.first);
  return (source.obstacle ? obstacles : user)(Eigen::all, source.vertices);
}

VecX SurfaceParts::values(std::size_t part, const VecX& user) const {
  const Source& source = sources_[part];
  if (source.obstacle) return VecX::Zero(parts_[part].vertices);
  if (source.render) return source.render->means(user, source.first);
  return user(source.vertices);
}

std::string image_copy(const std::string& beside, const PartImage& image) {
  return fs::path(beside).stem().string() + "_" + image.name;
}

void write_images(const std::string& beside, const SurfaceParts& parts) {
  for (const PartImage& image : parts.images())
    write_file_atomically((fs::path(beside).parent_path() / image_copy(beside, image)).string(), image.file.bytes);
}

bool is_image_copy(const std::string& path, std::initializer_list<const char*> extensions) {
  const fs::path image(path);
  const std::string kind = image.extension().string(), stem = image.stem().string();
  if (kind != ".png" && kind != ".jpg" && kind != ".webp") return false;
  for (std::size_t end = stem.find('_'); end != stem.npos; end = stem.find('_', end + 1))
    for (const char* extension : extensions)
      if (fs::exists(image.parent_path() / (stem.substr(0, end) + extension))) return true;
  return false;
}

std::vector<double> SurfaceAnimation::play_times() const {
  std::vector<double> result(times.size());
  bool ascend = true;
  for (std::size_t k = 1; k < times.size(); ++k) ascend = ascend && times[k] > times[k - 1];
  for (std::size_t k = 0; k < times.size(); ++k) result[k] = ascend ? times[k] - times[0] : static_cast<double>(k) / 24;
  return result;
}

UpAxis up_axis(const Vec3& gravity) {
  if (gravity.isZero(0)) return {};
  Eigen::Index axis = 0;
  gravity.cwiseAbs().maxCoeff(&axis);
  return {static_cast<int>(axis), gravity[axis] < 0};
}

Eigen::Quaterniond turn_to_y(const UpAxis& up) {
  constexpr double right = std::numbers::pi / 2;
  const auto turn = [](double angle, const Vec3& axis) { return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis)); };
  const double sign = up.positive ? 1 : -1;
  if (up.axis == 0) return turn(sign * right, Vec3::UnitZ());
  if (up.axis == 2) return turn(-sign * right, Vec3::UnitX());
  return up.positive ? Eigen::Quaterniond::Identity() : turn(2 * right, Vec3::UnitX());
}

}  // namespace sinew
