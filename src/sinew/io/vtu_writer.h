// Writes VTK XML unstructured grids (.vtu): appended base64 data, so that the file is valid XML, without compression.
// Equal data give equal bytes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// One DataArray. It refers to `data` until encode_arrays() is called. After that it has only its encoded form, which
// copies share.
struct VtkArray {
  std::string name;
  const char* type = "Float64";
  int components = 1;
  std::span<const std::byte> data;
  std::shared_ptr<const std::string> encoded;
};

VtkArray vtk_array(std::string name, int components, std::span<const double> values);
VtkArray vtk_array(std::string name, int components, std::span<const Index> values);
VtkArray vtk_array(std::string name, int components, std::span<const std::uint8_t> values);
VtkArray vtk_array(std::string name, const Points& values);  // 3 components

// Encodes, in parallel, those arrays that are not encoded yet.
void encode_arrays(std::span<VtkArray* const> arrays);

struct VtuFile {
  Index point_count = 0, cell_count = 0;
  double time = 0;       // [s], stored as VTK's TimeValue
  bool statics = false;  // time is a fraction of the load; the file has a field of that name
  VtkArray points, connectivity, offsets, types;
  std::vector<VtkArray> point_data, cell_data;
};

// Encodes the remaining arrays and writes the file, whole or not at all. Throws SimulationError naming the path.
void write_vtu(const std::string& path, VtuFile& file);

// VTK's numbers of cell shapes.
inline constexpr std::uint8_t vtk_triangle = 5, vtk_quad = 9, vtk_tet = 10, vtk_quadratic_tet = 24;

// Sets cells of equal shape and encodes them, because they stay the same for a series. ids: corners x cells vertex ids.
// shape: VTK's number.
void set_cells(VtuFile& file, std::span<const Index> ids, Index cells, std::uint8_t shape);

}  // namespace sinew
