#include "sinew/formats/obj_polygons.h"

#include <algorithm>

#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

std::string rest_of(std::string_view rest) {
  const auto first = rest.find_first_not_of(" \t\r"), last = rest.find_last_not_of(" \t\r");
  return first == rest.npos ? std::string() : std::string(rest.substr(first, last - first + 1));
}

Index number_of(const std::string& name, std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<Index>(found - names.begin());
  names.push_back(name);
  return static_cast<Index>(names.size()) - 1;
}

Index whole(std::string_view text) {
  std::int64_t value = 0;
  return parse_integer(text, value) ? static_cast<Index>(value) : 0;
}

class PolygonReader {
 public:
  ObjPolygons read(const std::string& layout) {
    ByteReader in("layout", layout);
    while (in.remaining() > 0) {
      std::string_view rest = in.line();
      take(next_token(rest), rest);
    }
    if (result_.coordinates.empty()) result_.texture.clear();
    for (Index& corner : result_.texture) corner = corner < 0 ? default_coordinates() : corner;
    if (has_groups_) {
      result_.groups = std::move(groups_);
      result_.group = std::move(group_of_);
    } else {
      result_.groups = std::move(objects_);
      result_.group = std::move(object_of_);
    }
    return std::move(result_);
  }

 private:
  void take(std::string_view keyword, std::string_view rest) {
    if (keyword == "vt") {
      std::array<float, 2> place{};
      for (float& value : place) {
        double number = 0;
        parse_real(next_token(rest), number);
        value = static_cast<float>(number);
      }
      result_.coordinates.push_back(place);
    } else if (keyword == "f") {
      polygon(rest);
    } else if (keyword == "g") {
      has_groups_ = true;
      group_ = number_of(rest_of(rest), groups_);
    } else if (keyword == "o") {
      object_ = number_of(rest_of(rest), objects_);
    } else if (keyword == "usemtl") {
      material_ = number_of(rest_of(rest), result_.materials);
    } else if (keyword == "mtllib") {
      number_of(rest_of(rest), result_.libraries);
    }
  }

  void polygon(std::string_view rest) {
    Index size = 0;
    for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest), ++size) {
      const std::size_t slash = token.find('/');
      result_.corners.push_back(whole(token.substr(0, slash)) - 1);
      result_.texture.push_back(slash == token.npos ? -1 : whole(token.substr(slash + 1)) - 1);
    }
    result_.sizes.push_back(size);
    result_.material.push_back(material_);
    group_of_.push_back(group_);
    object_of_.push_back(object_);
  }

  Index default_coordinates() {
    if (default_ < 0) {
      default_ = static_cast<Index>(result_.coordinates.size());
      result_.coordinates.push_back({0, 0});
    }
    return default_;
  }

  ObjPolygons result_;
  std::vector<std::string> groups_, objects_;
  std::vector<Index> group_of_, object_of_;
  Index group_ = -1, object_ = -1, material_ = -1, default_ = -1;
  bool has_groups_ = false;
};

}  // namespace

ObjPolygons obj_polygons(const std::string& layout) {
  return PolygonReader().read(layout);
}

}  // namespace sinew
