#include "sinew/io/recorded_arrays.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/formats/vtk_encoding.h"
#include "sinew/formats/xml.h"

namespace sinew {
namespace {

[[noreturn]] void fail_frame(const std::string& path, const std::string& reason) {
  fail_input(code::file_damaged, "{}: {}; expected a frame that sinew wrote, run the scene again", path, reason);
}

// The text of a field datum, without blanks around it.
std::string_view field_datum(const XmlElement& grid, std::string_view name) {
  const XmlElement* fields = grid.child("FieldData");
  if (!fields) return "";
  for (const XmlElement& array : fields->children) {
    if (array.attribute("Name") != name) continue;
    std::string_view text = array.text;
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
  }
  return "";
}

}  // namespace

RecordedArrays::RecordedArrays(const std::string& path) : path_(path), bytes_(read_whole_file(path, "the frame")) {
  ByteReader reader(path, bytes_);
  const XmlElement root = parse_xml(reader, "AppendedData");
  const XmlElement* grid = root.child("UnstructuredGrid");
  const XmlElement* piece = grid ? grid->child("Piece") : nullptr;
  const XmlElement* data = root.child("AppendedData");
  if (!piece || !data) fail_frame(path_, "found no data");
  const std::size_t start = data->text.find('_');
  if (start != std::string_view::npos) appended_ = data->text.substr(start + 1);
  const std::string_view time = field_datum(*grid, "TimeValue");
  std::from_chars(time.data(), time.data() + time.size(), time_);
  const auto read = [&](const XmlElement& element, bool of_points) {
    Array array{element.attribute("Name"), of_points, 1, 0};
    std::int64_t offset = -1, width = 1;
    if (element.attribute("format") != "appended" || !parse_integer(element.attribute("offset"), offset) ||
        offset < 0 || static_cast<std::size_t>(offset) >= appended_.size() ||
        !parse_integer(element.attribute("NumberOfComponents", "1"), width) || width < 1 || width > 9)
      fail_frame(path_, fmt::format("array '{}' is stored in another way", array.name));
    array.offset = static_cast<std::size_t>(offset);
    array.width = static_cast<int>(width);
    return array;
  };
  for (const auto& [section, of_points] : {std::pair{"PointData", true}, std::pair{"CellData", false}})
    if (const XmlElement* list = piece->child(section))
      for (const XmlElement& element : list->children)
        if (element.attribute("type") == "Float64") arrays_.push_back(read(element, of_points));
  const XmlElement* points = piece->child("Points");
  if (!points || points->children.empty()) fail_frame(path_, "found no points");
  points_ = read(points->children.front(), true);
  if (points_.width != 3) fail_frame(path_, "found points that are not in three dimensions");
}

RecordedArrays::Values RecordedArrays::values(const Array& array) const {
  const std::string bytes = vtk_decode(appended_.substr(array.offset), VtkBlobOptions{});
  Values values{array.width, std::vector<double>(bytes.size() / sizeof(double))};
  std::memcpy(values.numbers.data(), bytes.data(), values.numbers.size() * sizeof(double));
  if (values.numbers.size() % static_cast<std::size_t>(array.width) != 0)
    fail_frame(path_, fmt::format("array '{}' ends within a value", array.name));
  return values;
}

Points RecordedArrays::points() const {
  const Values found = values(points_);
  return Points::Map(found.numbers.data(), 3, static_cast<Eigen::Index>(found.numbers.size() / 3));
}

std::vector<std::string> RecordedArrays::names() const {
  std::vector<std::string> names;
  for (const Array& array : arrays_) names.push_back(array.name);
  return names;
}

bool RecordedArrays::has(std::string_view name) const {
  return std::ranges::any_of(arrays_, [&](const Array& array) { return array.name == name; });
}

const RecordedArrays::Array& RecordedArrays::find(std::string_view name) const {
  const auto found = std::ranges::find_if(arrays_, [&](const Array& array) { return array.name == name; });
  if (found == arrays_.end()) fail_frame(path_, fmt::format("found no array '{}'", name));
  return *found;
}

bool RecordedArrays::of_points(std::string_view name) const {
  return find(name).of_points;
}

RecordedArrays::Values RecordedArrays::values(std::string_view name) const {
  return values(find(name));
}

}  // namespace sinew
