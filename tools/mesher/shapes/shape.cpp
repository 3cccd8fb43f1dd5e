#include "shapes/shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "shapes/shapes.h"

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"

namespace sinew::mesher {
namespace {

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

bool to_number(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

std::string_view unit_after(const Parameter& parameter) {
  return parameter.unit.empty() ? "" : " ";
}

void check_range(const Shape& shape, const Parameter& parameter, double value, std::string_view option) {
  if (value < parameter.lower || value > parameter.upper) {
    fail_input(code::shape_parameter, "{}: {} of {} is {:g}{}{}; it must lie in {:g} .. {:g}{}{}", option,
               parameter.name, shape.name, value, unit_after(parameter), parameter.unit, parameter.lower,
               parameter.upper, unit_after(parameter), parameter.unit);
  }
  if (parameter.whole && value != std::round(value)) {
    fail_input(code::shape_parameter, "{}: {} of {} is {:g}; it must be a whole number", option, parameter.name,
               shape.name, value);
  }
}

void apply(const Shape& shape, const std::string& setting, Values& values) {
  const std::string option = "--set " + setting;
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) fail_input(code::shape_parameter, "{}: expected parameter=value", option);
  const std::string_view name = std::string_view(setting).substr(0, equals);
  const std::string_view text = std::string_view(setting).substr(equals + 1);
  const auto parameter = std::find_if(shape.parameters.begin(), shape.parameters.end(),
                                      [&](const Parameter& p) { return p.name == name; });
  if (parameter == shape.parameters.end()) {
    const std::vector<std::string> names = names_of(shape.parameters);
    fail_input(code::shape_parameter, "{}: the shape {} has no parameter \"{}\"{}its parameters are {}", option,
               shape.name, name, did_you_mean_then(name, names), quoted_list(names));
  }
  double value = 0;
  if (!to_number(text, value))
    fail_input(code::shape_parameter, "{}: expected a number after {}=, found \"{}\"", option, name, text);
  check_range(shape, *parameter, value, option);
  values.at(parameter->name) = value;
}

}  // namespace

const std::vector<Shape>& all_shapes() {
  static const std::vector<Shape> shapes = {
      anvil_shape(),      beam_shape(),      block_shape(),        boat_shape(),           boot_shape(),
      candy_shape(),      city_shape(),      crab_shape(),         creature_shape(),       cut_block_shape(),
      gator_shape(),      hand_shape(),      head_shape(),         hoop_with_net_shape(),  iceberg_shape(),
      kooshball_shape(),  landscape_shape(), lattice_ball_shape(), mace_shape(),           mushroom_shape(),
      octobot_shape(),    pendulum_shape(),  roller_shape(),       sandwich_block_shape(), shoe_shape(),
      sphere_shape(),     spike_shape(),     spike_bed_shape(),    spiky_roller_shape(),   spring_fist_shape(),
      stressball_shape(), terrain_shape(),
  };
  return shapes;
}

const Shape& find_shape(std::string_view name) {
  const std::vector<Shape>& shapes = all_shapes();
  const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) { return s.name == name; });
  if (found == shapes.end()) {
    const std::vector<std::string> names = names_of(shapes);
    fail_input(code::shape_parameter, "unknown shape \"{}\"{}the shapes are {}", shortened(name),
               did_you_mean_then(name, names), quoted_list(names));
  }
  return *found;
}

Values shape_values(const Shape& shape, std::string_view size, std::span<const std::string> settings) {
  const auto preset = std::find(size_names.begin(), size_names.end(), size);
  const bool named = preset != size_names.end();
  const std::size_t column = named ? static_cast<std::size_t>(preset - size_names.begin()) : medium_size;
  Values values;
  for (const Parameter& parameter : shape.parameters) values[parameter.name] = parameter.defaults[column];
  if (!named) {
    double edge = 0;
    if (!to_number(size, edge)) {
      fail_input(code::mesher_size, "--size {}: expected small, medium, large or an edge length in metres", size);
    }
    check_range(shape, shape.parameters.front(), edge, "--size");
    values.at("edge") = edge;
  }
  for (const std::string& setting : settings) apply(shape, setting, values);
  return values;
}

void set_finest_detail(ShapeSolid& made, std::initializer_list<std::pair<double, std::string_view>> details) {
  std::tie(made.finest_detail, made.detail_parameter) =
      *std::min_element(details.begin(), details.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

Solid make_solid(const Shape& shape, const Values& values) {
  ShapeSolid made = shape.make(values);
  const double edge = values.at("edge");
  if (edge > made.finest_detail) {
    fail_input(code::mesher_size,
               "{}: an edge length of {:g} m is too coarse for the thinnest part; use at most {:.3g} m, change {} (now "
               "{:g}), or use size small, which has thicker parts",
               shape.name, edge, made.finest_detail, made.detail_parameter, values.at(made.detail_parameter));
  }
  return std::move(made.solid);
}

}  // namespace sinew::mesher
