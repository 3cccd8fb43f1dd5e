#include "sinew/io/vtu_writer.h"

#include <string_view>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/parallel.h"
#include "sinew/formats/vtk_encoding.h"

namespace sinew {
namespace {

template <class T>
VtkArray make_array(std::string name, const char* type, int components, std::span<const T> values) {
  return {std::move(name), type, components, std::as_bytes(values), nullptr};
}

// Writes the XML and collects the encoded arrays behind it.
class Document {
 public:
  explicit Document(VtuFile& file) {
    text_ =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<UnstructuredGrid>\n";
    text_ += fmt::format(
        "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>"
        "{}</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
        file.time,
        file.statics ? "<DataArray type=\"Int32\" Name=\"statics\" NumberOfTuples=\"1\" format=\"ascii\">1</DataArray>"
                     : "",
        file.point_count, file.cell_count);
    section("Points", std::span(&file.points, 1));
    const VtkArray cells[] = {file.connectivity, file.offsets, file.types};
    section("Cells", cells);
    section("PointData", file.point_data);
    section("CellData", file.cell_data);
    text_ += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"base64\">\n_";
  }

  void write(const std::string& path) const {
    std::vector<std::string_view> pieces{text_};
    for (const auto& blob : blobs_) pieces.push_back(*blob);
    pieces.push_back("\n</AppendedData>\n</VTKFile>\n");
    write_file_atomically(path, pieces);
  }

 private:
  void section(const char* name, std::span<const VtkArray> arrays) {
    text_ += fmt::format("<{}>\n", name);
    for (const VtkArray& array : arrays) {
      text_ += fmt::format(
          "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
          array.type, array.name, array.components, offset_);
      offset_ += array.encoded->size();
      blobs_.push_back(array.encoded);
    }
    text_ += fmt::format("</{}>\n", name);
  }

  std::string text_;
  std::size_t offset_ = 0;
  std::vector<std::shared_ptr<const std::string>> blobs_;
};

}  // namespace

VtkArray vtk_array(std::string name, int components, std::span<const double> values) {
  return make_array(std::move(name), "Float64", components, values);
}

VtkArray vtk_array(std::string name, int components, std::span<const Index> values) {
  return make_array(std::move(name), "Int32", components, values);
}

VtkArray vtk_array(std::string name, int components, std::span<const std::uint8_t> values) {
  return make_array(std::move(name), "UInt8", components, values);
}

VtkArray vtk_array(std::string name, const Points& values) {
  return vtk_array(std::move(name), 3, std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
}

void encode_arrays(std::span<VtkArray* const> arrays) {
  const auto encode = [&](std::size_t i) {
    VtkArray& array = *arrays[i];
    if (array.encoded) return;
    const std::string_view bytes(reinterpret_cast<const char*>(array.data.data()), array.data.size());
    array.encoded = std::make_shared<const std::string>(vtk_encode(bytes, VtkBlobOptions{}));
    array.data = {};
  };
  parallel_for(arrays.size(), encode, /*chunk=*/1);
}

void write_vtu(const std::string& path, VtuFile& file) {
  std::vector<VtkArray*> arrays{&file.points, &file.connectivity, &file.offsets, &file.types};
  for (VtkArray& array : file.point_data) arrays.push_back(&array);
  for (VtkArray& array : file.cell_data) arrays.push_back(&array);
  encode_arrays(arrays);
  Document(file).write(path);
}

void set_cells(VtuFile& file, std::span<const Index> ids, Index cells, std::uint8_t shape) {
  const Index corners = cells > 0 ? static_cast<Index>(ids.size()) / cells : 0;
  std::vector<Index> offsets(static_cast<std::size_t>(cells));
  for (Index c = 0; c < cells; ++c) offsets[c] = (c + 1) * corners;
  const std::vector<std::uint8_t> types(static_cast<std::size_t>(cells), shape);
  file.cell_count = cells;
  file.connectivity = vtk_array("connectivity", 1, ids);
  file.offsets = vtk_array("offsets", 1, std::span<const Index>(offsets));
  file.types = vtk_array("types", 1, std::span<const std::uint8_t>(types));
  VtkArray* const arrays[] = {&file.connectivity, &file.offsets, &file.types};
  encode_arrays(arrays);
}

}  // namespace sinew
