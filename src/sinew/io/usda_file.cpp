#include "sinew/io/usda_file.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <ranges>

#include <fmt/format.h>

#include "sinew/core/atomic_stream.h"

namespace sinew {
namespace {

// Names of prims: letters, digits and '_', no digit first.
std::string identifier(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    result += safe ? c : '_';
  }
  if (result.empty() || (result[0] >= '0' && result[0] <= '9')) result.insert(result.begin(), '_');
  return result;
}

std::string unique_identifier(const std::string& name, std::vector<std::string>& taken) {
  const std::string wanted = identifier(name);
  std::string result = wanted;
  for (int k = 2; std::ranges::find(taken, result) != taken.end(); ++k) result = fmt::format("{}_{}", wanted, k);
  taken.push_back(result);
  return result;
}

std::string string_literal(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c != '\n' && c != '\r') result += c;
  }
  return result + "\"";
}

void append_points(std::string& out, const Eigen::Matrix3Xf& x) {
  out += "[";
  for (Eigen::Index v = 0; v < x.cols(); ++v)
    fmt::format_to(std::back_inserter(out), "{}({}, {}, {})", v > 0 ? ", " : "", x(0, v), x(1, v), x(2, v));
  out += "]";
}

std::string list_of(const std::vector<Index>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

// Frames are whole time codes if they are equally far apart. A second has `rate` codes.
struct TimeCodes {
  double rate = 24;
  std::vector<double> codes;
};

TimeCodes time_codes(const std::vector<double>& times) {
  TimeCodes result;
  const std::size_t count = times.size();
  if (count > 1 && times.back() > 0) result.rate = static_cast<double>(count - 1) / times.back();
  // 100.00000000000001 is 100.
  if (std::abs(result.rate - std::round(result.rate)) < 1e-6 * result.rate) result.rate = std::round(result.rate);
  for (std::size_t k = 0; k < count; ++k) {
    const double code = times[k] * result.rate, whole = static_cast<double>(k);
    result.codes.push_back(std::abs(code - whole) < 1e-3 ? whole : code);
  }
  return result;
}

class UsdaWriter {
 public:
  UsdaWriter(const std::string& path, const SurfaceAnimation& animation)
      : path_(path),
        out_(path),
        animation_(animation),
        codes_(time_codes(animation.play_times())),
        root_(identifier(animation.name)),
        up_(up_axis(animation.parts.system().setup.gravity)) {}

  void write() {
    const bool z_up = up_.axis == 2 && up_.positive;
    put("#usda 1.0\n(\n    defaultPrim = \"{}\"\n    endTimeCode = {}\n    framesPerSecond = {}\n    metersPerUnit = "
        "1\n",
        root_, codes_.codes.back(), codes_.rate);
    put("    startTimeCode = {}\n    timeCodesPerSecond = {}\n    upAxis = \"{}\"\n)\n\n", codes_.codes.front(),
        codes_.rate, z_up ? "Z" : "Y");
    put("def Xform \"{}\" (\n    kind = \"component\"\n)\n{{\n", root_);
    const Eigen::Quaterniond turn = turn_to_y(up_);
    if (!z_up && turn.w() != 1) {
      put("    quatf xformOp:orient = ({}, {}, {}, {})\n", static_cast<float>(turn.w()), static_cast<float>(turn.x()),
          static_cast<float>(turn.y()), static_cast<float>(turn.z()));
      put("    uniform token[] xformOpOrder = [\"xformOp:orient\"]\n\n");
    }
    materials();
    std::vector<std::string> taken{"Looks"};
    for (std::size_t p = 0; p < animation_.parts.parts().size(); ++p)
      mesh(p, unique_identifier(animation_.parts.parts()[p].name, taken));
    put("}}\n");
    out_.commit();
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    out_.write(fmt::format(format, std::forward<Args>(args)...));
  }

  void materials() {
    std::vector<std::string> taken;
    put("    def Scope \"Looks\"\n    {{\n");
    for (const PartMaterial& m : animation_.parts.materials()) {
      const std::string name = unique_identifier(m.name, taken);
      paths_.push_back(fmt::format("/{}/Looks/{}", root_, name));
      const Rgb color = linear_color(m.color);
      put("        def Material \"{}\"\n        {{\n", name);
      put("            token outputs:surface.connect = <{}/Surface.outputs:surface>\n\n", paths_.back());
      put("            def Shader \"Surface\"\n            {{\n");
      put("                uniform token info:id = \"UsdPreviewSurface\"\n");
      if (m.image >= 0)
        put("                color3f inputs:diffuseColor.connect = <{}/Texture.outputs:rgb>\n", paths_.back());
      else
        put("                color3f inputs:diffuseColor = ({}, {}, {})\n", color[0], color[1], color[2]);
      put("                float inputs:metallic = {}\n", static_cast<float>(m.look.metalness));
      put("                float inputs:opacity = {}\n", static_cast<float>(m.look.opacity));
      put("                float inputs:roughness = {}\n", static_cast<float>(m.look.roughness));
      put("                token outputs:surface\n            }}\n");
      if (m.image >= 0) texture(image_copy(path_, animation_.parts.images()[static_cast<std::size_t>(m.image)]), color);
      put("        }}\n");
    }
    put("    }}\n");
  }

  // The image beside the file, times the material's colour.
  void texture(const std::string& image, const Rgb& color) {
    put("\n            def Shader \"Texture\"\n            {{\n");
    put("                uniform token info:id = \"UsdUVTexture\"\n");
    put("                asset inputs:file = @./{}@\n", image);
    put("                float4 inputs:scale = ({}, {}, {}, 1)\n", color[0], color[1], color[2]);
    put("                token inputs:sourceColorSpace = \"sRGB\"\n");
    put("                float2 inputs:st.connect = <{}/Places.outputs:result>\n", paths_.back());
    put("                token inputs:wrapS = \"repeat\"\n                token inputs:wrapT = \"repeat\"\n");
    put("                float3 outputs:rgb\n            }}\n");
    put("\n            def Shader \"Places\"\n            {{\n");
    put("                uniform token info:id = \"UsdPrimvarReader_float2\"\n");
    put("                string inputs:varname = \"st\"\n");
    put("                float2 outputs:result\n            }}\n");
  }

  void mesh(std::size_t p, const std::string& name) {
    const SurfacePart& part = animation_.parts.parts()[p];
    const ObjPolygons& polygons = part.polygons;
    put("\n    def Mesh {} (\n        displayName = {}\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n "
        "   {{\n",
        string_literal(name), string_literal(part.name));
    put("        uniform bool doubleSided = {}\n", part.closed ? "0" : "1");
    samples(p);
    put("        int[] faceVertexCounts = {}\n", list_of(polygons.sizes));
    put("        int[] faceVertexIndices = {}\n", list_of(polygons.corners));
    if (!polygons.texture.empty()) coordinates(polygons);
    put("        uniform token subdivisionScheme = \"none\"\n");
    bind(polygons);
    put("    }}\n");
  }

  void samples(std::size_t p) {
    std::string extents = "        float3[] extent.timeSamples = {\n";
    put("        point3f[] points.timeSamples = {{\n");
    for (std::size_t k = 0; k < codes_.codes.size(); ++k) {
      const Eigen::Matrix3Xf x = animation_.positions(p, k);
      std::string line = fmt::format("            {}: ", codes_.codes[k]);
      Eigen::Matrix3Xf box(3, 2);
      box << x.rowwise().minCoeff(), x.rowwise().maxCoeff();
      extents += line;
      append_points(extents, box);
      extents += ",\n";
      append_points(line, x);
      out_.write(line + ",\n");
    }
    put("        }}\n");
    out_.write(extents + "        }\n");
  }

  void coordinates(const ObjPolygons& polygons) {
    std::string text;
    for (const auto& place : polygons.coordinates)
      fmt::format_to(std::back_inserter(text), "{}({}, {})", text.empty() ? "" : ", ", place[0], place[1]);
    put("        texCoord2f[] primvars:st = [{}] (\n            interpolation = \"faceVarying\"\n        )\n", text);
    put("        int[] primvars:st:indices = {}\n", list_of(polygons.texture));
  }

  void bind(const ObjPolygons& polygons) {
    const bool one = std::ranges::all_of(polygons.material, [&](Index m) { return m == polygons.material[0]; });
    if (one && !polygons.material.empty())
      put("        rel material:binding = <{}>\n", paths_[static_cast<std::size_t>(polygons.material[0])]);
    if (!one) put("        uniform token subsetFamily:materialBind:familyType = \"partition\"\n");
    const bool grouped = !polygons.groups.empty();
    if (grouped) put("        uniform token subsetFamily:group:familyType = \"nonOverlapping\"\n");
    std::vector<std::string> taken;
    if (!one) {
      for (const auto& [material, faces] : by_value(polygons.material)) {
        const std::string& path = paths_[static_cast<std::size_t>(material)];
        subset(unique_identifier(path.substr(path.rfind('/') + 1), taken), "materialBind", faces, path);
      }
    }
    if (!grouped) return;
    for (const auto& [group, faces] : by_value(polygons.group))
      if (group >= 0)
        subset(unique_identifier(polygons.groups[static_cast<std::size_t>(group)], taken), "group", faces, "");
  }

  static std::map<Index, std::vector<Index>> by_value(const std::vector<Index>& values) {
    std::map<Index, std::vector<Index>> result;
    for (std::size_t k = 0; k < values.size(); ++k) result[values[k]].push_back(static_cast<Index>(k));
    return result;
  }

  void subset(const std::string& name, const char* family, const std::vector<Index>& faces,
              const std::string& material) {
    put("\n        def GeomSubset \"{}\"", name);
    if (!material.empty()) put(" (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        )");
    put("\n        {{\n            uniform token elementType = \"face\"\n");
    put("            uniform token familyName = \"{}\"\n            int[] indices = {}\n", family, list_of(faces));
    if (!material.empty()) put("            rel material:binding = <{}>\n", material);
    put("        }}\n");
  }

  std::string path_;
  AtomicStream out_;
  const SurfaceAnimation& animation_;
  TimeCodes codes_;
  std::string root_;
  UpAxis up_;
  std::vector<std::string> paths_;  // by material
};

}  // namespace

void write_usda(const std::string& path, const SurfaceAnimation& animation) {
  write_images(path, animation.parts);
  UsdaWriter(path, animation).write();
}

}  // namespace sinew
