#include "sinew/formats/vtk_legacy.h"

#include "support/mesh_files.h"

namespace sinew {
namespace {

using testing::ElementsAre;

const char* points = "POINTS 5 float\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\n";

MeshFile parse(const std::string& text, const std::string& version = "3.0") {
  return parse_vtk_legacy({"# vtk DataFile Version " + version + "\na title\n" + text, "a.vtk"});
}

TEST(VtkLegacy, ReadsText) {
  const MeshFile file = parse(
      std::string("ASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 2\nTIME 1 1 double\n0.5\nnote 1 1 string\nsome "
                  "words\n") +
      points +
      "CELLS 4 18\n2 0 1\n4 0 1 2 3\n4 4 2 1 3\n4 0 1 4 2\nCELL_TYPES 4\n3\n10\n10\n9\n"
      "POINT_DATA 5\nSCALARS t float 1\nLOOKUP_TABLE default\n1 2 3 4 5\nVECTORS v double\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
      "0\n"
      "CELL_DATA 4\nSCALARS my%20region int\nLOOKUP_TABLE own\n0 4 -5 7\nLOOKUP_TABLE own 1\n0 0 0 1\n"
      "SCALARS bare double 2\n0 1 2 3 4 5 6 7\nCOLOR_SCALARS c 3\n0 0 0 1 1 1 0 0 0 1 1 1\nNORMALS n float\n0 0 1 0 0 "
      "1 0 "
      "0 1 0 0 1\n"
      "TENSORS s float\n0 0 0 0 0 0 0 0 0 1 2 3 4 5 6 7 8 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
      "TEXTURE_COORDINATES uv 2 float\n0 0 1 1 2 2 3 3\nGLOBAL_IDS g vtkIdType\n0 1 2 3\n"
      "FIELD more 2\nregion 1 4 int\n9 4 -5 9\nMETADATA\nINFORMATION 0\n\nfibre 3 4 float\n9 9 9 1 0 0 0 1 0 9 9 9\n");
  EXPECT_EQ(file.volume.vertices, test::two_tets().vertices);
  EXPECT_EQ(file.volume.tets, test::two_tets().tets);
  EXPECT_THAT(file.volume.regions, ElementsAre(4, -5));
  ASSERT_EQ(file.triangles.cols(), 2);  // of the quadrangle
  EXPECT_EQ(file.triangles.col(1), Eigen::Vector3i(0, 4, 2));
  const auto& fields = file.volume.cell_fields;
  EXPECT_EQ(fields.size(), 8u);
  EXPECT_THAT(fields.at("my region"), ElementsAre(4, -5));
  EXPECT_THAT(fields.at("bare"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(fields.at("uv"), ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(fields.at("s"), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(fields.at("fibre"), ElementsAre(1, 0, 0, 0, 1, 0));
}

TEST(VtkLegacy, ReadsBinary) {
  for (const bool newest : {false, true}) {
    SCOPED_TRACE(newest);
    test::BinaryText out(true);
    out.words("BINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n");
    const TetMesh mesh = test::two_tets();
    for (Eigen::Index i = 0; i < mesh.vertices.size(); ++i) out.add(mesh.vertices.data()[i]);
    if (newest) {
      out.words(
          "\nMETADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\nCELLS 3 8\nOFFSETS "
          "vtktypeint64\n");
      for (const std::int64_t value : {0, 4, 8}) out.add(value);
      out.words("\nCONNECTIVITY vtktypeint64\n");
      for (const std::int64_t value : {0, 1, 2, 3, 4, 2, 1, 3}) out.add(value);
    } else {
      out.words("\nCELLS 2 10\n");
      for (const int value : {4, 0, 1, 2, 3, 4, 4, 2, 1, 3}) out.add(value);
    }
    out.words("\nCELL_TYPES 2\n").add(10).add(10);
    out.words("\nPOINT_DATA 5\nCOLOR_SCALARS c 1\n").words("abcde").words("\nCELL_DATA 2\nFIELD FieldData 4\n");
    out.words("names 1 2 string\n")
        .words(
            "\xC3"
            "abc")
        .words(
            "\x80\x02"
            "de");
    out.words("\nflags 1 2 bit\n").words("\x40");
    out.words("\nMaterialIds 1 2 unsigned_char\n").words("\x04\xFF").words("\nf 2 2 float\n");
    for (const float value : {1.f, 2.f, 3.f, 4.f}) out.add(value);
    out.words("\nSCALARS s short\nLOOKUP_TABLE default\n").add(std::int16_t{-7}).add(std::int16_t{7});
    out.words("\nSCALARS bare int\n").add(5).add(6).words("\n");
    const MeshFile file = parse(out.text, newest ? "5.1" : "4.2");
    EXPECT_EQ(file.volume.vertices, mesh.vertices);
    EXPECT_EQ(file.volume.tets, mesh.tets);
    EXPECT_THAT(file.volume.regions, ElementsAre(4, 255));
    const auto& fields = file.volume.cell_fields;
    EXPECT_EQ(fields.size(), 5u);
    EXPECT_THAT(fields.at("flags"), ElementsAre(0, 1));
    EXPECT_THAT(fields.at("f"), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(fields.at("s"), ElementsAre(-7, 7));
    EXPECT_THAT(fields.at("bare"), ElementsAre(5, 6));
  }
}

TEST(VtkLegacy, ReadsSurfaces) {
  const std::string head = std::string("ASCII\nDATASET POLYDATA\n") + points + "VERTICES 1 2\n1 0\nLINES 1 3\n2 0 1\n";
  const MeshFile file =
      parse(head +
            "POLYGONS 2 9\n4 0 1 4 2\n3 0 1 2\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\nCELL_DATA 5\nSCALARS a int "
            "1\nLOOKUP_TABLE default\n1 2 3 4 5\n");
  EXPECT_EQ(file.volume.vertices.cols(), 5);
  EXPECT_EQ(file.volume.tets.cols(), 0);
  Triangles expected(3, 5);
  expected.transpose() << 0, 1, 4, 0, 4, 2, 0, 1, 2, 0, 1, 2, 1, 3, 2;
  EXPECT_EQ(file.triangles, expected);
  const MeshFile newest = parse(std::string("ASCII\nDATASET POLYDATA\n") + points +
                                    "POLYGONS 2 3\nOFFSETS vtktypeint64\n0 3\nCONNECTIVITY vtktypeint64\n0 1 2\n",
                                "5.1");
  EXPECT_EQ(newest.triangles, Triangles(Eigen::Vector3i(0, 1, 2)));
}

TEST(VtkLegacy, SecondOrderKeepsCorners) {
  std::string text = "ASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 int\n0 0 0 1 0 0 0 1 0 0 0 1\n";
  for (int k = 0; k < 6; ++k) text += "9 9 9\n";
  const MeshFile file = parse(text + "CELLS 1 11\n10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n");
  EXPECT_EQ(file.volume.vertex_count(), 10);
  EXPECT_EQ(file.volume.tets, Tets(Eigen::Vector4i(0, 1, 2, 3)));
  EXPECT_EQ(file.higher_order.at("second-order tets"), 1);
  EXPECT_EQ(file.mid_nodes, (std::vector<Index>{4, 5, 6, 7, 8, 9}));
}

// meshio names its integers by their sizes.
TEST(VtkLegacy, SizedTypes) {
  const std::string mesh =
      "ASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 vtktypefloat64\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\n"
      "CELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint32\n0 1 2 3 4 2 1 3\nCELL_TYPES 2\n10\n10\n"
      "CELL_DATA 2\nFIELD FieldData 1\n";
  for (const char* type :
       {"vtktypeint8", "vtktypeuint8", "vtktypeint16", "vtktypeuint16", "vtktypeint32", "vtktypeuint32", "vtktypeint64",
        "vtktypeuint64", "vtktypefloat32", "vtktypefloat64", "long_long", "unsigned_long_long"}) {
    const MeshFile file = parse(mesh + "region 1 2 " + type + "\n3 7\n", "5.1");
    EXPECT_EQ(file.volume.regions, (std::vector<Index>{3, 7})) << type;
  }
}

}  // namespace
}  // namespace sinew
