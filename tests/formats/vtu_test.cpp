#include "sinew/formats/vtu.h"

#include "support/mesh_files.h"

#include "sinew/core/base64.h"
#include "sinew/formats/read.h"
#include "sinew/formats/vtk_encoding.h"

namespace sinew {
namespace {

using test::BinaryText;
using test::error_of;
using testing::ElementsAre;
using testing::IsEmpty;

struct Layout {
  const char* format = "ascii";  // ascii, binary, appended
  VtkEncoding encoding = VtkEncoding::base64;
  bool compressed = false, header_64 = true;
};

// The mesh of two_tets() after a line cell, with a field, a region array and a vector field.
std::string two_tets_vtu(const Layout& layout) {
  const VtkBlobOptions options{layout.encoding, layout.compressed, layout.header_64, false, 1, 64};
  std::string appended;
  const auto array = [&](const char* type, const char* name, int components, const std::string& ascii,
                         const std::string& bytes) {
    std::string tag = fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"{}\"", type,
                                  name, components, layout.format);
    if (layout.format == std::string("ascii")) return tag + ">\n" + ascii + "\n</DataArray>\n";
    const std::string blob = vtk_encode(bytes, options);
    if (layout.format == std::string("binary")) return tag + ">\n  " + blob + "\n</DataArray>\n";
    tag += fmt::format(" offset=\"{}\"/>\n", appended.size());
    appended += blob;
    return tag;
  };
  const auto pack = [](auto... values) {
    BinaryText text(false);
    (text.add(values), ...);
    return text.text;
  };
  using I = std::int64_t;
  using B = std::uint8_t;
  std::string out = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- two tets -->\n<VTKFile type='UnstructuredGrid' version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"{}\"{}>\n<UnstructuredGrid>\n<Piece "
      "NumberOfPoints=\"5\" NumberOfCells=\"3\">\n",
      layout.header_64 ? "UInt64" : "UInt32", layout.compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
  out += "<CellData>\n";
  out += array("Float32", "young &amp; co", 1, "0 1.5 2.5", pack(0.f, 1.5f, 2.5f));
  out += array("Int32", "region", 1, "0 4 -5", pack(0, 4, -5));
  out += array("Float64", "fibre", 3, "0 0 0 1 0 0 0 1 0", pack(0., 0., 0., 1., 0., 0., 0., 1., 0.));
  out += "</CellData>\n<Points>\n";
  out += array("Float64", "Points", 3, "0 0 0  1 0 0  0 1 0  0 0 1  1 1 1",
               pack(0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 1., 1.));
  out += "</Points>\n<Cells>\n";
  out += array("Int64", "connectivity", 1, "0 1 0 1 2 3 4 2 1 3",
               pack(I{0}, I{1}, I{0}, I{1}, I{2}, I{3}, I{4}, I{2}, I{1}, I{3}));
  out += array("Int64", "offsets", 1, "2 6 10", pack(I{2}, I{6}, I{10}));
  out += array("UInt8", "types", 1, "3 10 10", pack(B{3}, B{10}, B{10}));
  out += "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  if (!appended.empty()) {
    out += fmt::format("<AppendedData encoding=\"{}\">\n_", layout.encoding == VtkEncoding::raw ? "raw" : "base64") +
           appended + "\n</AppendedData>\n";
  }
  return out + "</VTKFile>\n";
}

class Vtu : public test::MeshTest {
 protected:
  std::string error(const std::string& text) {
    const std::string at = file("bad.vtu", text);
    return error_of([&] { read_tet_mesh(at); }, at);
  }
  // An ASCII grid with one part replaced.
  std::string broken(const std::string& what, const std::string& by) {
    std::string text = two_tets_vtu({});
    return error(text.replace(text.find(what), what.size(), by));
  }
};

TEST_F(Vtu, ReadsEveryEncoding) {
  std::vector<Layout> layouts = {{}};
  for (const char* format : {"binary", "appended"}) {
    for (const VtkEncoding encoding : {VtkEncoding::base64, VtkEncoding::raw}) {
      if (encoding == VtkEncoding::raw && format == std::string("binary")) continue;
      for (const bool compressed : {false, true}) {
        for (const bool wide : {false, true}) layouts.push_back({format, encoding, compressed, wide});
      }
    }
  }
  const TetMesh expected = test::two_tets();
  for (const Layout& layout : layouts) {
    SCOPED_TRACE(fmt::format("{} {} compressed {} 64 {}", layout.format, static_cast<int>(layout.encoding),
                             layout.compressed, layout.header_64));
    const TetMesh mesh = read_tet_mesh(file("two.vtu", two_tets_vtu(layout)));
    EXPECT_EQ(mesh.vertices, expected.vertices);
    EXPECT_EQ(mesh.tets, expected.tets);
    EXPECT_THAT(mesh.regions, ElementsAre(4, -5));
    EXPECT_EQ(mesh.cell_fields.size(), 3u);
    EXPECT_THAT(mesh.cell_fields.at("fibre"), ElementsAre(1, 0, 0, 0, 1, 0));
    EXPECT_THAT(mesh.cell_fields.at("young & co"), ElementsAre(1.5, 2.5));
    EXPECT_THAT(mesh.cell_fields.at("region"), ElementsAre(4, -5));
  }
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(Vtu, ReadsBigEndianAndTwoBase64Runs) {
  BinaryText points(true);
  for (const double x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.}) points.add(x);
  BinaryText header(true);
  header.add(std::uint32_t{96});
  const std::string text =
      "<VTKFile type=\"UnstructuredGrid\" byte_order=\"BigEndian\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" "
      "NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" format=\"binary\">" +
      base64_encode(header.text) + base64_encode(points.text) +
      "</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
      "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray><DataArray type=\"UInt8\" "
      "Name=\"types\" "
      "format=\"ascii\">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";
  const TetMesh mesh = read_tet_mesh(file("big.vtu", text));
  EXPECT_EQ(mesh.vertices, test::two_tets().vertices.leftCols(4));
}

TEST_F(Vtu, JoinsPieces) {
  std::string text = two_tets_vtu({});
  const std::size_t begin = text.find("<Piece"), end = text.find("</UnstructuredGrid>");
  text.insert(end, text.substr(begin, end - begin));
  const TetMesh mesh = read_tet_mesh(file("pieces.vtu", text));
  EXPECT_EQ(mesh.vertex_count(), 10);
  ASSERT_EQ(mesh.tet_count(), 4);
  EXPECT_EQ(mesh.tets.col(3), Eigen::Vector4i(9, 7, 6, 8));
  EXPECT_THAT(mesh.regions, ElementsAre(4, -5, 4, -5));
}

// Replaces the names of the region array and of the array before it.
TEST_F(Vtu, RegionsHaveManyNames) {
  const auto regions = [&](const std::string& second, const std::string& first = "young",
                           const char* values = "0 4 -5") {
    std::string text = two_tets_vtu({});
    const auto replace = [&](const std::string& what, const std::string& by) {
      text.replace(text.find(what), what.size(), by);
    };
    replace("\"region\"", "\"" + second + "\"");
    replace("\"young &amp; co\"", "\"" + first + "\"");
    replace("0 1.5 2.5", "0 1 2");
    replace("0 4 -5", values);
    return read_tet_mesh(file("names.vtu", text)).regions;
  };
  for (const char* name : {"region", "regions", "Region", "RegionId", "region_ids", "material_id", "MaterialID",
                           "Material Ids", "material", "gmsh:physical", "CellEntityIds"}) {
    EXPECT_THAT(regions(name), ElementsAre(4, -5)) << name;
  }
  EXPECT_THAT(regions("gmsh:geometrical"), ElementsAre(0, 0));
  EXPECT_THAT(regions("MaterialId", "gmsh:physical"), ElementsAre(4, -5));  // the order of the names, not of the file
  EXPECT_THAT(regions("MaterialId", "region"), ElementsAre(1, 2));          // whole numbers of floating point too
  EXPECT_THAT(regions("MaterialId", "young", "0 4 5000000000"), ElementsAre(0, 0));  // no id
  EXPECT_THAT(regions("region", "CellEntityIds", "0 4 5000000000"), ElementsAre(1, 2));
}

TEST_F(Vtu, ComponentsOfCellArrays) {
  EXPECT_EQ(broken("0 0 0 1 0 0 0 1 0", "0 0 0 1 0 0 0 1"),
            "FILE:13: found 8 values of cell array 'fibre', expected 3 for each of 3 cells");
  EXPECT_EQ(broken("\"fibre\" NumberOfComponents=\"3\"", "\"fibre\" NumberOfComponents=\"three\""),
            "FILE:13: found NumberOfComponents='three', expected an integer from 1 to 2^63 - 1");
  std::string text = two_tets_vtu({});
  const std::size_t begin = text.find("<Piece"), end = text.find("</UnstructuredGrid>");
  std::string other = text.substr(begin, end - begin);
  const auto replace = [&](const std::string& what, const std::string& by) {
    other.replace(other.find(what), what.size(), by);
  };
  replace("\"fibre\" NumberOfComponents=\"3\"", "\"fibre\" NumberOfComponents=\"1\"");
  replace("0 0 0 1 0 0 0 1 0", "0 0 0");
  EXPECT_EQ(error(text.insert(end, other)),
            "FILE:42: found 1 components of cell array 'fibre', expected 3 as in the piece before");
}

TEST_F(Vtu, ErrorsNameFileLineAndRemedy) {
  EXPECT_EQ(error("hello"), "FILE:1: the file ends before the next tag; it is truncated or not XML");
  EXPECT_EQ(error("<html></html>"), "FILE:1: found <html>, expected <VTKFile>");
  EXPECT_EQ(error("\n<VTKFile type=\"PolyData\"></VTKFile>"),
            "FILE:2: found VTK data of type 'PolyData', expected 'UnstructuredGrid'; save the body as an unstructured "
            "grid of tets");
  EXPECT_EQ(broken("header_type=\"UInt64\"", "compressor=\"vtkLZ4DataCompressor\""),
            "FILE:3: found compressor 'vtkLZ4DataCompressor', expected vtkZLibDataCompressor or none; save again with "
            "zlib or no "
            "compression");
  EXPECT_EQ(broken("3 10 10", "3 12 10"),
            "FILE:23: found hexahedra (cell type 12), expected tets (cell type 10); convert the volume to tets, in "
            "ParaView with "
            "the filter Tetrahedralize");
  EXPECT_EQ(broken("4 2 1 3\n", "4 2 1 7\n"), "FILE:23: cell 2 names point 7, expected 0 to 4");
  EXPECT_EQ(broken("2 6 10\n", "2 6 11\n"), "FILE:22: cell 2 has offset 11, expected 6 to 10");
  EXPECT_EQ(broken("0 1.5 2.5", "0 1.5"),
            "FILE:7: found 2 values of cell array 'young & co', expected one for each of 3 cells");
  EXPECT_EQ(broken("0 1.5 2.5", "0 1.5 soft"), "FILE:8: found 'soft' in DataArray 'young & co', expected a number");
  EXPECT_EQ(broken("NumberOfPoints=\"5\"", "NumberOfPoints=\"6\""),
            "FILE:18: found 15 coordinates, expected 3 for each of 6 points");
  EXPECT_EQ(broken("NumberOfPoints=\"5\"", "NumberOfPoints=\"many\""),
            "FILE:5: found NumberOfPoints='many', expected an integer from 0 to 2^63 - 1");
  EXPECT_EQ(broken("Name=\"offsets\"", "Name=\"ends\""), "FILE:22: found no DataArray 'offsets' in <Cells>");
  EXPECT_EQ(broken("type=\"Float32\"", "type=\"Bit\""),
            "FILE:7: found a DataArray of type 'Bit', expected Int8 to UInt64, Float32 or Float64");
  EXPECT_EQ(broken("</Points>", "</Point>"), "FILE:21: found </Point>, expected </Points>");
  EXPECT_EQ(broken("format=\"ascii\"", "format=\"binary\""),
            "FILE:7: in DataArray 'young & co': found the character code 46 in base64 data");
  EXPECT_EQ(broken("3 10 10", "3 3 3"), "FILE: found no tets, expected a volume mesh");
  EXPECT_EQ(broken("2 6 10\n</DataArray>", "2 5 10\n</DataArray>").substr(0, 40),
            "FILE:23: cell 1 has 3 points, expected 4");
}

// A kilobyte that stands for a million cells, named by many arrays.
TEST_F(Vtu, RefusesBombs) {
  const std::size_t cells = 1 << 20;
  const VtkBlobOptions options{VtkEncoding::base64, true, true, false, 9, cells};
  std::string text = fmt::format(
      "<VTKFile type=\"UnstructuredGrid\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">"
      "<UnstructuredGrid><Piece NumberOfPoints=\"0\" NumberOfCells=\"{}\"><Points><DataArray type=\"Float32\" "
      "format=\"ascii\"/></Points><Cells><DataArray type=\"Int8\" Name=\"connectivity\" format=\"ascii\"/>",
      cells);
  const auto array = [](const std::string& name) {
    return "<DataArray type=\"UInt8\" Name=\"" + name + "\" format=\"appended\" offset=\"0\"/>";
  };
  text += array("offsets") + array("types") + "</Cells><CellData>\n";
  for (int k = 0; k < 60; ++k) text += array("field" + std::to_string(k)) + "\n";
  text += "</CellData></Piece></UnstructuredGrid><AppendedData encoding=\"base64\">_" +
          vtk_encode(std::string(cells, '\0'), options) + "</AppendedData></VTKFile>";
  EXPECT_LT(text.size(), 10000u);
  EXPECT_EQ(error(text),
            "FILE:32: in DataArray 'field30': the arrays unpack to more than 256 MB + 64 x the size of the "
            "file; the file is damaged");
}

TEST(VtkEncoding, RoundTripsEverySizeAndLayout) {
  for (const VtkEncoding encoding : {VtkEncoding::base64, VtkEncoding::raw}) {
    for (const bool compressed : {false, true}) {
      for (const bool wide : {false, true}) {
        for (const std::size_t size : {0, 1, 2, 3, 63, 64, 65, 128, 1000}) {
          std::string bytes;
          for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * i * 37);
          const VtkBlobOptions options{encoding, compressed, wide, false, 1, 64};
          EXPECT_EQ(vtk_decode(vtk_encode(bytes, options) + "trailing", options), bytes);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew
