#include "sinew/io/surface_frame.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/atomic_stream.h"
#include "sinew/core/error.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little);

// What an .obj file has counted so far; its numbers begin at 1.
struct ObjCounts {
  std::int64_t vertices = 1, coordinates = 1;
};

void append_obj_head(std::string& out, const SurfaceParts& parts, const std::string& library) {
  fmt::format_to(std::back_inserter(out), "mtllib {}\n", library);
  for (const std::string& other : parts.libraries()) fmt::format_to(std::back_inserter(out), "mtllib {}\n", other);
}

void append_obj_part(std::string& out, const SurfaceParts& parts, std::size_t p, const Eigen::Matrix3Xf& x,
                     ObjCounts& counts) {
  const SurfacePart& part = parts.parts()[p];
  const ObjPolygons& polygons = part.polygons;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "o {}\n", part.stem);
  for (Eigen::Index v = 0; v < x.cols(); ++v) fmt::format_to(append, "v {} {} {}\n", x(0, v), x(1, v), x(2, v));
  for (const auto& place : polygons.coordinates) fmt::format_to(append, "vt {} {}\n", place[0], place[1]);
  out += "s 1\n";
  Index material = -1, group = -2;
  std::size_t corner = 0;
  for (std::size_t k = 0; k < polygons.sizes.size(); ++k) {
    if (!polygons.groups.empty() && polygons.group[k] != group) {
      group = polygons.group[k];
      fmt::format_to(append, "g {}\n", group < 0 ? "off" : polygons.groups[static_cast<std::size_t>(group)]);
    }
    if (polygons.material[k] != material) {
      material = polygons.material[k];
      fmt::format_to(append, "usemtl {}\n", parts.materials()[static_cast<std::size_t>(material)].name);
    }
    out += "f";
    for (Index c = 0; c < polygons.sizes[k]; ++c, ++corner) {
      fmt::format_to(append, " {}", counts.vertices + polygons.corners[corner]);
      if (!polygons.texture.empty()) fmt::format_to(append, "/{}", counts.coordinates + polygons.texture[corner]);
    }
    out += "\n";
  }
  counts.vertices += part.vertices;
  counts.coordinates += static_cast<std::int64_t>(polygons.coordinates.size());
}

// Unit normals of vertices: sums of those of triangles, by area.
Eigen::Matrix3Xf vertex_normals(const Points& x, const Triangles& triangles) {
  Points sum = Points::Zero(3, x.cols());
  for (const auto& t : triangles.colwise()) {
    const Vec3 normal = (x.col(t[1]) - x.col(t[0])).cross(x.col(t[2]) - x.col(t[0]));
    for (const Index v : t) sum.col(v) += normal;
  }
  for (auto normal : sum.colwise()) normal = normal.norm() > 0 ? Vec3(normal.normalized()) : Vec3(0, 0, 1);
  return sum.cast<float>();
}

template <class T>
void append_value(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string ply_header(const SurfaceFrame& frame, std::int64_t vertices, std::int64_t faces, bool wide) {
  std::string head = "ply\nformat binary_little_endian 1.0\ncomment sinew\n";
  const auto append = std::back_inserter(head);
  for (const SurfacePart& part : frame.parts.parts())
    fmt::format_to(append, "comment body_id {} {}\n", part.id, part.stem);
  fmt::format_to(append, "element vertex {}\n", vertices);
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) fmt::format_to(append, "property float {}\n", name);
  head += "property int body_id\n";
  for (const auto& field : frame.fields) fmt::format_to(append, "property float {}\n", field.name);
  fmt::format_to(append, "element face {}\nproperty list {} int vertex_indices\nend_header\n", faces,
                 wide ? "uint" : "uchar");
  return head;
}

}  // namespace

void write_obj_frame(const std::string& path, const SurfaceFrame& frame, const std::string& library) {
  AtomicStream out(path);
  std::string text;
  append_obj_head(text, frame.parts, library);
  ObjCounts counts;
  for (std::size_t p = 0; p < frame.positions.size(); ++p) {
    append_obj_part(text, frame.parts, p, frame.positions[p].cast<float>(), counts);
    out.write(text);
    text.clear();
  }
  out.commit();
}

void write_part_obj(const std::string& path, const SurfaceParts& parts, std::size_t part, const Eigen::Matrix3Xf& x,
                    const std::string& library) {
  std::string text;
  append_obj_head(text, parts, library);
  ObjCounts counts;
  append_obj_part(text, parts, part, x, counts);
  write_file_atomically(path, text);
}

// Pr and Pm are the extension for physically based materials; Ns, its counterpart of old readers, is Blender's inverse.
void write_mtl(const std::string& path, const SurfaceParts& parts) {
  std::string text;
  for (const PartMaterial& m : parts.materials()) {
    const double sharp = 1 - m.look.roughness;
    fmt::format_to(std::back_inserter(text),
                   "newmtl {}\nKd {} {} {}\nKs 0.5 0.5 0.5\nNs {:.6g}\nd {:.6g}\nPr {:.6g}\nPm {:.6g}\nillum 2\n",
                   m.name, m.color[0], m.color[1], m.color[2], 1000 * sharp * sharp, m.look.opacity, m.look.roughness,
                   m.look.metalness);
    if (m.image >= 0)
      fmt::format_to(std::back_inserter(text), "map_Kd {}\n",
                     image_copy(path, parts.images()[static_cast<std::size_t>(m.image)]));
    text += "\n";
  }
  write_images(path, parts);
  write_file_atomically(path, text);
}

void write_ply_frame(const std::string& path, const SurfaceFrame& frame) {
  std::int64_t vertices = 0, faces = 0;
  bool wide = false;
  for (const SurfacePart& part : frame.parts.parts()) {
    vertices += part.vertices;
    faces += static_cast<std::int64_t>(part.polygons.sizes.size());
    wide = wide || std::ranges::any_of(part.polygons.sizes, [](Index size) { return size > 255; });
  }
  if (vertices > std::numeric_limits<std::int32_t>::max()) {
    throw SimulationError(
        code::output_write,
        fmt::format("{}: the surfaces have {} vertices, but vertex numbers of a .ply file end at 2^31; "
                    "take \"vtu\" or \"obj\"",
                    path, vertices));
  }
  AtomicStream out(path);
  out.write(ply_header(frame, vertices, faces, wide));
  std::string bytes;
  for (std::size_t p = 0; p < frame.positions.size(); ++p) {
    const SurfacePart& part = frame.parts.parts()[p];
    const Eigen::Matrix3Xf x = frame.positions[p].cast<float>(), n = vertex_normals(frame.positions[p], part.triangles);
    std::vector<VecX> fields;
    for (const auto& field : frame.fields) fields.push_back(frame.parts.values(p, field.values));
    for (Eigen::Index v = 0; v < x.cols(); ++v) {
      for (const float value : x.col(v)) append_value(bytes, value);
      for (const float value : n.col(v)) append_value(bytes, value);
      append_value(bytes, static_cast<std::int32_t>(part.id));
      for (const VecX& field : fields) append_value(bytes, static_cast<float>(field[v]));
    }
    out.write(bytes);
    bytes.clear();
  }
  Index first = 0;
  for (const SurfacePart& part : frame.parts.parts()) {
    std::size_t corner = 0;
    for (const Index size : part.polygons.sizes) {
      if (wide)
        append_value(bytes, static_cast<std::uint32_t>(size));
      else
        append_value(bytes, static_cast<std::uint8_t>(size));
      for (Index c = 0; c < size; ++c)
        append_value(bytes, static_cast<std::int32_t>(first + part.polygons.corners[corner++]));
    }
    out.write(bytes);
    bytes.clear();
    first += part.vertices;
  }
  out.commit();
}

}  // namespace sinew
