#include <filesystem>
#include <fstream>
#include <sstream>

#include "command.h"
#include "support/paths.h"
#include <gmock/gmock.h>

#include "sinew/core/version.h"
#include "sinew/formats/write_msh.h"
#include "sinew/mesh/primitives.h"

namespace sinew {
namespace {

using test::sinew;
using testing::HasSubstr;
using testing::StartsWith;

class Cli : public test::CommandTest {};

TEST_F(Cli, UsageErrorsHaveCodeTwo) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"run"},
                                             {"run", scene_path_, "--nonsense"},
                                             {"run", scene_path_, "--resume", "--overwrite"},
                                             {"run", scene_path_, "--threads", "0"},
                                             {"run", scene_path_, "--steps", "-1"},
                                             {"compare", scene_path_}}) {
    const auto result = sinew(arguments);
    EXPECT_EQ(result.code, 2) << testing::PrintToString(arguments);
    EXPECT_NE(result.err, "");
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(Cli, UsageErrorsNameCommandAndOption) {
  const auto error = [&](const std::vector<std::string>& arguments) { return sinew(arguments).err; };
  EXPECT_EQ(error({"run"}),
            "error: run: missing SCENE, for example: sinew run scenes/ball_drop.json -o out; see sinew run --help\n");
  EXPECT_EQ(error({"compare", scene_path_}),
            "error: compare: missing --methods, for example: sinew compare scenes/ball_drop.json --methods "
            "newton,newton-pcg; see sinew compare --help\n");
  EXPECT_EQ(error({"run", scene_path_, "--steps", "x"}),
            "error: run: --steps: found \"x\", expected a whole number from 1 to 2000000000\n");
  EXPECT_EQ(error({"run", scene_path_, "--steps", "-1"}),
            "error: run: --steps: found \"-1\", expected a whole number from 1 to 2000000000\n");
  EXPECT_EQ(error({"compare", scene_path_, "--methods", "newton", "--from", "1.5"}),
            "error: compare: --from: found \"1.5\", expected a whole number from 0 to 2000000000\n");
  EXPECT_EQ(error({"bench", "--threads", "0"}),
            "error: bench: --threads: found \"0\", expected a whole number from 1 to 1024\n");
  EXPECT_EQ(error({"run", scene_path_, "--steps"}),
            "error: run: --steps: found no value for it; see sinew run --help\n");
  EXPECT_EQ(error({"run", scene_path_, "--overwrit"}),
            "error: run: found \"--overwrit\", which is no option of this command; did you mean \"--overwrite\"?; see "
            "sinew run --help\n");
  EXPECT_EQ(error({"info", "a.msh", "b.msh"}),
            "error: info: found \"b.msh\", which is one argument too many; see sinew info --help\n");
  EXPECT_EQ(error({"run", scene_path_, "--resume", "--overwrite"}),
            "error: run: --resume excludes --overwrite; give one of them\n");
  EXPECT_EQ(error({}),
            "error: missing a command, expected one of \"run\", \"check\", \"live\", \"compare\", \"sweep\", "
            "\"subspace\", \"modes\", \"buckling\", \"response\", \"bench\", \"info\", "
            "\"convert\", \"fit\", \"view\", \"render\", \"plot\", \"export\", \"explain\". For "
            "example: sinew run scenes/ball_drop.json -o out; see sinew --help\n");
}

TEST_F(Cli, FitPrintsAMaterialAndItsResiduals) {
  const std::string curve = write("rubber.csv", "stretch,stress\n0.8,-152500\n1,0\n1.5,211111.11\n2,350000\n");
  const auto result = sinew({"fit", "neo_hookean", "--uniaxial", curve, "--poisson", "0.45", "-o", path("fit.json")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("rubber.csv: uniaxial, 4 points, stretch 0.8 to 2: residual "));
  EXPECT_NEAR(json("fit.json")["mu"].get<double>(), 2e5, 1);
  EXPECT_NEAR(json("fit.json")["lambda"].get<double>(), 18e5, 10);
  // What is written is a material of a scene.
  const auto spline = sinew({"fit", "spline", "--uniaxial", curve, "-o", path("spline.json")});
  EXPECT_EQ(spline.code, 0) << spline.err;
  scene_["materials"]["rubber"] = json("spline.json");
  for (auto& body : scene_["bodies"]) body["material"] = "rubber";
  save();
  EXPECT_EQ(sinew({"check", scene_path_, "--brief"}).code, 0);
}

TEST_F(Cli, FitNamesWhatIsWrong) {
  const std::string curve = write("bad.csv", "1,0\n2,soft\n");
  const auto error = [&](const std::vector<std::string>& arguments) { return sinew(arguments).err; };
  EXPECT_EQ(error({"fit", "spline"}),
            "error: fit: missing a measured curve; give a file with --uniaxial, --biaxial or --shear\n");
  EXPECT_EQ(
      error({"fit", "spline", "--shear", curve}),
      "error: " + curve + ":2: found \"2,soft\", expected two numbers, stretch and nominal stress [Pa], as 1.5, 2e5\n");
  EXPECT_EQ(sinew({"fit", "spline", "--shear", curve}).code, 2);
}

TEST_F(Cli, UnknownCommandsGetASuggestion) {
  const auto result = sinew({"chekc", scene_path_});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "error: unknown command \"chekc\", expected one of \"run\", \"check\", \"live\", \"compare\", \"sweep\", "
            "\"subspace\", \"modes\", \"buckling\", \"response\", \"bench\", \"info\", "
            "\"convert\", \"fit\", \"view\", \"render\", \"plot\", \"export\", \"explain\"; did you "
            "mean \"check\"?\n");
}

TEST_F(Cli, ErrorsEndWithCodesThatExplainExplains) {
  EXPECT_EQ(sinew({"chekc"}).codes, "E-usage ");
  EXPECT_EQ(sinew({"check", scene_path_, "--set", "time.stp=1"}).codes, "E-scene-key ");
  EXPECT_EQ(sinew({"check", scene_path_, "--set", "time.step=0"}).codes, "E-scene-value ");
  EXPECT_EQ(sinew({"info", path("nothing.msh")}).codes, "E-file-read ");
  EXPECT_THAT(sinew({"explain", "E-scene-key"}).out, StartsWith("E-scene-key\n\n"));
  EXPECT_THAT(sinew({"explain"}).out, HasSubstr("\nE-scene-key "));
  EXPECT_EQ(sinew({"explain", "E-nothing"}).code, 2);
}

TEST_F(Cli, HelpAndVersionGoToStdout) {
  const auto help = sinew({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("compare"));
  const auto of_run = sinew({"run", "--help"});
  EXPECT_EQ(of_run.code, 0);
  EXPECT_THAT(of_run.out, HasSubstr("--resume"));
  EXPECT_EQ(sinew({"--version"}).out, fmt::format("sinew {} ({})\n", ::sinew::version, ::sinew::instructions()));
}

TEST_F(Cli, MissingFilesAreBadInput) {
  for (const std::string command : {"run", "check", "info"}) {
    const auto result = sinew({command, path("nothing.json")});
    EXPECT_EQ(result.code, 2) << command;
    EXPECT_THAT(result.err, StartsWith("error: "));
    EXPECT_THAT(result.err, HasSubstr(path("nothing.json")));
  }
}

TEST_F(Cli, InfoDescribesTetsAndSurfaces) {
  write("two.vtu", "");  // not a mesh
  EXPECT_EQ(sinew({"info", path("two.vtu")}).code, 2);
  write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  const auto surface = sinew({"info", path("one.obj")});
  EXPECT_EQ(surface.code, 0) << surface.err;
  EXPECT_THAT(surface.out, HasSubstr("a surface of 4 vertices, 4 triangles, 6 edges"));
  EXPECT_THAT(surface.out, HasSubstr("enclosed volume: 0.166667"));
  EXPECT_THAT(surface.out, HasSubstr("boundary edges: 0"));
  write("one.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        "$Elements\n1\n1 4 2 7 7 1 2 3 4\n$EndElements\n");
  const auto tets = sinew({"info", path("one.msh")});
  EXPECT_EQ(tets.code, 0) << tets.err;
  EXPECT_THAT(tets.out, HasSubstr("4 vertices, 1 tets, 6 edges, 4 boundary triangles"));
  EXPECT_THAT(tets.out, HasSubstr("bounding box: [0, 0, 0] to [1, 1, 1], size [1, 1, 1]"));
  EXPECT_THAT(tets.out, HasSubstr("volume: 0.166667"));
  EXPECT_THAT(tets.out, HasSubstr("region 7: 1 tets, volume 0.166667\n"));
  // At the three edges of the corner the angle is 90 degrees, at the others acos(1 / sqrt(3)).
  EXPECT_THAT(tets.out, HasSubstr("longest edge over shortest of a tet: mean 1.41, largest 1.414\n"));
  EXPECT_THAT(tets.out, HasSubstr("dihedral angles: 54.74 to 90 degrees; 99 % of the tets have none below 54.74\n"));
  write("one.vtu", test::one_tet_vtu);
  const auto grid = sinew({"info", path("one.vtu")});
  EXPECT_EQ(grid.code, 0) << grid.err;
  EXPECT_THAT(grid.out, HasSubstr("region 5: 1 tets, volume 0.166667\ncell array \"MaterialId\": 1 component\n"
                                  "cell array \"fibre\": 3 components\n"));
  write("one.fbx", "");
  EXPECT_EQ(sinew({"info", path("one.fbx")}).err,
            "error: cannot read '" + path("one.fbx") +
                "': unknown mesh format .fbx, expected .msh, .mesh, .meshb, .vtu, .vtk, .node, .ele, .veg, .inp, .unv, "
                ".bdf, .nas for tets or "
                ".obj, .stl, .ply, .off for surfaces; convert "
                "the file, e.g. with Gmsh or meshio\n");
}

TEST_F(Cli, InfoTellsGroupsAndMaterials) {
  write("two.veg",
        "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 5 3 2 4\n"
        "*MATERIAL rubber\nENU, 1000, 1e6, 0.4\n*MATERIAL wood\nORTHOTROPIC_N1, 500, 1, 2, 3, 0.3\n*SET "
        "shell\n2\n*REGION\n"
        "allElements, rubber\n*REGION\nshell, rubber\n");
  const auto info = sinew({"info", path("two.veg")});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_EQ(info.err, "");
  EXPECT_THAT(
      info.out,
      HasSubstr(
          "region 1 (shell): 1 tets, volume 0.333333\nregion 2 (allElements): 1 tets, volume "
          "0.166667\ngroup \"3:1\" \"shell\": 1 tets\ngroup \"3:2\" \"allElements\": 2 tets\nmaterial "
          "\"rubber\" of allElements, shell: ENU density 1000, Young's modulus 1000000, Poisson's ratio "
          "0.4\n  in a scene: \"rubber\": {\"model\": \"neo_hookean\", \"young\": 1000000, \"poisson\": 0.4, "
          "\"density\": 1000}\nmaterial \"wood\" of no region: ORTHOTROPIC_N1 500, 1, 2, 3, 0.3\n(Scenes define their "
          "own materials; the materials of the file are not used.)\n(Numbers are those of the file, "
          "which has no units; scenes need Pa and kg/m^3.)\ncan be a body: yes\n"));
  write("p2.mesh",
        "MeshVersionFormatted 1 Dimension 3 Vertices 10\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n9 9 9 0\n9 9 9 0\n"
        "9 9 9 0\n9 9 9 0\n9 9 9 0\n9 9 9 0\nTetrahedraP2 1\n1 2 3 4 5 6 7 8 9 10 3\n");
  const auto second = sinew({"info", path("p2.mesh")});
  EXPECT_THAT(
      second.out,
      HasSubstr("second-order tets: 1, here as their corners; bodies with \"elements\": \"quadratic\" keep their "
                "nodes on edges\nbounding box: [0, 0, 0] to [1, 1, 1]"));
  EXPECT_THAT(second.out, HasSubstr(": 4 vertices, 1 tets"));
  EXPECT_EQ(second.err, "");
  write("flat.mesh",
        "MeshVersionFormatted 1 Dimension 3 Vertices 3\n0 0 0 0\n1 0 0 0\n0 1 0 0\nTriangles 1\n1 2 3 0\n");
  EXPECT_THAT(sinew({"info", path("flat.mesh")}).out, HasSubstr("a surface of 3 vertices, 1 triangles"));
}

TEST_F(Cli, InfoTellsWhetherAMeshCanBeUsed) {
  const std::string mesh = write("flat.mesh",
                                 "MeshVersionFormatted 1 Dimension 3\nVertices 4\n0 0 0 0 1 0 0 0 0 1 0 0 0 2 0 0\n"
                                 "Tetrahedra 1\n1 2 3 4 0\n");
  const auto body = sinew({"info", mesh});
  EXPECT_EQ(body.code, 0);
  EXPECT_THAT(body.out,
              HasSubstr("can be a body: no; " + mesh + ": 1 of 1 tets have zero volume: tet 0 (vertices 0 1 2 3"));
  const std::string off = write("folded.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n");
  EXPECT_THAT(sinew({"info", off}).out,
              HasSubstr("can be an obstacle: no; " + off + ": 1 of 1 triangles have zero area"));
}

TEST_F(Cli, DecksOfFiniteElementPrograms) {
  write("two.inp",
        "*NODE, NSET=all\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,1,1\n*ELEMENT, TYPE=C3D4, ELSET=body\n1,1,2,3,4\n"
        "2,5,3,2,4\n*SURFACE, NAME=face\n1, S1\n*SOLID SECTION, ELSET=body, MATERIAL=steel\n*MATERIAL, NAME=steel\n"
        "*ELASTIC\n210000, 0.3\n*DENSITY\n7.8e-9\n*STEP\n*BOUNDARY\nall, 1, 3\n*END STEP\n");
  const auto info = sinew({"info", path("two.inp")});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.err, HasSubstr("two.inp: not read: *BOUNDARY (1), *STEP (1)"));
  EXPECT_THAT(
      info.out,
      HasSubstr("group \"0:1\" \"all\": 5 vertices\ngroup \"2:1\" \"face\": 1 triangles\ngroup \"3:1\" \"body\": "
                "2 tets\nmaterial \"steel\" of body: ELASTIC Young's modulus 210000, Poisson's ratio 0.3, "
                "density 7.8e-09\n  in a scene: \"steel\": {\"model\": \"neo_hookean\", \"young\": 210000, "
                "\"poisson\": 0.3, \"density\": 7.8e-09}\n"));
  const std::string names[] = {"two.inp", "a.bdf", "b.unv", "c.msh", "d.inp"};
  for (int k = 0; k < 4; ++k) EXPECT_EQ(sinew({"convert", path(names[k]), path(names[k + 1])}).code, 0) << names[k];
  const auto back = sinew({"info", path("d.inp")});
  for (const char* group :
       {"\"all\": 5 vertices", "\"face\": 1 triangles", "\"body\": 2 tets", "region 1 (body): 2 tets"})
    EXPECT_THAT(back.out, HasSubstr(group));
}

// Sets of a .veg file name materials and selections of a scene.
TEST_F(Cli, SetsOfVegaNameMaterials) {
  write("two.veg",
        "*VERTICES\n5 3 0 0\n1 0 1 0\n2 1 1 0\n3 0 2 0\n4 0 1 1\n5 1 2 1\n*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 5 3 2 "
        "4\n*SET inner\n1\n*SET shell\n2\n");
  const nlohmann::json material = {{"model", "neo_hookean"}, {"young", 1e6}, {"poisson", 0.4}, {"density", 1000}};
  const auto scene = [&](const char* name) {
    return nlohmann::json{{"sinew", 1},
                          {"materials", {{"soft", material}, {"hard", material}}},
                          {"bodies",
                           {{{"name", "pair"},
                             {"mesh", "two.veg"},
                             {"material", {{"regions", {{"inner", "soft"}, {name, "hard"}}}}},
                             {"fix", {{{"group", "inner"}}}}}}}}
        .dump();
  };
  const auto run = sinew({"run", write("veg.json", scene("shell")), "-o", path("veg"), "--steps", "1"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(sinew({"run", write("veg.json", scene("shel")), "-o", path("no")}).err,
              HasSubstr("the mesh of body \"pair\" has no region \"shel\""));
}

// The first line of `sinew info` of every file of the test data, against the counts of an independent reader.
TEST_F(Cli, InfoOfTheTestData) {
  const std::string folder = test::data_folder();
  if (folder.empty()) GTEST_SKIP() << "no test data; set SINEW_TEST_DATA";
  int seen = 0;
  for (const char* list : {"/inventory_meshes.csv", "/inventory_surfaces.csv"}) {
    std::ifstream in(folder + list);
    std::string line, name, format, vertices, elements;
    std::getline(in, line);
    const bool tets = line.starts_with("file,format");
    while (std::getline(in, line)) {
      std::stringstream cells(line);
      std::getline(cells, name, ',');
      if (tets) std::getline(cells, format, ',');
      std::getline(cells, vertices, ',');
      std::getline(cells, elements, ',');
      if (name.find("/large/") != std::string::npos) continue;
      const auto result = sinew({"info", folder + "/" + name});
      EXPECT_EQ(result.code, 0) << name << result.err;
      const bool folded = name.find("microstructure") != std::string::npos;
      EXPECT_EQ(result.out.find(": yes\n") == std::string::npos, folded) << name << result.out;
      if (name.find("_P2") != std::string::npos) vertices = "1585";  // without the nodes between corners, 8890 of 10475
      EXPECT_THAT(result.out, HasSubstr(vertices + " vertices, " + elements + (tets ? " tets" : " triangles"))) << name;
      ++seen;
    }
  }
  EXPECT_GE(seen, 50);
}

TEST_F(Cli, ConvertWritesWhatItCanAndSaysWhatItCannot) {
  write("two.mesh",
        "MeshVersionFormatted 1\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\nTriangles "
        "1\n1 2 3 4\nTetrahedra 2\n1 2 3 4 1\n5 3 2 4 2\nEnd\n");
  const auto msh = sinew({"convert", path("two.mesh"), path("two.msh")});
  EXPECT_EQ(msh.code, 0) << msh.err;
  EXPECT_EQ(msh.err, "");
  EXPECT_EQ(msh.out, path("two.msh") + ": 5 vertices, 2 tets\n");
  EXPECT_THAT(sinew({"info", path("two.msh")}).out,
              HasSubstr("group \"2:4\": 1 triangles\ngroup \"3:1\": 1 tets\ngroup \"3:2\": 1 tets\n"));
  const auto obj = sinew({"convert", path("two.msh"), path("two.obj")});
  EXPECT_EQ(obj.out, path("two.obj") + ": the boundary surface of 2 tets: 5 vertices, 6 triangles\n");
  EXPECT_THAT(obj.err, HasSubstr("two.obj: dropped, since .obj files cannot hold it: the group 2:4, the group 3:1"));
  const auto surface = sinew({"convert", path("two.obj"), path("surface.vtu"), "--ascii"});
  EXPECT_EQ(surface.out, path("surface.vtu") + ": a surface of 5 vertices, 6 triangles\n");
  EXPECT_THAT(test::slurp(folder_ / "surface.vtu"), HasSubstr("format=\"ascii\""));

  const std::string before = test::slurp(folder_ / "two.msh");
  const auto again = sinew({"convert", path("two.mesh"), path("two.msh"), "--binary"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, "error: '" + path("two.msh") + "' exists; give --overwrite to replace it\n");
  EXPECT_EQ(test::slurp(folder_ / "two.msh"), before);
  EXPECT_EQ(sinew({"convert", path("two.mesh"), path("two.msh"), "--binary", "--overwrite"}).code, 0);
  EXPECT_NE(test::slurp(folder_ / "two.msh"), before);
  EXPECT_EQ(sinew({"convert", path("two.mesh"), path("two.stl")}).err,
            "error: cannot write '" + path("two.stl") +
                "': .stl is not a mesh format that sinew writes, expected .msh, .vtu, .inp, .unv, .bdf, .nas, .obj\n");
  EXPECT_EQ(sinew({"convert", path("two.mesh")}).err,
            "error: convert: missing OUT, for example: sinew convert ball.mesh ball.msh; see sinew convert --help\n");
  EXPECT_EQ(sinew({"convert", path("no.mesh"), path("no.msh")}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("no.msh")));
}

TEST_F(Cli, BenchNamesAreChecked) {
  const auto result = sinew({"bench", "spmw"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(
      result.err,
      "error: bench: found \"spmw\", expected one of \"spmv\", \"elastic\", \"contact\", \"affine\", \"newton_step\", "
      "\"scaling\", \"profile\", \"setup\", \"reduced\", \"quasi_newton\"; did you mean \"spmv\"?\n");
}

TEST_F(Cli, BenchReportsRatios) {
  EXPECT_EQ(sinew({"bench", "spmv", "--mesh", "body.msh"}).err,
            "error: bench: --mesh: spmv runs on built-in bodies only; name one of \"setup\", \"quasi_newton\"\n");
  const auto result = sinew({"bench", "spmv", "--json", path("bench.json"), "--threads", "1"});
  EXPECT_EQ(result.code, 0) << result.err;
  const auto report = json("bench.json");
  EXPECT_EQ(report["threads"], 1);
  EXPECT_GT(report["benchmarks"]["spmv"]["of_triad"].get<double>(), 0);
  EXPECT_FALSE(report["benchmarks"].contains("elastic"));
}

// Whatever name the file goes by. Nothing is computed first, and nothing written.
TEST_F(Cli, OutputFilesAreNeverInputs) {
  write_msh(path("cube.msh"), make_box(Vec3(0.1, 0.1, 0.1), {2, 2, 2}));
  const std::vector<double> young(40, 1e5);
  std::string npy = "{'descr': '<f8', 'fortran_order': False, 'shape': (40,), }";
  npy.resize(117, ' ');
  npy = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + npy + "\n" +
        std::string(reinterpret_cast<const char*>(young.data()), 320);
  write("young.npy", npy);
  scene_["bodies"][0]["mesh"] = "cube.msh";
  scene_["materials"]["rubber"]["young"] = {{"field", "young.npy"}};
  scene_["obstacles"][1]["mesh"] = "wall.obj";
  write("wall.obj", "v 9 0 0\nv 9 1 0\nv 9 0 1\nf 1 2 3\n");
  save();
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("out"), "--steps", "1"}).code, 0);
  scene_["initial"] = "out/checkpoint.h5";
  save();
  std::filesystem::create_symlink(path("cube.msh"), path("link.html"));
  const std::vector<std::vector<std::string>> commands{{"check", "--json"},
                                                       {"compare", "--methods", "newton", "--json"},
                                                       {"subspace", "--json"},
                                                       {"subspace", "--html"},
                                                       {"modes", "--html"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.begin() + 1, scene_path_);
    const std::string option = command.back();
    for (const std::string name :
         {"scene.json", "out/../scene.json", "cube.msh", "link.html", "young.npy", "wall.obj", "out/checkpoint.h5"}) {
      command.push_back(path(name));
      const std::string before = test::slurp(command.back());
      const auto result = sinew(command);
      const std::string what =
          name.ends_with("scene.json") ? "the scene's own file" : "a file that " + scene_path_ + " reads";
      EXPECT_EQ(result.code, 2) << testing::PrintToString(command);
      EXPECT_EQ(result.err, "error: " + option + ": found \"" + path(name) + "\", " + what + "; give another name\n");
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(test::slurp(command.back()), before);
      command.pop_back();
    }
  }
  const auto result = sinew({"check", scene_path_, "--intersections", path("wall.obj")});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("error: --intersections: found"));
}

}  // namespace
}  // namespace sinew
