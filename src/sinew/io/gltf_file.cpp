#include "sinew/io/gltf_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include <nlohmann/json.hpp>

#include "sinew/core/atomic_stream.h"
#include "sinew/core/error.h"
#include "sinew/io/affine_track.h"
#include "sinew/render/render_mesh.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little);

using Json = nlohmann::ordered_json;

// Constants of OpenGL that the format uses.
constexpr int gl_float = 5126, gl_unsigned_int = 5125, gl_array_buffer = 34962, gl_element_array_buffer = 34963,
              gl_repeat = 10497;
constexpr std::uint32_t glb_magic = 0x46546C67, json_chunk = 0x4E4F534A, bin_chunk = 0x004E4942;
constexpr std::uint64_t header_bytes = 12, chunk_bytes = 8;

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

Json vector_json(const auto& v) {
  Json list = Json::array();
  for (Eigen::Index k = 0; k < v.size(); ++k) list.push_back(v[k]);
  return list;
}

Json quaternion_json(const Eigen::Quaterniond& q) {
  return {q.x(), q.y(), q.z(), q.w()};
}

// A part as the file holds it. A vertex of the file is a drawn vertex with texture coordinates.
struct GltfPart {
  std::optional<AffineTrack> track;  // none: the part deforms
  RenderMesh mesh;
  std::vector<Index> drawn;    // by vertex of the file, into mesh.vertices()
  std::vector<Index> texture;  // by vertex of the file; empty: none
  struct Primitive {
    Index material, group;
    std::vector<std::uint32_t> corners;
  };
  std::vector<Primitive> primitives;
};

GltfPart make_part(const SurfaceAnimation& animation, std::size_t p) {
  const SurfacePart& part = animation.parts.parts()[p];
  const auto frame = [&](std::size_t k) { return animation.positions(p, k); };
  GltfPart result{
      affine_track(animation.times.size(), frame), RenderMesh(frame(0).cast<double>(), part.triangles), {}, {}, {}};
  const ObjPolygons& polygons = part.polygons;
  // The first corner of each polygon, to find a triangle's corners in its fan.
  std::vector<Index> first(polygons.sizes.size());
  for (std::size_t k = 1; k < first.size(); ++k) first[k] = first[k - 1] + polygons.sizes[k - 1];
  std::map<std::pair<Index, Index>, std::uint32_t> known;
  std::map<std::pair<Index, Index>, std::size_t> primitives;
  Index in_fan = 0;
  for (std::size_t t = 0; t < part.triangle_polygon.size(); ++t) {
    const Index polygon = part.triangle_polygon[t];
    in_fan = t > 0 && part.triangle_polygon[t - 1] == polygon ? in_fan + 1 : 0;
    const Index material = polygons.material[polygon], group = polygons.group[polygon];
    const auto [at, is_new] = primitives.try_emplace({material, group}, result.primitives.size());
    if (is_new) result.primitives.push_back({material, group, {}});
    const Index fan[3] = {0, in_fan + 1, in_fan + 2};
    for (int k = 0; k < 3; ++k) {
      const Index drawn = result.mesh.corners()(k, static_cast<Index>(t));
      const Index texture = polygons.texture.empty() ? -1 : polygons.texture[first[polygon] + fan[k]];
      const auto [vertex, is_unseen] =
          known.try_emplace({drawn, texture}, static_cast<std::uint32_t>(result.drawn.size()));
      if (is_unseen) {
        result.drawn.push_back(drawn);
        if (texture >= 0) result.texture.push_back(texture);
      }
      result.primitives[at->second].corners.push_back(vertex->second);
    }
  }
  return result;
}

// Positions and normals of a part at a frame, by vertex of the file.
struct Drawn {
  Eigen::Matrix3Xf positions, normals;
};

Drawn drawn_at(const GltfPart& part, const Eigen::Matrix3Xf& x) {
  const Points positions = x.cast<double>();
  const Points normals = part.mesh.normals(positions);
  Drawn result{Eigen::Matrix3Xf(3, part.drawn.size()), Eigen::Matrix3Xf(3, part.drawn.size())};
  const Vec3 center = part.track ? part.track->center : Vec3(Vec3::Zero());
  for (std::size_t v = 0; v < part.drawn.size(); ++v) {
    const auto to = static_cast<Eigen::Index>(v);
    result.positions.col(to) = (positions.col(part.mesh.vertices()[part.drawn[v]]) - center).cast<float>();
    result.normals.col(to) = normals.col(part.drawn[v]).cast<float>();
  }
  return result;
}

class GlbWriter {
 public:
  explicit GlbWriter(const SurfaceAnimation& animation) : animation_(animation), times_(animation.play_times()) {}

  void write(const std::string& path) {
    json_["asset"] = {{"version", "2.0"}, {"generator", "sinew"}};
    json_["scene"] = 0;
    json_["scenes"] = Json::array({{{"name", animation_.name}, {"nodes", Json::array({0})}}});
    json_["nodes"] = Json::array({root()});
    for (std::size_t p = 0; p < animation_.parts.parts().size(); ++p) json_["nodes"].push_back(Json::object());
    add_images();
    add_materials();
    for (std::size_t p = 0; p < animation_.parts.parts().size(); ++p) parts_.push_back(make_part(animation_, p));
    if (has_motion()) time_accessor_ = add_times();
    for (std::size_t p = 0; p < parts_.size(); ++p) add_part(p);
    if (!channels_.empty())
      json_["animations"] =
          Json::array({{{"name", animation_.name}, {"channels", channels_}, {"samplers", samplers_}}});
    if (size_ > 0) json_["buffers"] = Json::array({{{"byteLength", size_}}});
    AtomicStream out(path);
    write_file(path, out);
    out.commit();
  }

 private:
  Json root() const {
    Json node = {{"name", animation_.name}};
    const auto turn = turn_to_y(up_axis(animation_.parts.system().setup.gravity));
    if (turn.w() != 1) node["rotation"] = quaternion_json(turn);
    Json children = Json::array();
    for (std::size_t p = 0; p < animation_.parts.parts().size(); ++p) children.push_back(p + 1);
    node["children"] = std::move(children);
    return node;
  }

  // The images of textures, in the file. Readers of glTF need not know WebP.
  void add_images() {
    bool webp = false;
    for (const PartImage& image : animation_.parts.images()) {
      const std::string& bytes = image.file.bytes;
      const std::size_t padding = (4 - bytes.size() % 4) % 4;
      // The view has the bytes of the image alone; the next one begins at a multiple of four.
      const Index view = add_view(bytes.size(), 0, 0, [&bytes, padding](AtomicStream& out) {
        out.write(bytes);
        out.write(std::string(padding, '\0'));
      });
      size_ += padding;
      const std::size_t source = json_["images"].size();
      json_["images"].push_back({{"name", image.name}, {"mimeType", image.file.media_type()}, {"bufferView", view}});
      Json texture = {{"sampler", 0}};
      if (image.file.kind == ImageKind::webp)
        texture["extensions"] = {{"EXT_texture_webp", {{"source", source}}}};
      else
        texture["source"] = source;
      webp = webp || image.file.kind == ImageKind::webp;
      json_["textures"].push_back(std::move(texture));
    }
    if (animation_.parts.images().empty()) return;
    json_["samplers"] = Json::array({{{"wrapS", gl_repeat}, {"wrapT", gl_repeat}}});
    if (webp) add_extension("EXT_texture_webp", true);
  }

  void add_extension(const char* name, bool required) {
    json_["extensionsUsed"].push_back(name);
    if (required) json_["extensionsRequired"].push_back(name);
  }

  void add_materials() {
    bool transmits = false;
    for (const PartMaterial& m : animation_.parts.materials()) {
      const Rgb color = linear_color(m.color);
      const bool clear = m.look.opacity < 1, through = clear && m.look.metalness < 0.5;
      Json material = {{"name", m.name},
                       {"pbrMetallicRoughness",
                        {{"baseColorFactor", {color[0], color[1], color[2], clear && !through ? m.look.opacity : 1.0}},
                         {"metallicFactor", m.look.metalness},
                         {"roughnessFactor", m.look.roughness}}},
                       {"alphaMode", clear && !through ? "BLEND" : "OPAQUE"},
                       {"doubleSided", true}};
      if (m.image >= 0) material["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", m.image}};
      if (through)
        material["extensions"] = {{"KHR_materials_transmission", {{"transmissionFactor", 1 - m.look.opacity}}}};
      transmits = transmits || through;
      json_["materials"].push_back(std::move(material));
    }
    if (transmits) add_extension("KHR_materials_transmission", false);
  }

  bool has_motion() const {
    return times_.size() > 1 &&
           std::ranges::any_of(parts_, [](const GltfPart& p) { return !p.track || p.track->moves; });
  }

  // Reserves bytes in the buffer. `write` will produce exactly these bytes.
  Index add_view(std::uint64_t bytes, int target, int stride, std::function<void(AtomicStream&)> write) {
    Json view = {{"buffer", 0}, {"byteOffset", size_}, {"byteLength", bytes}};
    if (stride > 0) view["byteStride"] = stride;
    if (target > 0) view["target"] = target;
    json_["bufferViews"].push_back(std::move(view));
    size_ += bytes;
    writers_.push_back(std::move(write));
    return static_cast<Index>(writers_.size()) - 1;
  }

  Index add_accessor(Index view, std::uint64_t offset, std::size_t count, const char* type, int component,
                     const Json& limits = {}) {
    Json accessor = {
        {"bufferView", view}, {"byteOffset", offset}, {"componentType", component}, {"count", count}, {"type", type}};
    if (limits.is_array()) {
      accessor["min"] = limits[0];
      accessor["max"] = limits[1];
    }
    json_["accessors"].push_back(std::move(accessor));
    return accessors_++;
  }

  Index add_floats(std::vector<float> values, const char* type, int width, const Json& limits = {}) {
    const std::size_t count = values.size() / static_cast<std::size_t>(width), bytes = values.size() * sizeof(float);
    const Index view = add_view(bytes, 0, 0, [values = std::move(values)](AtomicStream& out) {
      out.write(bytes_of(std::span<const float>(values)));
    });
    return add_accessor(view, 0, count, type, gl_float, limits);
  }

  Index add_times() {
    std::vector<float> times(times_.begin(), times_.end());
    return add_floats(times, "SCALAR", 1, {{times.front()}, {times.back()}});
  }

  static Json limits_of(const Eigen::Matrix3Xf& x) {
    return {vector_json(Eigen::Vector3f(x.rowwise().minCoeff())), vector_json(Eigen::Vector3f(x.rowwise().maxCoeff()))};
  }

  void add_part(std::size_t p) {
    const SurfacePart& part = animation_.parts.parts()[p];
    const GltfPart& own = parts_[p];
    const std::size_t count = own.drawn.size();
    const Drawn start = drawn_at(own, animation_.positions(p, 0));
    const std::uint64_t bytes = 12 * count;
    const Index base = add_view(2 * bytes, gl_array_buffer, 12, [start](AtomicStream& out) { write_both(start, out); });
    Json attributes = {{"POSITION", add_accessor(base, 0, count, "VEC3", gl_float, limits_of(start.positions))},
                       {"NORMAL", add_accessor(base, bytes, count, "VEC3", gl_float)}};
    if (!own.texture.empty()) attributes["TEXCOORD_0"] = add_texture(part, own);
    const Json targets = add_targets(p, start);
    Json primitives = Json::array();
    for (const GltfPart::Primitive& primitive : own.primitives) {
      const Index view = add_view(4 * primitive.corners.size(), gl_element_array_buffer, 0, [&](AtomicStream& out) {
        out.write(bytes_of(std::span<const std::uint32_t>(primitive.corners)));
      });
      Json entry = {{"attributes", attributes},
                    {"indices", add_accessor(view, 0, primitive.corners.size(), "SCALAR", gl_unsigned_int)},
                    {"material", primitive.material}};
      if (!targets.empty()) entry["targets"] = targets;
      if (primitive.group >= 0) entry["extras"] = {{"group", part.polygons.groups[primitive.group]}};
      primitives.push_back(std::move(entry));
    }
    Json mesh = {{"name", part.name}, {"primitives", std::move(primitives)}};
    if (!targets.empty()) {
      mesh["weights"] = std::vector<int>(targets.size(), 0);
      Json names = Json::array();
      for (std::size_t k = 0; k < targets.size(); ++k) names.push_back(fmt::format("frame_{}", k + 1));
      mesh["extras"] = {{"targetNames", std::move(names)}};
    }
    json_["meshes"].push_back(std::move(mesh));
    Json& node = json_["nodes"][p + 1];
    node["name"] = part.name;
    if (own.track) node["translation"] = vector_json(own.track->center);
    if (!own.track || own.track->rigid) {
      node["mesh"] = p;
    } else {  // two nodes: together they can shear
      node["children"] = Json::array({json_["nodes"].size()});
      json_["nodes"].push_back({{"name", part.name + " shape"}, {"mesh", p}});
    }
    if (own.track && own.track->moves) animate_node(p);
    if (!targets.empty()) animate_weights(p);
  }

  static void write_both(const Drawn& drawn, AtomicStream& out) {
    for (const Eigen::Matrix3Xf* values : {&drawn.positions, &drawn.normals})
      out.write(bytes_of(std::span<const float>(values->data(), static_cast<std::size_t>(values->size()))));
  }

  // The format counts v downwards from the top of the picture.
  Index add_texture(const SurfacePart& part, const GltfPart& own) {
    std::vector<float> values;
    for (const Index t : own.texture) {
      const auto& place = part.polygons.coordinates[static_cast<std::size_t>(t)];
      values.insert(values.end(), {place[0], 1 - place[1]});
    }
    const Index view = add_view(values.size() * sizeof(float), gl_array_buffer, 8,
                                [values](AtomicStream& out) { out.write(bytes_of(std::span<const float>(values))); });
    return add_accessor(view, 0, own.texture.size(), "VEC2", gl_float);
  }

  Drawn target(std::size_t p, std::size_t frame, const Drawn& start) const {
    Drawn now = drawn_at(parts_[p], animation_.positions(p, frame));
    now.positions -= start.positions;
    now.normals -= start.normals;
    return now;
  }

  Json add_targets(std::size_t p, const Drawn& start) {
    Json targets = Json::array();
    if (parts_[p].track) return targets;
    const std::size_t count = parts_[p].drawn.size();
    const std::uint64_t bytes = 12 * count;
    const std::size_t frames = animation_.times.size();
    const Index view = add_view(2 * bytes * (frames - 1), gl_array_buffer, 12, [this, p, start](AtomicStream& out) {
      for (std::size_t k = 1; k < animation_.times.size(); ++k) write_both(target(p, k, start), out);
    });
    for (std::size_t k = 1; k < frames; ++k) {
      const std::uint64_t at = 2 * bytes * (k - 1);
      const Index position = add_accessor(view, at, count, "VEC3", gl_float, limits_of(target(p, k, start).positions));
      targets.push_back({{"POSITION", position}, {"NORMAL", add_accessor(view, at + bytes, count, "VEC3", gl_float)}});
    }
    return targets;
  }

  void animate(std::size_t node, const char* path, Index output) {
    channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers_.push_back({{"input", time_accessor_}, {"output", output}, {"interpolation", "LINEAR"}});
  }

  void animate_node(std::size_t p) {
    const AffineTrack& track = *parts_[p].track;
    const auto floats = [](const auto& values, const auto& numbers) {
      std::vector<float> result;
      for (const auto& value : values)
        for (const double v : numbers(value)) result.push_back(static_cast<float>(v));
      return result;
    };
    const auto same = [](const Vec3& v) { return v; };
    const auto coeffs = [](const Eigen::Quaterniond& q) { return q.coeffs(); };
    animate(p + 1, "translation", add_floats(floats(track.translation, same), "VEC3", 3));
    animate(p + 1, "rotation", add_floats(floats(track.rotation, coeffs), "VEC4", 4));
    if (track.rigid) return;
    animate(p + 1, "scale", add_floats(floats(track.scale, same), "VEC3", 3));
    const std::size_t inner = json_["nodes"][p + 1]["children"][0];
    animate(inner, "rotation", add_floats(floats(track.axes, coeffs), "VEC4", 4));
  }

  // At frame k only target k - 1 has a weight. All parts share these numbers.
  void animate_weights(std::size_t p) {
    if (weight_accessor_ < 0) {
      const std::size_t frames = times_.size(), targets = frames - 1;
      const Index view = add_view(sizeof(float) * frames * targets, 0, 0, [frames, targets](AtomicStream& out) {
        std::vector<float> row(targets);
        for (std::size_t k = 0; k < frames; ++k) {
          std::ranges::fill(row, 0.0f);
          if (k > 0) row[k - 1] = 1;
          out.write(bytes_of(std::span<const float>(row)));
        }
      });
      weight_accessor_ = add_accessor(view, 0, frames * targets, "SCALAR", gl_float);
    }
    animate(p + 1, "weights", weight_accessor_);
  }

  void write_file(const std::string& path, AtomicStream& out) const {
    std::string text = json_.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::uint64_t all = header_bytes + chunk_bytes + text.size() + (size_ > 0 ? chunk_bytes + size_ : 0);
    if (all > std::numeric_limits<std::uint32_t>::max()) {
      throw SimulationError(
          code::output_write,
          fmt::format("{}: the animation needs {:.1f} GB, but a .glb file holds 4.29 GB at most; write "
                      "fewer frames (output.every) or a smaller surface, or take \"usda\" or \"pc2\"",
                      path, static_cast<double>(all) * 1e-9));
    }
    const auto words = [&](std::initializer_list<std::uint32_t> values) {
      out.write(bytes_of(std::span<const std::uint32_t>(values.begin(), values.size())));
    };
    words({glb_magic, 2, static_cast<std::uint32_t>(all)});
    words({static_cast<std::uint32_t>(text.size()), json_chunk});
    out.write(text);
    if (size_ == 0) return;
    words({static_cast<std::uint32_t>(size_), bin_chunk});
    for (const auto& write : writers_) write(out);
  }

  const SurfaceAnimation& animation_;
  std::vector<double> times_;
  std::vector<GltfPart> parts_;
  Json json_, channels_ = Json::array(), samplers_ = Json::array();
  std::uint64_t size_ = 0;  // of the buffer; all views are multiples of four bytes
  std::vector<std::function<void(AtomicStream&)>> writers_;
  Index accessors_ = 0, time_accessor_ = -1, weight_accessor_ = -1;
};

}  // namespace

void write_glb(const std::string& path, const SurfaceAnimation& animation) {
  GlbWriter(animation).write(path);
}

}  // namespace sinew
