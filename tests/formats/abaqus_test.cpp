#include "sinew/formats/abaqus.h"

#include "support/mesh_files.h"

#include "sinew/formats/read.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

MeshFile inp(const std::string& text) {
  return parse_abaqus({text, "a.inp"});
}

std::string inp_error(const std::string& text) {
  return test::error_of([&] { inp(text); });
}

// The group of a dimension and name.
const ElementGroup& inp_group(const MeshFile& file, int dim, const std::string& name) {
  for (const ElementGroup& group : file.volume.groups)
    if (group.dim == dim && group.name == name) return group;
  ADD_FAILURE() << "no group " << dim << " " << name;
  return file.volume.groups.front();
}

const std::string two_tets_inp =
    "*NODE\n10, 0., 0., 0.\n20, 1.0, 0, 0\n 30 ,0,1.E0,0\n4000,,,1\n50,1,1,1\n"
    "*ELEMENT, TYPE=C3D4, ELSET=body\n7, 10,20,30,4000\n9, 50,30,20,4000\n";

TEST(Abaqus, NodesAndElementsOfAnyNumber) {
  const MeshFile file = inp("*Heading\n a title\n** comment\n" + two_tets_inp);
  EXPECT_EQ(file.volume.vertices, test::two_tets().vertices);
  EXPECT_EQ(file.volume.tets, test::two_tets().tets);
  EXPECT_THAT(file.volume.regions, ElementsAre(1, 1));
  EXPECT_THAT(inp_group(file, 3, "body").tets, ElementsAre(0, 1));
  EXPECT_THAT(file.unread, IsEmpty());
}

TEST(Abaqus, SetsAndSurfaces) {
  const MeshFile file = inp(two_tets_inp +
                            "*nset, nset=Bottom\n10, 20,\n30\n*NSET, NSET=range, GENERATE\n10, 30, 10\n"
                            "*NSET,NSET=both\nbottom, 4000\n*NSET, NSET=of body, ELSET=BODY\n"
                            "*NSET, NSET=\"two  Words\"\n50\n*ELSET,ELSET=last,GENERATE\n8,11\n"
                            "*ELSET, ELSET=first\n7\n*ELSET, ELSET=Bottom\n7\n*elset, elset=first\n"
                            "*SURFACE, TYPE=ELEMENT, NAME=faces\n7, S1\nlast, S2\n*SURFACE, NAME=all\nbody\n"
                            "*SURFACE, NAME=tips, TYPE=NODE\nboth\n50\n");
  EXPECT_THAT(inp_group(file, 0, "Bottom").vertices, ElementsAre(0, 1, 2));
  EXPECT_THAT(inp_group(file, 0, "range").vertices, ElementsAre(0, 1, 2));
  EXPECT_THAT(inp_group(file, 0, "both").vertices, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(inp_group(file, 0, "of body").vertices, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(inp_group(file, 0, "two  Words").vertices, ElementsAre(4));
  EXPECT_THAT(inp_group(file, 0, "tips").vertices, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(inp_group(file, 3, "last").tets, ElementsAre(1));
  EXPECT_THAT(inp_group(file, 3, "first").tets, ElementsAre(0));
  const Triangles& faces = inp_group(file, 2, "faces").triangles;
  ASSERT_EQ(faces.cols(), 2);
  EXPECT_EQ(Eigen::Vector3i(faces.col(0)), Eigen::Vector3i(0, 2, 1));  // nodes 1-2-3 of the tet, seen from outside
  std::vector<Index> second(faces.col(1).begin(), faces.col(1).end());
  EXPECT_THAT(second, testing::UnorderedElementsAre(4, 2, 3));  // 1-4-2
  EXPECT_EQ(inp_group(file, 2, "all").triangles.cols(), 6);     // not the face between the two
}

TEST(Abaqus, TenNodesAndContinuedLines) {
  std::string text = "*NODE, NSET=ALL\n";
  const char* places[] = {"0,0,0",   "2,0,0",   "0,2,0",   "0,0,2",   "1,0,0.1",
                          "1,1,0.1", "0,1,0.1", "0.1,0,1", "1,0.1,1", "0,1,1"};
  for (int k = 0; k < 10; ++k) text += std::to_string(k + 1) + ", " + places[k] + "\n";
  const MeshFile raw = inp(text + "*ELEMENT, TYPE=C3D10M,\nELSET=\"a part\"\n1, 1,2,3,4,5,6,\n7,8,9,\n10\n");
  ASSERT_EQ(raw.second_order.size(), 1u);
  EXPECT_THAT(raw.second_order[0], ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(raw.higher_order.at("second-order tets"), 1);
  EXPECT_EQ(raw.volume.groups.back().name, "a part");
}

TEST(Abaqus, ElementTypes) {
  const auto type = [](const std::string& name, const std::string& nodes) {
    return inp("*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,1,1\n6,2,2,2\n*ELEMENT,TYPE=" + name + "\n1," + nodes);
  };
  for (const char* tet : {"C3D4", "c3d4h", "C3D4T", "DC3D4"})
    EXPECT_EQ(type(tet, "1,2,3,4").volume.tet_count(), 1) << tet;
  for (const char* triangle : {"S3", "S3R", "CPS3", "STRI3", "M3D3", "SFM3D3", "R3D3"})
    EXPECT_EQ(type(triangle, "1,2,3").triangles.cols(), 1) << triangle;
  for (const char* triangle : {"S6", "STRI65", "CPE6", "M3D6"})
    EXPECT_EQ(type(triangle, "1,2,3,4,5,6").triangles.cols(), 1) << triangle;
  EXPECT_EQ(type("S4R", "1,2,5,3").triangles.cols(), 2);
  EXPECT_THAT(type("B31", "1,2").unread, ElementsAre(Pair("elements of type B31", 1)));
  for (const char* refused : {"C3D8R", "C3D6", "C3D20", "SC8R"}) {
    EXPECT_EQ(test::error_of([&] { type(refused, "1,2"); }), "a.inp:8: found elements of type " + std::string(refused) +
                                                                 ", expected C3D4 or C3D10; mesh the volume with tets");
  }
}

TEST(Abaqus, SectionsGiveRegions) {
  const MeshFile file = inp(two_tets_inp +
                            "*ELSET, ELSET=inner\n9\n*SOLID SECTION, ELSET=body, MATERIAL=soft\n1.,\n"
                            "*SOLID SECTION, ELSET=Inner, MATERIAL=HARD\n*MATERIAL, NAME=soft\n*DENSITY\n1.1e-9,\n"
                            "*HYPERELASTIC, NEO HOOKE\n0.5, 0.02\n*MATERIAL, NAME=hard\n*ELASTIC\n210000., 0.3, 20.\n"
                            "200000., 0.3, 300.\n*PLASTIC\n200., 0.\n250., 0.1\n*EXPANSION\n1e-5\n");
  EXPECT_THAT(file.volume.regions, ElementsAre(1, 2));
  ASSERT_EQ(file.materials.size(), 2u);
  EXPECT_EQ(file.materials[0].model, "HYPERELASTIC NEO HOOKE");
  EXPECT_THAT(file.materials[0].groups, ElementsAre("body"));
  EXPECT_THAT(file.materials[0].parameters, ElementsAre(0.5, 0.02, 1.1e-9));
  EXPECT_THAT(file.materials[0].names, ElementsAre("C10", "D1", "density"));
  EXPECT_EQ(file.materials[0].scene,
            R"({"model": "yeoh", "c10": 0.5, "c20": 0, "c30": 0, "bulk": 100, "density": 1.1e-09})");
  EXPECT_EQ(file.materials[1].scene,
            R"({"model": "hencky", "young": 210000, "poisson": 0.3, "plasticity": {"table": {"strain": [0, 0.1], )"
            R"("stress": [200, 250]}}})");
  EXPECT_THAT(file.unread, ElementsAre(Pair("*EXPANSION", 1)));
}

TEST(Abaqus, Hyperelasticity) {
  const auto scene = [](const std::string& options) {
    return inp(two_tets_inp + "*MATERIAL, NAME=m\n*HYPERELASTIC, " + options + "\n").materials.at(0).scene;
  };
  EXPECT_EQ(scene("MOONEY-RIVLIN\n0.3, 0.1, 0.1"),
            fmt::format(R"({{"model": "mooney_rivlin", "c10": 0.3, "c01": 0.1, "kappa": {}}})", 20 - 1.6 / 3 - 0.4));
  EXPECT_EQ(scene("POLYNOMIAL, N=1\n0.3, 0.1, 0.1"), scene("MOONEY-RIVLIN\n0.3, 0.1, 0.1"));
  EXPECT_EQ(scene("YEOH\n1, -0.1, 0.01, 0.5, 0, 0"),
            R"({"model": "yeoh", "c10": 1, "c20": -0.1, "c30": 0.01, "bulk": 4})");
  EXPECT_EQ(scene("REDUCED POLYNOMIAL, N=2\n1, 2, 0, 0"),
            R"({"model": "yeoh", "c10": 1, "c20": 2, "c30": 0, "poisson": 0.495})");
  EXPECT_EQ(scene("OGDEN, N=3\n1, 2, 3, 4, 5, 6, 0.5, 0,\n0"),
            R"({"model": "ogden", "mu": [1, 3, 5], "alpha": [2, 4, 6], "bulk": 4})");
  EXPECT_EQ(scene("ARRUDA-BOYCE\n1, 5, 0.5"), R"({"model": "arruda_boyce", "mu": 1, "locking": 5, "bulk": 4})");
  EXPECT_EQ(scene("POLYNOMIAL, N=2\n1, 2, 3, 4, 5, 6, 7"), "");
  EXPECT_EQ(scene("OGDEN, TEST DATA INPUT\n*UNIAXIAL TEST DATA\n1, 0.1"), "");
}

// As Abaqus/CAE writes an assembly.
const std::string cae_deck =
    "*Heading\n** Job name: Job-1 Model name: Model-1\n*Preprint, echo=NO, model=NO\n**\n** PARTS\n**\n"
    "*Part, name=Block\n*Node\n      1,           0.,           0.,           0.\n      2,           1.,           0.,"
    "           0.\n      3,           0.,           1.,           0.\n      4,           0.,           0.,           "
    "1.\n      5,           1.,           1.,           1.\n*Element, type=C3D4\n1, 1, 2, 3, 4\n2, 5, 3, 2, 4\n"
    "*Nset, nset=Set-1, generate\n 1,  5,  1\n*Elset, elset=Set-1\n 1, 2\n*Nset, nset=_PickedSet2, internal, "
    "generate\n 1,  5,  1\n*Elset, elset=_PickedSet2, internal\n 1, 2\n** Section: Section-1\n*Solid Section, "
    "elset=_PickedSet2, material=Steel\n,\n*End Part\n**\n** ASSEMBLY\n**\n*Assembly, name=Assembly\n**\n"
    "*Instance, name=Block-1, part=Block\n*End Instance\n**\n";
const std::string cae_end =
    "*Node\n      1,          9.,          9.,          9.\n*Nset, nset=_PickedSet7, internal\n 1,\n"
    "*Nset, nset=fixed, instance=Block-1\n 1, 3\n*Elset, elset=_Surf-1_S3, internal, instance=Block-1\n 1,\n"
    "*Surface, type=ELEMENT, name=Surf-1\n_Surf-1_S3, S3\n*End Assembly\n**\n** MATERIALS\n**\n"
    "*Material, name=Steel\n*Density\n 7.8e-09,\n*Elastic\n210000., 0.3\n** STEP: Step-1\n*Step, name=Step-1, "
    "nlgeom=YES\n*Static\n1., 1., 1e-05, 1.\n*Boundary\nfixed, ENCASTRE\n*Boundary\n_PickedSet7, 1, 1, 2.\n"
    "*Output, field, variable=PRESELECT\n*End Step\n";

TEST(Abaqus, AssemblyOfOneInstance) {
  const MeshFile file = inp(cae_deck + cae_end);
  EXPECT_EQ(file.volume.vertex_count(), 6);
  EXPECT_EQ(file.volume.tets, test::two_tets().tets);
  EXPECT_EQ(inp_group(file, 3, "Set-1").tets.size(), 2u);
  EXPECT_THAT(file.volume.regions, ElementsAre(2, 2));  // of _PickedSet2, which has the section
  EXPECT_THAT(file.materials.at(0).groups, ElementsAre("_PickedSet2"));
  EXPECT_THAT(inp_group(file, 0, "fixed").vertices, ElementsAre(0, 2));
  EXPECT_EQ(inp_group(file, 2, "Surf-1").triangles.cols(), 1);
  EXPECT_EQ(file.volume.groups.size(), 4u);  // neither internal sets nor the nodes of Set-1
  EXPECT_THAT(file.unread, ElementsAre(Pair("*BOUNDARY", 2), Pair("*OUTPUT", 1), Pair("*STATIC", 1), Pair("*STEP", 1)));
}

TEST(Abaqus, InstancesMove) {
  const MeshFile file = inp(cae_deck +
                            "*Instance, name=Block-2, part=Block\n 10., 0., 0.\n 10., 0., 0., 10., 0., 1., 90.\n"
                            "*End Instance\n" +
                            cae_end + "*Nset, nset=tips\nBlock-1.5, Block-2.5\n*Nset, nset=more\nBlock-2.Set-1\n");
  ASSERT_EQ(file.volume.vertex_count(), 11);
  EXPECT_EQ(file.volume.tet_count(), 4);
  EXPECT_LT((file.volume.vertices.col(6) - Vec3(10, 1, 0)).norm(), 1e-15);  // (1, 0, 0) shifted, then turned about z
  EXPECT_LT((file.volume.vertices.col(9) - Vec3(9, 1, 1)).norm(), 1e-15);
  EXPECT_EQ(inp_group(file, 3, "Block-2.Set-1").tets, (std::vector<Index>{2, 3}));
  EXPECT_THAT(inp_group(file, 0, "tips").vertices, ElementsAre(4, 9));
  EXPECT_THAT(inp_group(file, 0, "more").vertices, ElementsAre(5, 6, 7, 8, 9));
  EXPECT_EQ(file.volume.regions[0], file.volume.regions[1]);
  EXPECT_NE(file.volume.regions[0], file.volume.regions[2]);
}

// An independent instance has the mesh itself.
TEST(Abaqus, MeshInAnInstance) {
  const MeshFile file = inp("*PART, NAME=p\n*END PART\n*ASSEMBLY, NAME=a\n*INSTANCE, NAME=i, PART=p\n0, 0, 1\n" +
                            two_tets_inp + "*END INSTANCE\n*END ASSEMBLY\n");
  EXPECT_EQ(file.volume.tet_count(), 2);
  EXPECT_EQ(file.volume.vertices(2, 0), 1);
}

class AbaqusFiles : public test::MeshTest {};

TEST_F(AbaqusFiles, Includes) {
  std::filesystem::create_directory(path("parts"));
  file("parts/nodes.txt", "10, 0,0,0\n20,1,0,0\n30,0,1,0\n4000,0,0,1\n");
  file("parts/rest.inp", "*ELEMENT, TYPE=C3D4\n1, 10,20,30,4000\n*CLOAD\n1,1,1\n");
  const MeshFile mesh =
      read_mesh_file(file("a.inp", "*NODE, INPUT=parts/nodes.txt\n*INCLUDE, INPUT=parts/rest.inp\n*CLOAD\n2,1,1\n"));
  EXPECT_EQ(mesh.volume.tet_count(), 1);
  EXPECT_THAT(warnings, ElementsAre(path("a.inp") + ": not read: *CLOAD (2)"));
  const std::string bad = file("b.inp", "*NODE, INPUT=parts/nodes.txt\n*ELEMENT, TYPE=C3D4\n1, 10,20,30,5\n");
  EXPECT_EQ(test::error_of([&] { read_mesh_file(bad); }), bad + ":3: element 1 names node 5, which is not in the file");
}

TEST_F(AbaqusFiles, MidNodesStayInPlace) {
  std::string text = "*NODE\n";
  const char* places[] = {"0,0,0",   "2,0,0",   "0,2,0",   "0,0,2",   "1,0,0.1",
                          "1,1,0.1", "0,1,0.1", "0.1,0,1", "1,0.1,1", "0,1,1"};
  for (int k = 0; k < 10; ++k) text += std::to_string(k + 1) + ", " + places[k] + "\n";
  text += "*ELEMENT, TYPE=C3D10\n1, 1,2,3,4,5,6,7,8,9,10\n*NSET, NSET=edge\n1, 5, 2\n";
  const TetMesh mesh = read_tet_mesh(file("a.inp", text), MidNodes::kept);
  EXPECT_EQ(mesh.vertex_count(), 4);
  ASSERT_EQ(mesh.mid_nodes.size(), 6u);
  EXPECT_EQ(mesh.mid_nodes[0].position, Vec3(1, 0, 0.1));  // of (0, 1), then (0, 2), (0, 3), (1, 2), ...
  EXPECT_EQ(mesh.mid_nodes[3].position, Vec3(1, 1, 0.1));
  EXPECT_EQ(mesh.mid_nodes[5].position, Vec3(0, 1, 1));
  EXPECT_THAT(mesh.groups.at(0).vertices, ElementsAre(0, 1));
}

TEST(Abaqus, Errors) {
  EXPECT_EQ(inp_error("*ELSET, ELSET=a\n1"), "a.inp:2: found no *NODE; the file is truncated or not a mesh");
  EXPECT_EQ(inp_error("*NODE\n0, 1, 1, 1\n"),
            "a.inp:2: found '0', expected a node's number (an integer from 1 to 2147483647)");
  EXPECT_EQ(inp_error("*NODE\n1, x\n"), "a.inp:2: found 'x', expected a node's coordinate (a number)");
  EXPECT_EQ(inp_error("*NODE\n1\n2\n1\n"), "a.inp:4: found node 1 twice, expected one node of each number");
  EXPECT_EQ(inp_error(two_tets_inp + "7, 10,20,30,50\n"),
            "a.inp:10: found element 7 twice, expected one element of each number");
  EXPECT_EQ(inp_error(two_tets_inp + "8, 10,20,30\n"), "a.inp:10: element 8 has 3 nodes, expected 4");
  EXPECT_EQ(inp_error(two_tets_inp + "*NSET, NSET=a\nb\n"),
            "a.inp:10: found no node set 'b', expected one in the file");
  EXPECT_EQ(inp_error(two_tets_inp + "*NSET, NSET=a\nb\n*NSET, NSET=b\na\n"),
            "a.inp:10: the set 'a' contains itself, or sets are nested more than 100 deep");
  EXPECT_EQ(inp_error(two_tets_inp + "*SURFACE, NAME=s\n7, S5\n"),
            "a.inp:11: found 'S5' as the face of an element, expected S1 to S4, SPOS or SNEG");
  EXPECT_EQ(inp_error(two_tets_inp + "*NGEN\n1,2,1\n"),
            "a.inp:10: found *NGEN, expected nodes and elements one by one; export the mesh as an orphan mesh");
  EXPECT_EQ(inp_error("*NODE, SYSTEM=C\n1, 1, 90, 0\n"),
            "a.inp:1: found nodes with SYSTEM=C, expected rectangular coordinates");
  EXPECT_EQ(inp_error("*INSTANCE, NAME=i, PART=p\n"), "a.inp:1: found no part 'p' before this instance");
  EXPECT_EQ(inp_error("*INCLUDE, INPUT=b.inp\n"),
            "a.inp:1: cannot open the include 'b.inp': no such file; its path is relative to the folder of 'a.inp'");
}

// Sets of ranges of all nodes would take memory out of proportion.
TEST(Abaqus, SetsAreBounded) {
  std::string text = "*NODE\n";
  for (int k = 1; k <= 20000; ++k) text += std::to_string(k) + "\n";
  for (int k = 0; k < 4000; ++k) text += fmt::format("*NSET, NSET=s{}, GENERATE\n1, 20000\n", k);
  EXPECT_THAT(inp_error(text), testing::HasSubstr("too many for a file of"));
}

}  // namespace
}  // namespace sinew
