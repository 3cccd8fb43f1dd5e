#include "sinew/scene/inline_array.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "sinew/core/base64.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes of inline arrays are little-endian");

std::string shape_words(const ArrayShape& shape) {
  const std::string rows = shape.rows == ArrayShape::any ? "n" : std::to_string(shape.rows);
  if (shape.columns == ArrayShape::any) return fmt::format("({0},) or ({0}, m)", rows);
  return shape.columns == 0 ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, shape.columns);
}

template <class Number>
class ArrayReader {
 public:
  ArrayReader(const Node& node, const ArrayShape& expected) : node_(node), expected_(expected) {}

  InlineArray<Number> read() {
    node_.json().is_array() ? read_lists() : read_bytes();
    return std::move(array_);
  }

 private:
  static constexpr bool whole = std::is_same_v<Number, Index>;

  // columns: 0 for a vector.
  void set_shape(Eigen::Index rows, Eigen::Index columns) {
    const auto suits = [](Eigen::Index found, Eigen::Index wanted) {
      return wanted == ArrayShape::any || found == wanted;
    };
    const bool same_kind = expected_.columns == ArrayShape::any || (columns == 0) == (expected_.columns == 0);
    // An empty list may be a matrix without rows.
    const bool empty = rows == 0 && node_.json().is_array();
    if (!suits(rows, expected_.rows) || (!empty && (!same_kind || !suits(columns, expected_.columns))))
      node_.fail(code::scene_value, "found an array of shape {}, expected {}", shape_words({rows, columns}),
                 shape_words(expected_));
    array_.rows = rows;
    array_.columns = columns == 0 ? 1 : columns;
  }

  void read_lists() {
    const auto& list = node_.json();
    const bool vector = list.empty() || !list[0].is_array();
    set_shape(static_cast<Eigen::Index>(list.size()), vector ? 0 : static_cast<Eigen::Index>(list[0].size()));
    array_.values.reserve(list.size() * static_cast<std::size_t>(array_.columns));
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (vector) {
        add(list[i], [&] { return node_[i]; });
        continue;
      }
      if (!list[i].is_array() || static_cast<Eigen::Index>(list[i].size()) != array_.columns)
        node_[i].fail(code::scene_value, "found {}, expected a row of {} numbers", found_text(list[i]), array_.columns);
      for (std::size_t k = 0; k < list[i].size(); ++k) add(list[i][k], [&] { return node_[i][k]; });
    }
  }

  template <class Place>
  void add(const nlohmann::ordered_json& value, Place&& place) {
    if (const std::optional<Number> number = converted(value)) {
      array_.values.push_back(*number);
      return;
    }
    place().fail(code::scene_value, "found {}, expected {}", found_text(value),
                 whole ? "an integer of 32 bits" : "a number");
  }

  static std::optional<Number> converted(const nlohmann::ordered_json& value) {
    if (!value.is_number()) return {};
    const double number = value.get<double>();
    if constexpr (whole) {
      constexpr double most = std::numeric_limits<Index>::max();
      if (!(std::abs(number) <= most) || number != std::floor(number)) return {};
    }
    return static_cast<Number>(number);
  }

  void read_bytes() {
    const bool doubles = node_.has("float64");
    if (doubles && whole) node_["float64"].fail(code::scene_value, "found real numbers, expected \"int32\"");
    const Node text = node_[doubles ? "float64" : "int32"], shape = node_["shape"];
    if (shape.size() != 1 && shape.size() != 2)
      shape.fail(code::scene_value, "found {}, expected one or two integers", found_text(shape.json()));
    const auto count = [&](std::size_t i) { return static_cast<Eigen::Index>(shape[i].integer()); };
    set_shape(count(0), shape.size() == 2 ? count(1) : 0);
    const std::string bytes = decoded(text);
    const std::size_t size = static_cast<std::size_t>(array_.rows) * static_cast<std::size_t>(array_.columns);
    const std::size_t width = doubles ? sizeof(double) : sizeof(Index);
    if (bytes.size() != size * width)
      text.fail(code::scene_value, "found {} bytes, expected {} for {} numbers by \"shape\"", bytes.size(),
                size * width, size);
    doubles ? copy<double>(bytes, size) : copy<Index>(bytes, size);
  }

  static std::string decoded(const Node& text) {
    try {
      return base64_decode(text.json().get_ref<const std::string&>());
    } catch (const InputError& error) {
      text.fail(code::scene_value, "{}", error.what());
    }
  }

  template <class Stored>
  void copy(const std::string& bytes, std::size_t size) {
    array_.values.resize(size);
    if constexpr (std::is_same_v<Stored, Number>) {
      if (size > 0) std::memcpy(array_.values.data(), bytes.data(), bytes.size());
    } else {
      for (std::size_t i = 0; i < size; ++i) {
        Stored value;
        std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
        array_.values[i] = static_cast<Number>(value);
      }
    }
  }

  const Node& node_;
  ArrayShape expected_;
  InlineArray<Number> array_;
};

}  // namespace

InlineArray<double> read_reals(const Node& node, const ArrayShape& expected) {
  return ArrayReader<double>(node, expected).read();
}

InlineArray<Index> read_integers(const Node& node, const ArrayShape& expected) {
  return ArrayReader<Index>(node, expected).read();
}

nlohmann::ordered_json with_short_arrays(nlohmann::ordered_json scene) {
  constexpr std::size_t longest = 10000, kept = 60;
  for (auto& [key, value] : scene.items()) {
    if (value.is_structured()) value = with_short_arrays(std::move(value));
    if (!value.is_string() || (key != "float64" && key != "int32")) continue;
    const std::string& text = value.get_ref<const std::string&>();
    if (text.size() > longest)
      value = fmt::format("{}... ({} characters are left out here)", text.substr(0, kept), text.size() - kept);
  }
  return scene;
}

}  // namespace sinew
