// Shapes of the gallery, made by a script that stands for sinew-mesh, and once by itself.
#include "sinew/scene/shape_mesh.h"

#include "scene_tools.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/dynamics/simulation.h"
#include "sinew/scene/mesher_program.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

void make_executable(const fs::path& path) {
  fs::permissions(path, fs::perms::owner_all);
}

struct Shapes : testing::Test {
  Shapes() {
    std::string mesh = test::two_regions;  // without its vertex in no tet
    mesh.replace(mesh.find("$Nodes\n6\n"), 9, "$Nodes\n5\n");
    mesh.erase(mesh.find("6 9 9 9\n"), 8);
    folder.write("two.msh", mesh);
    mesher("cp '" + (folder.path / "two.msh").string() + "' \"$last\"");
  }

  // A script that notes its arguments and does as told; $last is the file that it is to write.
  void mesher(const std::string& action) const {
    const std::string calls = (folder.path / "calls").string();
    make_executable(folder.write("fake", "#!/bin/sh\nfor last; do :; done\necho \"$@\" >> '" + calls + "'\n" + action));
  }

  std::vector<std::string> calls() const {
    std::ifstream file(folder.path / "calls");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line.substr(0, line.find(" -o ")));
    return lines;
  }

  static json scene_of(const json& mesh) { return {{"bodies", {{{"name", "a"}, {"mesh", mesh}}}}}; }

  Scene read(const json& scene) const { return parse_scene(scene, folder.path, "s.json"); }
  Scene read_shape(const json& mesh = {{"shape", "ball"}}) const { return read(scene_of(mesh)); }

  std::string error(const json& mesh = {{"shape", "ball"}}) const {
    try {
      read_shape(mesh);
    } catch (const Error& found) {
      return found.what();
    }
    return "no error";
  }

  test::QuietLog log;
  test::Folder folder;
  test::Variable cache{"XDG_CACHE_HOME", (folder.path / "cache").string()};
  test::Variable named{"SINEW_MESH", (folder.path / "fake").string()};
};

TEST_F(Shapes, AreMadeOnceAndKept) {
  const Scene first = read_shape(), second = read_shape();
  EXPECT_THAT(calls(), ElementsAre("shape ball --size=small"));
  EXPECT_EQ(first.setup.bodies[0].mesh.tets, second.setup.bodies[0].mesh.tets);
  ASSERT_THAT(second.shapes, SizeIs(1));
  const ShapeFile& shape = second.shapes[0];
  EXPECT_EQ(shape.place, "bodies[0].mesh");
  EXPECT_EQ(shape.shape, "ball");
  EXPECT_EQ(shape.size, "small");
  EXPECT_EQ(shape.vertices, 5);
  EXPECT_EQ(shape.tets, 2);
  EXPECT_THAT(shape.file, AllOf(StartsWith((folder.path / "cache/sinew/meshes/ball-").string()), EndsWith(".msh")));
  EXPECT_THAT(log.messages, IsEmpty());
  for (const auto& entry : fs::directory_iterator(folder.path / "cache/sinew/meshes"))
    EXPECT_THAT(entry.path().filename().string(), StartsWith("ball-"));  // nothing temporary
}

TEST_F(Shapes, SizeAndParametersArePassedOn) {
  read_shape({{"shape", "ball"}, {"size", "large"}});
  read_shape({{"shape", "ball"}, {"size", 0.25}});
  read_shape({{"shape", "ball"}, {"set", {{"radius", 0.1}, {"cells", 3}, {"a b", 1e-7}}}});
  json scene = scene_of({{"shape", "cube"}});
  scene["size"] = "medium";
  read(scene);
  EXPECT_THAT(calls(), ElementsAre("shape ball --size=large", "shape ball --size=0.25",
                                   "shape ball --size=small --set=a b=1e-07 --set=cells=3 --set=radius=0.1",
                                   "shape cube --size=medium"));
}

TEST_F(Shapes, OfObstaclesGiveTheirSurface) {
  json scene = scene_of({{"shape", "ball"}});
  scene["obstacles"] = {{{"mesh", {{"shape", "ball"}}}, {"transform", {{"translate", {3, 0, 0}}}}}};
  const Scene read_scene = read(scene);
  EXPECT_EQ(read_scene.setup.obstacles[0].mesh->triangles.cols(), 6);
  ASSERT_THAT(read_scene.shapes, SizeIs(2));
  EXPECT_EQ(read_scene.shapes[1].place, "obstacles[0].mesh");
  EXPECT_EQ(read_scene.shapes[1].triangles, 6);
  EXPECT_THAT(calls(), SizeIs(1));
}

TEST_F(Shapes, AreMadeAnewWhenTheMesherChanges) {
  read_shape();
  mesher("# another\ncp '" + (folder.path / "two.msh").string() + "' \"$last\"");
  read_shape();
  EXPECT_THAT(calls(), SizeIs(2));
}

TEST_F(Shapes, DamagedFilesAreMadeAnew) {
  const std::string path = read_shape().shapes[0].file;
  const auto bytes = fs::file_size(path);
  for (const bool cut : {true, false}) {
    if (cut) {
      fs::resize_file(path, bytes - 1);
    } else {
      fs::remove(path);
    }
    log.messages.clear();
    EXPECT_EQ(read_shape().setup.bodies[0].mesh.tet_count(), 2);
    EXPECT_THAT(log.messages, ElementsAre(path + ": the cached mesh is damaged or missing; it is made again"));
    EXPECT_EQ(fs::file_size(path), bytes);
  }
  EXPECT_THAT(calls(), SizeIs(3));
  fs::remove(path.substr(0, path.size() - 4) + ".hash");  // as between the two files of another process
  log.messages.clear();
  read_shape();
  EXPECT_THAT(log.messages, IsEmpty());
  EXPECT_THAT(calls(), SizeIs(4));
}

TEST_F(Shapes, WithoutACacheFolderLiveAsLongAsTheReading) {
  folder.write("cache", "a file where the folder should be");
  const Scene scene = read_shape();
  EXPECT_EQ(scene.setup.bodies[0].mesh.tet_count(), 2);
  EXPECT_EQ(scene.shapes[0].file, "");
  ASSERT_THAT(log.messages, SizeIs(1));
  EXPECT_THAT(log.messages[0], StartsWith("meshes of gallery shapes cannot be cached: "));
}

TEST_F(Shapes, ErrorsOfTheMesherNameThePlace) {
  mesher("echo 'error: unknown shape \"ball\"; did you mean \"bell\"?' >&2; exit 2");
  EXPECT_THROW(read_shape(), InputError);
  EXPECT_EQ(error(), "s.json: bodies[0].mesh: sinew-mesh: unknown shape \"ball\"; did you mean \"bell\"?");
  mesher("printf 'warning: odd\\nerror: out of memory\\nmore\\n' >&2; exit 1");
  EXPECT_THROW(read_shape(), SimulationError);
  EXPECT_EQ(error(), "s.json: bodies[0].mesh: sinew-mesh: out of memory; more");
  mesher("exit 5");
  EXPECT_EQ(error(), "s.json: bodies[0].mesh: sinew-mesh: exit code 5 without a message");
  mesher("kill -KILL $$");
  EXPECT_EQ(error(),
            "s.json: bodies[0].mesh: sinew-mesh was ended by signal 9 (Killed), possibly for lack of memory; use a "
            "larger edge length");
  mesher("kill -INT $$");
  EXPECT_THROW(read_shape(), Interrupted);
  mesher("true");
  EXPECT_THAT(error(), HasSubstr("the cached mesh does not exist"));
  for (const auto& entry : fs::recursive_directory_iterator(folder.path / "cache")) EXPECT_TRUE(entry.is_directory());
}

TEST_F(Shapes, WarningsOfTheMesherAreRepeated) {
  mesher("echo 'warning: thin' >&2; cp '" + (folder.path / "two.msh").string() + "' \"$last\"");
  read_shape();
  EXPECT_THAT(log.messages, ElementsAre("s.json: bodies[0].mesh: sinew-mesh: thin"));
}

TEST_F(Shapes, NamesAreNoOptionsOrPaths) {
  EXPECT_EQ(error({{"shape", "--help"}}),
            "s.json: bodies[0].mesh.shape: found \"--help\", expected a name such as \"lattice_ball\"");
  EXPECT_EQ(error({{"shape", "../x"}}),
            "s.json: bodies[0].mesh.shape: found \"../x\", expected a name such as \"lattice_ball\"");
  EXPECT_EQ(error({{"shape", "ball"}, {"set", {{"a=b", 1}}}}),
            "s.json: bodies[0].mesh.set[\"a=b\"]: found \"a=b\", expected the name of a parameter");
  EXPECT_THAT(calls(), IsEmpty());
}

TEST_F(Shapes, ReadingCanBeInterrupted) {
  mesher("sleep 60");
  std::vector<std::string> lines;
  const ReadingHooks hooks{[&] { return !lines.empty(); }, [&](const std::string& line) { lines.push_back(line); }};
  EXPECT_THROW(parse_scene(scene_of({{"shape", "ball"}}), "", "s.json", hooks), Interrupted);
  EXPECT_THAT(lines, ElementsAre(StartsWith("meshing ball (small): "), ""));
}

TEST_F(Shapes, WithoutAMesher) {
  const test::Variable wrong("SINEW_MESH", "/dev/null");
  EXPECT_EQ(error(),
            "s.json: bodies[0].mesh.shape: gallery shape \"ball\": SINEW_MESH: found /dev/null, expected the path of "
            "the program sinew-mesh; correct or unset the variable");
}

TEST(MesherProgram, IsSoughtInOrder) {
  const test::Folder folder;
  const auto program = [&](const std::string& name) {
    fs::create_directories((folder.path / name).parent_path());
    make_executable(folder.write(name, "#!/bin/sh\n"));
    return (folder.path / name).string();
  };
  const auto in = [&](const char* name) { return (folder.path / name).string(); };
  MesherSearch search{"", in("build/tests/test"), in("other/python/sinew/sinew.so"), in("none") + ":" + in("path")};
  EXPECT_THAT([&] { mesher_program(search); },
              testing::ThrowsMessage<InputError>(
                  "the mesher sinew-mesh is missing beside this program and on the PATH. Install libcgal-dev and build "
                  "it with scripts/build release --target sinew_mesh_cli, or use a mesh file or a primitive (sphere, "
                  "box, cylinder, torus)"));
  for (const char* name : {"path/sinew-mesh", "other/bin/sinew-mesh", "other/python/sinew/sinew-mesh",
                           "build/bin/sinew-mesh", "build/tests/sinew-mesh"}) {
    const std::string path = program(name);
    EXPECT_EQ(mesher_program(search), path);
  }
  search.named = program("named/mesher");
  EXPECT_EQ(mesher_program(search), search.named);
}

// With sinew-mesh where it is built.
TEST(RealMesher, MakesASphere) {
  const test::Variable named("SINEW_MESH", "");
  try {
    mesher_program();
  } catch (const InputError&) {
    GTEST_SKIP() << "sinew-mesh is not built";
  }
  const test::QuietLog log;
  const test::Folder folder;
  const test::Variable cache("XDG_CACHE_HOME", (folder.path / "cache").string());
  const Scene scene = parse_scene(Shapes::scene_of({{"shape", "sphere"}}), "", "s.json");
  EXPECT_GT(scene.setup.bodies[0].mesh.tet_count(), 100);
  EXPECT_TRUE(fs::exists(scene.shapes[0].file));
}

}  // namespace
}  // namespace sinew
