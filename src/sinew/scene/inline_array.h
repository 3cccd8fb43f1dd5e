// Reads arrays of numbers in a scene: nested lists, or base64 of their bytes.
#pragma once

#include <vector>

#include "sinew/core/types.h"
#include "sinew/scene/node.h"

namespace sinew {

// An array of one or two dimensions, row by row.
template <class Number>
struct InlineArray {
  Eigen::Index rows = 0, columns = 0;  // a vector has one column
  std::vector<Number> values;
};

// The shape that an array must have. A vector is expected if `columns` is 0.
struct ArrayShape {
  static constexpr Eigen::Index any = -1;
  Eigen::Index rows = any, columns = any;
};

// Reads real or whole numbers. `node` is a nested list, or an object {"float64": BASE64, "shape": [...]} with the
// bytes of little-endian numbers, or of "int32". Throws InputError naming the key, what was found and what was
// expected. Real numbers are not checked to be finite.
InlineArray<double> read_reals(const Node& node, const ArrayShape& expected);
InlineArray<Index> read_integers(const Node& node, const ArrayShape& expected);

// Returns a scene for people: of base64 text beyond 10,000 characters only the beginning is left.
nlohmann::ordered_json with_short_arrays(nlohmann::ordered_json scene);

}  // namespace sinew
