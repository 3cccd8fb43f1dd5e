#include "command.h"
#include <gmock/gmock.h>

#include "sinew/core/version.h"

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
            "error: missing the command, expected one of \"run\", \"check\", \"compare\", \"bench\", \"info\"; for "
            "example: sinew run scenes/ball_drop.json -o out; see sinew --help\n");
}

TEST_F(Cli, UnknownCommandsGetASuggestion) {
  const auto result = sinew({"chekc", scene_path_});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(
      result.err,
      "error: unknown command \"chekc\", expected one of \"run\", \"check\", \"compare\", \"bench\", \"info\"; did you "
      "mean \"check\"?\n");
}

TEST_F(Cli, HelpAndVersionGoToStdout) {
  const auto help = sinew({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("compare"));
  const auto of_run = sinew({"run", "--help"});
  EXPECT_EQ(of_run.code, 0);
  EXPECT_THAT(of_run.out, HasSubstr("--resume"));
  EXPECT_EQ(sinew({"--version"}).out, std::string("sinew ") + ::sinew::version + "\n");
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
  EXPECT_THAT(tets.out, HasSubstr("region 7: 1 tets"));
  write("one.vtu", test::one_tet_vtu);
  const auto grid = sinew({"info", path("one.vtu")});
  EXPECT_EQ(grid.code, 0) << grid.err;
  EXPECT_THAT(grid.out, HasSubstr("region 5: 1 tets\ncell array \"MaterialId\": 1 component\n"
                                  "cell array \"fibre\": 3 components\n"));
  write("one.mesh", "");
  EXPECT_EQ(sinew({"info", path("one.mesh")}).err,
            "error: cannot read '" + path("one.mesh") +
                "': unknown mesh format .mesh, expected .msh, .vtu for tets or .obj, .stl, .ply for surfaces; convert "
                "the file, e.g. with Gmsh or meshio\n");
}

TEST_F(Cli, BenchNamesAreChecked) {
  const auto result = sinew({"bench", "spmw"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "error: bench: found \"spmw\", expected one of \"spmv\", \"elastic\", \"contact\", \"newton_step\", "
            "\"scaling\"; did you mean \"spmv\"?\n");
}

TEST_F(Cli, BenchReportsRatios) {
  const auto result = sinew({"bench", "spmv", "--json", path("bench.json"), "--threads", "1"});
  EXPECT_EQ(result.code, 0) << result.err;
  const auto report = json("bench.json");
  EXPECT_EQ(report["threads"], 1);
  EXPECT_GT(report["benchmarks"]["spmv"]["of_triad"].get<double>(), 0);
  EXPECT_FALSE(report["benchmarks"].contains("elastic"));
}

}  // namespace
}  // namespace sinew
