// What shells hand to the commands: pipes, devices and links for files, closed and full outputs, odd names.
#include <filesystem>

#include "command.h"
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/core/version.h"
#include "sinew/formats/write_msh.h"
#include "sinew/mesh/primitives.h"

namespace sinew::edges_test {
namespace {

namespace fs = std::filesystem;
using test::sinew;
using testing::HasSubstr;
using testing::StartsWith;

// A named pipe that holds what is written to it.
class Pipe {
 public:
  explicit Pipe(std::string path) : path_(std::move(path)) {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_NONBLOCK);
    ::fcntl(descriptor_, F_SETPIPE_SZ, 1 << 20);
  }
  ~Pipe() { ::close(descriptor_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::string contents() const {
    std::string text(1 << 20, '\0');
    const ssize_t size = ::read(descriptor_, text.data(), text.size());
    return text.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0);
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

class Edges : public test::CommandTest {
 protected:
  // Runs a command whose standard output is `descriptor`, or closed (-1).
  static test::CommandResult sinew_with_stdout(int descriptor, const std::vector<std::string>& arguments) {
    std::vector<const char*> argv{"sinew"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::fflush(stdout);
    const int before = ::dup(STDOUT_FILENO);
    testing::internal::CaptureStderr();
    descriptor < 0 ? ::close(STDOUT_FILENO) : ::dup2(descriptor, STDOUT_FILENO);
    test::CommandResult result;
    result.code = app::run_cli(static_cast<int>(argv.size()), argv.data());
    std::fflush(stdout);
    std::clearerr(stdout);
    ::dup2(before, STDOUT_FILENO);
    ::close(before);
    result.err = testing::internal::GetCapturedStderr();
    return result;
  }
};

// ---- outputs

TEST_F(Edges, OutputsPassThroughPipesAndDevices) {
  write_msh(path("cube.msh"), make_box(Vec3(0.1, 0.1, 0.1), {1, 1, 1}));
  const Pipe pipe(path("pipe.vtu"));
  const auto is_pipe = [&] { return fs::is_fifo(path("pipe.vtu")); };
  EXPECT_EQ(sinew({"convert", path("cube.msh"), path("pipe.vtu")}).code, 0);
  EXPECT_THAT(pipe.contents(), StartsWith("<?xml"));
  EXPECT_EQ(sinew({"check", scene_path_, "--json", path("pipe.vtu")}).code, 0);
  EXPECT_EQ(nlohmann::json::parse(pipe.contents())["verdict"], "no problems found");
  EXPECT_EQ(sinew({"subspace", scene_path_, "--json", path("pipe.vtu")}).code, 0);
  EXPECT_TRUE(nlohmann::json::parse(pipe.contents()).contains("clusters"));
  scene_["bodies"][0]["transform"]["translate"] = {0, 0.04, 0};
  save();
  EXPECT_EQ(sinew({"check", scene_path_, "--intersections", path("pipe.vtu")}).code, 2);
  EXPECT_THAT(pipe.contents(), StartsWith("<?xml"));
  EXPECT_TRUE(is_pipe());

  fs::create_symlink("/dev/null", path("nothing"));
  EXPECT_EQ(sinew({"subspace", scene_path_, "--html", path("nothing"), "--json", path("nothing")}).code, 0);
  EXPECT_TRUE(fs::is_character_file(path("nothing")));
  const auto full = sinew({"check", scene_path_, "--json", "/dev/full"});
  EXPECT_EQ(full.code, 1);
  EXPECT_EQ(full.err, "error: /dev/full: cannot write: No space left on device\n");
}

TEST_F(Edges, OutputsLeaveLinksInPlace) {
  fs::create_directory(path("elsewhere"));
  fs::create_symlink("elsewhere/found.json", path("link.json"));
  for (int round = 0; round < 2; ++round) {  // first without a file there
    EXPECT_EQ(sinew({"check", scene_path_, "--json", path("link.json")}).code, 0);
    EXPECT_TRUE(fs::is_symlink(path("link.json")));
    EXPECT_TRUE(json("elsewhere/found.json").contains("verdict"));
  }
  write_msh(path("cube.msh"), make_box(Vec3(0.1, 0.1, 0.1), {1, 1, 1}));
  fs::create_symlink("cube.msh", path("link.msh"));
  const auto refused = sinew({"convert", path("cube.msh"), path("link.msh")});
  EXPECT_EQ(refused.err, "error: '" + path("link.msh") + "' exists; give --overwrite to replace it\n");
}

TEST_F(Edges, JsonFollowsTheTextOnStandardOutput) {
  const int file = ::open(path("all.txt").c_str(), O_WRONLY | O_CREAT, 0600);
  EXPECT_EQ(sinew_with_stdout(file, {"check", scene_path_, "--brief", "--json", "/dev/stdout"}).code, 0);
  ::close(file);
  const std::string text = test::slurp(path("all.txt"));
  EXPECT_THAT(text, StartsWith("bodies:"));
  EXPECT_LT(text.find("memory: about"), text.find("\n{\n"));
  EXPECT_TRUE(text.ends_with("\n}\nno problems found\n")) << text;
}

TEST_F(Edges, WhatCannotBePrintedIsAFailure) {
  write_msh(path("cube.msh"), make_box(Vec3(0.1, 0.1, 0.1), {1, 1, 1}));
  const int full = ::open("/dev/full", O_WRONLY);
  const std::vector<std::vector<std::string>> commands{{"--help"},
                                                       {"--version"},
                                                       {"run", "--help"},
                                                       {"info", path("cube.msh")},
                                                       {"convert", path("cube.msh"), path("cube.vtu"), "--overwrite"},
                                                       {"check", scene_path_},
                                                       {"check", scene_path_, "--json", "-"},
                                                       {"subspace", scene_path_},
                                                       {"compare", scene_path_, "--methods", "newton", "--steps", "1"},
                                                       {"bench", "spmv"},
                                                       {"run", scene_path_, "-o", path("out"), "--overwrite"}};
  for (const std::vector<std::string>& command : commands) {
    const auto on_full = sinew_with_stdout(full, command);
    EXPECT_EQ(on_full.code, 1) << testing::PrintToString(command);
    EXPECT_THAT(on_full.err,
                HasSubstr("error: cannot write to standard output: No space left on device [E-output-write]\n"));
    const auto on_closed = sinew_with_stdout(-1, command);
    EXPECT_EQ(on_closed.code, 1) << testing::PrintToString(command);
    EXPECT_THAT(on_closed.err,
                HasSubstr("error: cannot write to standard output: Bad file descriptor [E-output-write]\n"));
  }
  ::close(full);
}

// The number of a closed stream is not lent to the next file, which would take what is printed.
TEST_F(Edges, FilesAreNotMixedWithWhatIsPrinted) {
  EXPECT_EQ(sinew_with_stdout(-1, {"check", scene_path_, "--json", path("found.json")}).code, 1);
  EXPECT_TRUE(!fs::exists(path("found.json")) || json("found.json").contains("verdict"));
}

TEST_F(Edges, FoldersThatNoRunMayHave) {
  for (const std::string folder : {"/", "//", "/.", "/tmp/.."}) {
    const auto result = sinew({"run", scene_path_, "--overwrite", "-o", folder});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, "error: -o: found \"" + folder +
                              "\", the root of the file system, expected a folder for this run only, such as "
                              "out/drop\n");
  }
  const auto empty = sinew({"run", scene_path_, "-o", ""});
  EXPECT_EQ(empty.code, 2);
  EXPECT_EQ(empty.err, "error: run: --output: found \"\", expected a folder, such as out/drop\n");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"check", "--json"},
                                                                                     {"check", "--intersections"},
                                                                                     {"subspace", "--json"},
                                                                                     {"subspace", "--html"},
                                                                                     {"modes", "--html"},
                                                                                     {"check", "--method"}}) {
    const auto result = sinew({words[0], scene_path_, words[1], ""});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err,
                StartsWith("error: " + words[0] + ": " + words[1] + ": found \"\", expected the name of a"));
  }
  EXPECT_THAT(listing(), testing::ElementsAre("scene.json"));
}

// ---- inputs

TEST_F(Edges, InputsHaveAnEnd) {
  EXPECT_EQ(sinew({"check", "/dev/zero"}).err,
            "error: /dev/zero: cannot read the scene file: it is a device, expected a file or a pipe\n");
  EXPECT_EQ(sinew({"check", path("")}).err,
            "error: " + path("") + ": cannot read the scene file: it is a folder, expected a file or a pipe\n");
  write("huge.json", "");
  fs::resize_file(path("huge.json"), std::uintmax_t{1} << 36);
  EXPECT_EQ(sinew({"check", path("huge.json")}).err,
            "error: " + path("huge.json") + ": cannot read the scene file: it has more than 256 MB\n");
  write("huge.msh", "");
  fs::resize_file(path("huge.msh"), std::uintmax_t{1} << 42);
  EXPECT_THAT(sinew({"info", path("huge.msh")}).err,
              StartsWith("error: cannot read '" + path("huge.msh") + "': it has 4398.0 GB, but "));
  const Pipe pipe(path("pipe.msh"));
  EXPECT_EQ(sinew({"info", path("pipe.msh")}).err,
            "error: cannot read '" + path("pipe.msh") + "': it is a pipe, expected a regular file\n");
}

// As the shell's `<(command)`.
TEST_F(Edges, ScenesMayComeThroughAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string text = scene_.dump();
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const auto result = sinew({"check", "/dev/fd/" + std::to_string(ends[0]), "--brief"});
  ::close(ends[0]);
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST_F(Edges, PipesAreNoCheckpointsAndFields) {
  ASSERT_EQ(sinew({"run", scene_path_, "-o", path("out"), "--steps", "2"}).code, 0);
  const std::string checkpoint = path("out/checkpoint.h5"), log = path("out/steps.jsonl");
  fs::rename(checkpoint, path("kept.h5"));
  {
    const Pipe pipe(checkpoint);
    EXPECT_EQ(sinew({"run", scene_path_, "-o", path("out"), "--resume"}).err,
              "error: " + checkpoint + ": cannot read the file: it is a pipe, expected a regular file\n");
    fs::remove(checkpoint);
  }
  fs::rename(path("kept.h5"), checkpoint);
  fs::remove(log);
  {
    const Pipe pipe(log);
    EXPECT_EQ(sinew({"run", scene_path_, "-o", path("out"), "--resume", "--steps", "3"}).err,
              "error: " + log + ": cannot read the file: it is a pipe, expected a regular file\n");
  }
  const Pipe field(path("young.npy"));
  scene_["materials"]["rubber"]["young"] = {{"field", "young.npy"}};
  save();
  EXPECT_THAT(sinew({"check", scene_path_}).err,
              HasSubstr("young.npy: cannot read the file: it is a pipe, expected a regular file\n"));
}

// What the cache holds in place of a file is not waited for, and makes room.
TEST_F(Edges, PipesInTheCacheMakeRoom) {
  scene_["bodies"][0]["mesh"]["box"]["cells"] = {16, 16, 16};  // the cache keeps nothing of small meshes
  save();
  const auto subspace = [&] { return sinew({"subspace", scene_path_}); };
  ASSERT_EQ(subspace().code, 0);
  const fs::path folder = path("cache/sinew/hierarchies");
  const std::string file = fs::directory_iterator(folder)->path().string();
  fs::remove(file);
  const Pipe pipe(file);
  const auto result = subspace();
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("it is a pipe, expected a regular file"));
  EXPECT_TRUE(fs::is_regular_file(file));
}

TEST_F(Edges, NamesThatAreNotUtf8) {
  fs::create_directory(path("caf\xe9"));
  const std::string scene = write("caf\xe9/sc\xe8ne.json", [&] {
    scene_.erase("name");
    scene_["output"] = {{"formats", {"vtu", "pc2", "html"}}};
    scene_["materials"]["unused"] = nlohmann::json::object();  // a warning that names the file
    return scene_.dump();
  }());
  const auto checked = sinew({"check", scene, "--json", "-"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_EQ(nlohmann::json::parse(checked.out)["scene"]["name"], "sc\xef\xbf\xbdne");
  const std::string out = path("caf\xe9/out");
  const auto ran = sinew({"run", scene, "-o", out, "--steps", "2"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json("caf\xe9/out/summary.json")["scene"], "sc\xef\xbf\xbdne");
  const auto resumed = sinew({"run", scene, "-o", out, "--steps", "3", "--resume"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(sinew({"subspace", scene, "--html", path("caf\xe9/page.html")}).code, 0);
}

TEST_F(Edges, InfoNamesVerticesWithoutAPlace) {
  write("nan.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 nan 0\n0 0 1\n3 0 1 3\n");
  const auto result = sinew({"info", path("nan.off")});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "error: " + path("nan.off") +
                            ": 1 of 4 vertices have coordinates that are not finite: vertex 2 at (0, nan, 0). Export "
                            "the mesh again. (Ids count from 0 in the order of the file.)\n");
}

}  // namespace
}  // namespace sinew::edges_test
