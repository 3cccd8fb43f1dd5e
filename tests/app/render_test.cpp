// sinew render: videos and pictures of runs and scenes.
#include <array>
#include <cstdio>

#include "command.h"
#include <gmock/gmock.h>

#include "sinew/render/offscreen_context.h"

namespace sinew {
namespace {

using test::sinew;
using testing::HasSubstr;
using testing::StartsWith;

// What a program prints.
std::string printed(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 256> part{};
  while (pipe && std::fgets(part.data(), part.size(), pipe)) text += part.data();
  if (pipe) ::pclose(pipe);
  return text;
}

bool has_ffmpeg() {
  return !printed("command -v ffprobe 2>/dev/null").empty();
}

class RenderCommand : public test::CommandTest {
 protected:
  void SetUp() override {
    scene_["time"]["steps"] = 4;
    test::CommandTest::SetUp();
  }
  void require_pictures() {
    if (!has_offscreen_library()) GTEST_SKIP() << "libosmesa6 is missing";
  }
  void run() {
    const auto result = sinew({"run", scene_path_, "-o", path("out"), "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
  }
  test::CommandResult render(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "render");
    arguments.insert(arguments.end(), {"--quality", "draft"});
    return sinew(arguments);
  }
  // "width,height,frames" of a video, and its duration.
  std::string probed(const std::string& name) const {
    return printed(
        "ffprobe -v error -select_streams v -count_frames -show_entries "
        "stream=width,height,pix_fmt,nb_read_frames -of csv=p=0 " +
        path(name));
  }
  double duration(const std::string& name) const {
    return std::stod(printed("ffprobe -v error -show_entries format=duration -of csv=p=0 " + path(name)));
  }
  std::string error(const std::vector<std::string>& arguments) const { return render(arguments).err; }
};

TEST_F(RenderCommand, PicturesOfARunAreTheSameAgain) {
  require_pictures();
  run();
  const auto first = render({path("out"), "-o", path("a.png"), "--size", "96x64", "--step", "3"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, path("a.png") + ": 96 x 64 pixels, step 3\n");
  EXPECT_EQ(first.err, "");
  ASSERT_EQ(render({path("out"), "-o", path("b.png"), "--size", "96x64", "--step", "3"}).code, 0);
  const std::string a = test::slurp(path("a.png"));
  EXPECT_THAT(a, StartsWith("\x89PNG"));
  EXPECT_EQ(a, test::slurp(path("b.png")));
  // Of another step, of a field, from elsewhere: other pictures.
  const std::vector<std::vector<std::string>> others = {{"--step", "0"},          {"--time", "0.015"},
                                                        {"--field", "von_mises"}, {"--view=-40,10"},
                                                        {"--background", "dark"}, {"--from", "1,1,1", "--to", "0,0,0"}};
  for (std::vector<std::string> other : others) {
    other.insert(other.begin(), {path("out"), "-o", path("c.png"), "--size", "96x64", "--overwrite"});
    const auto result = render(other);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_NE(test::slurp(path("c.png")), a) << other[6];
  }
  EXPECT_EQ(listing(".").size(), 6u);  // the three, out, scene.json, cache: nothing else is left
}

TEST_F(RenderCommand, VideosOfARunPlayInRealTime) {
  require_pictures();
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is missing";
  run();
  const auto result = render({path("out"), "-o", path("a.mp4"), "--size", "64x48", "--fps", "50", "--camera", "orbit"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(probed("a.mp4"), "64,48,yuv420p,3\n");  // 0.04 s
  EXPECT_THAT(result.out, HasSubstr("slow it down with --speed"));
  ASSERT_EQ(render({path("out"), "-o", path("b.webm"), "--size", "64x48", "--fps", "50", "--speed", "0.1", "--camera",
                    "follow"})
                .code,
            0);
  EXPECT_EQ(probed("b.webm"), "64,48,yuv420p,21\n");
  EXPECT_NEAR(duration("b.webm"), 0.42, 0.021);
  for (const char* name : {"c.webp", "d.gif"})
    ASSERT_EQ(render({path("out"), "-o", path(name), "--size", "63x47", "--speed", "0.5"}).code, 0) << name;
  EXPECT_THAT(test::slurp(path("c.webp")), HasSubstr("ANIM"));
  EXPECT_THAT(test::slurp(path("d.gif")), StartsWith("GIF89a"));
  ASSERT_EQ(render({path("out"), "-o", path("e.jpg"), "--size", "63x47"}).code, 0);
  EXPECT_THAT(test::slurp(path("e.jpg")), StartsWith("\xff\xd8"));
}

TEST_F(RenderCommand, ScenesAreRunAndLeaveNoFolder) {
  require_pictures();
  const auto result =
      render({scene_path_, "-o", path("frame_%02d.png"), "--size", "48x32", "--fps", "100", "--steps", "2"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(listing("."), testing::IsSupersetOf({"frame_00.png", "frame_01.png", "frame_02.png"}));
  EXPECT_FALSE(std::filesystem::exists(path("frame_03.png")));
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  EXPECT_THAT(error({scene_path_, "-o", path("frame_%02d.png"), "--fps", "100", "--steps", "2", "--size", "48x32"}),
              HasSubstr("frame_00.png' exists; give --overwrite"));
  // A shorter video over a longer one leaves no picture of the longer one that would be taken for its own.
  ASSERT_EQ(render({scene_path_, "-o", path("frame_%02d.png"), "--size", "48x32", "--fps", "100", "--steps", "1",
                    "--overwrite"})
                .code,
            0);
  EXPECT_FALSE(std::filesystem::exists(path("frame_02.png")));
  std::filesystem::rename(path("frame_01.png"), path("frame_02.png"));
  std::filesystem::remove(path("frame_00.png"));
  EXPECT_THAT(error({scene_path_, "-o", path("frame_%02d.png"), "--fps", "100", "--steps", "1", "--size", "48x32"}),
              HasSubstr("frame_02.png' exists"));
  ASSERT_EQ(render({scene_path_, "-o", path("kept.png"), "--size", "48x32", "--keep", path("kept")}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("kept/report.html")));
}

TEST_F(RenderCommand, NamesWhatIsWrong) {
  run();
  const std::string out = path("out"), png = path("a.png"), mp4 = path("a.mp4");
  EXPECT_THAT(error({out}), HasSubstr("-o"));
  EXPECT_THAT(error({path("none"), "-o", png}), HasSubstr("expected the output folder of a run or a scene file"));
  EXPECT_THAT(error({out, "-o", path("a.avi")}), HasSubstr("ends in .mp4, .webm"));
  EXPECT_THAT(error({out, "-o", path("a%d%d.png")}), HasSubstr("expected one number such as %04d"));
  EXPECT_THAT(error({out, "-o", path("a%d.mp4")}), HasSubstr("expected .png for numbered pictures"));
  EXPECT_THAT(error({out, "-o", path("a.gif"), "--fps", "60"}), HasSubstr("expected at most 50 for .gif"));
  EXPECT_THAT(error({out, "-o", mp4, "--speed", "nan"}), HasSubstr("expected a number from 1e-09"));
  EXPECT_THAT(error({out, "-o", png, "--time", "nan"}), HasSubstr("expected a number from"));
  EXPECT_THAT(error({out, "-o", png, "--size", "640"}), HasSubstr("expected WIDTHxHEIGHT with 16 to 4096"));
  EXPECT_THAT(error({out, "-o", mp4, "--size", "63x48"}), HasSubstr("expected even numbers for .mp4"));
  EXPECT_THAT(error({out, "-o", png, "--fps", "20"}), HasSubstr("--fps: found with a single picture"));
  EXPECT_THAT(error({out, "-o", mp4, "--step", "2"}), HasSubstr("--step: found with a video"));
  EXPECT_THAT(error({out, "-o", png, "--step", "2", "--time", "1"}), HasSubstr("--step excludes --time"));
  EXPECT_THAT(error({out, "-o", png, "--camera", "orbt"}), HasSubstr("did you mean \"orbit\"?"));
  EXPECT_THAT(error({out, "-o", png, "--camera", "orbit"}), HasSubstr("turn the view with --view"));
  EXPECT_THAT(error({out, "-o", mp4, "--turn", "90"}), HasSubstr("expected --camera orbit"));
  EXPECT_THAT(error({out, "-o", png, "--view", "40"}), HasSubstr("expected AZIMUTH,ELEVATION"));
  EXPECT_THAT(error({out, "-o", png, "--view", "40,90"}), HasSubstr("expected -89 to 89"));
  EXPECT_THAT(error({out, "-o", png, "--from", "1,2,3"}), HasSubstr("expected --from and --to"));
  EXPECT_THAT(error({out, "-o", png, "--from", "1,2", "--to", "0,0,0"}), HasSubstr("expected X,Y,Z"));
  EXPECT_THAT(error({out, "-o", png, "--map", "cividis"}), HasSubstr("--map: expected --field"));
  EXPECT_THAT(error({out, "-o", png, "--field", "speed", "--map", "jet"}), HasSubstr("expected one of \"viridis\""));
  EXPECT_THAT(error({out, "-o", png, "--field", "speed", "--range", "2:1"}), HasSubstr("the lower number first"));
  EXPECT_THAT(error({out, "-o", png, "--background", "blue"}), HasSubstr("expected light, dark, or a colour"));
  EXPECT_THAT(error({out, "-o", png, "--set", "time.steps=3"}), HasSubstr("expected a scene"));
  EXPECT_THAT(error({out, "-o", path("no/a.png")}), HasSubstr("no"));
  std::filesystem::create_directories(path("empty"));
  EXPECT_THAT(error({path("empty"), "-o", png}), HasSubstr("found no checkpoint"));
  if (!has_offscreen_library()) return;
  EXPECT_THAT(error({out, "-o", png, "--step", "40"}), HasSubstr("expected a step with a frame, from 0 to 4"));
  EXPECT_THAT(error({out, "-o", png, "--time", "7"}), HasSubstr("the times of the run"));
  EXPECT_THAT(error({out, "-o", png, "--field", "warmth"}), HasSubstr("von_mises, displacement, speed"));
  EXPECT_FALSE(std::filesystem::exists(png));
}

TEST_F(RenderCommand, SaysThatFfmpegIsMissing) {
  run();
  const test::Variable none("PATH", path("nowhere"));
  const auto result = render({path("out"), "-o", path("a.mp4"), "--size", "64x48"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.codes, "E-program ");
  EXPECT_THAT(result.err, HasSubstr("install Debian's package ffmpeg, or write numbered pictures"));
}

}  // namespace
}  // namespace sinew
