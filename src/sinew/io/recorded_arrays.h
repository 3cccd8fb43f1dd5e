// The arrays of a .vtu frame that sinew wrote (vtu_writer.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class RecordedArrays {
 public:
  struct Values {
    int width = 1;  // numbers of a value
    std::vector<double> numbers;
  };

  // Reads the file. Throws InputError naming it if it is not such a frame.
  explicit RecordedArrays(const std::string& path);

  Points points() const;                   // 3 x n [m]
  double time() const { return time_; }    // [s]; in statics the share of the load
  std::vector<std::string> names() const;  // of arrays of real numbers, those of points first
  bool has(std::string_view name) const;
  // Whether an array is of points; otherwise it is of cells. Both throw InputError naming the file if there is none.
  bool of_points(std::string_view name) const;
  Values values(std::string_view name) const;

 private:
  struct Array {
    std::string name;
    bool of_points = true;
    int width = 1;
    std::size_t offset = 0;
  };
  const Array& find(std::string_view name) const;
  Values values(const Array& array) const;

  std::string path_, bytes_;
  std::string_view appended_;
  std::vector<Array> arrays_;
  Array points_;
  double time_ = 0;
};

}  // namespace sinew
