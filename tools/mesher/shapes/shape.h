// Shapes by name: each has parameters with a default for each size, and makes a solid from their values.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solid.h"

namespace sinew::mesher {

inline constexpr std::array<std::string_view, 3> size_names = {"small", "medium", "large"};
inline constexpr std::size_t medium_size = 1;

struct Parameter {
  std::string_view name;
  std::string_view unit;  // empty: a pure number
  std::string_view description;
  std::array<double, 3> defaults;  // at small, medium, large
  double lower, upper;             // both allowed
  bool whole = false;              // a count or a switch
};

using Values = std::map<std::string_view, double>;  // of all parameters of a shape

struct ShapeSolid {
  Solid solid;
  double finest_detail = 0;           // an edge longer than this would lose the thinnest part [m]
  std::string_view detail_parameter;  // the parameter to change for a coarser mesh
};

// The smallest of the details and the parameter that it comes from.
void set_finest_detail(ShapeSolid& made, std::initializer_list<std::pair<double, std::string_view>> details);

struct Shape {
  std::string_view name;
  std::string_view description;
  std::vector<Parameter> parameters;  // the first is `edge`, the edge length aimed at [m]
  // Values are in range; throws InputError where they do not fit together.
  ShapeSolid (*make)(const Values& values);
};

// In alphabetical order.
const std::vector<Shape>& all_shapes();

// Throws InputError with a suggestion when there is none of that name.
const Shape& find_shape(std::string_view name);

// The defaults at `size`: small, medium, large, or an edge length [m] for the geometry of medium; then `settings`, each
// "parameter=value". Throws InputError: unknown parameter, not a number, out of range.
Values shape_values(const Shape& shape, std::string_view size, std::span<const std::string> settings);

// Throws InputError when the edge length is too long for the thinnest part.
Solid make_solid(const Shape& shape, const Values& values);

}  // namespace sinew::mesher
