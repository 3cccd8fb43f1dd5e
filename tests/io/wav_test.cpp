// Format wav: the file, runs that go on, and what is refused.
#include <cmath>
#include <cstring>

#include "record_scene.h"
#include "sample_scene.h"
#include <gmock/gmock.h>
#include <sndfile.h>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/core/parallel.h"
#include "sinew/core/warning_log.h"
#include "sinew/io/wav_file.h"
#include "sinew/io/wav_frames.h"

namespace sinew::wav_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  SF_INFO info{};
  std::vector<float> samples;  // left and right in turn

  float peak() const {
    float peak = 0;
    for (const float s : samples) peak = std::max(peak, std::abs(s));
    return peak;
  }
  // Root of the mean square from time a to b [s].
  double level(double a, double b) const {
    double sum = 0;
    const auto begin = static_cast<std::size_t>(2 * 44100 * a), end = static_cast<std::size_t>(2 * 44100 * b);
    for (std::size_t k = begin; k < end; ++k) sum += samples[k] * samples[k];
    return std::sqrt(sum / static_cast<double>(end - begin));
  }
};

Read read(const std::string& path) {
  Read result;
  SNDFILE* file = sf_open(path.c_str(), SFM_READ, &result.info);
  if (!file) {
    ADD_FAILURE() << path << ": " << sf_strerror(nullptr);
    return result;
  }
  result.samples.resize(static_cast<std::size_t>(2 * result.info.frames));
  sf_readf_float(file, result.samples.data(), result.info.frames);
  sf_close(file);
  return result;
}

class WavTest : public test::FolderTest {
 protected:
  void run(const std::string& folder, FolderMode mode, int until, bool finish = true) {
    test::record(scene_, path(folder), mode, until, finish);
  }

  std::string error_of(const std::string& folder, FolderMode mode = FolderMode::resume, int until = 8) {
    try {
      run(folder, mode, until);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  // A stiff cube falls to the ground in 40 ms.
  nlohmann::json scene_ = [] {
    nlohmann::json scene = test::sample_scene();
    scene["time"] = {{"step", 2e-3}, {"steps", 8}};
    scene["materials"]["rubber"] = {{"young", 1e9}, {"poisson", 0.3}, {"density", 1200}};
    scene["obstacles"].erase(1);
    scene["output"] = {{"formats", {"wav"}}, {"sound", {{"modes", 20}, {"tail", 0.2}}}};
    return scene;
  }();
};

// In whatever order the formats are, the page holds the sound with 16 bits; other files are no sound.
TEST_F(WavTest, ThePageHasTheSound) {
  scene_["output"]["formats"] = {"html", "wav"};
  run("page", FolderMode::refuse, 30);
  const Read file = read(path("page/sound.wav"));
  const StereoSamples same = read_wav(path("page/sound.wav"));
  EXPECT_EQ(same.rate, 44100);
  EXPECT_EQ(same.values, file.samples);
  const std::string page = read_whole_file(path("page/report.html")),
                    script = read_whole_file(path("page/report/sound.js"));
  EXPECT_THAT(page, HasSubstr("id=\"sinew-sound\""));
  EXPECT_THAT(script, HasSubstr(fmt::format("\"rate\":44100,\"frames\":{}", file.info.frames)));
  EXPECT_THROW(read_wav(path("page/report.html")), InputError);

  scene_["output"]["formats"] = {"html"};
  run("page", FolderMode::overwrite, 5);
  EXPECT_THAT(read_whole_file(path("page/report.html")), testing::Not(HasSubstr("id=\"sinew-sound\"")));
}

// Sound from there is on its way for 49 minutes, of which the file holds none.
TEST_F(WavTest, AFarListenerWaitsForNothing) {
  run("near", FolderMode::refuse, 30);
  scene_["output"]["sound"]["listener"] = {0, 0, 1e6};
  log::WarningLog warnings;
  run("far", FolderMode::refuse, 30);
  EXPECT_THAT(
      warnings.warnings(),
      testing::Contains(testing::AllOf(
          HasSubstr(
              "output.sound.listener: the nearest body is 1e+06 m away, and its sound takes 2.92e+03 s to arrive; "),
          HasSubstr("leaves out that silence. Move the listener nearer"))));
  const Read near = read(path("near") + "/sound.wav"), far = read(path("far") + "/sound.wav");
  EXPECT_NEAR(static_cast<double>(far.info.frames), static_cast<double>(near.info.frames), 0.01 * 44100);
  EXPECT_GT(far.peak(), 0);
}

TEST_F(WavTest, BytesAreWhatIsWritten) {
  const std::vector<float> left{0, 0.5f, -2}, right{1, 0.25f, 0};
  write_wav(path("a.wav"), left, right, 44100);
  const std::string bytes = test::slurp(path("a.wav"));
  EXPECT_EQ(bytes.substr(0, 4), "RIFF");
  EXPECT_EQ(bytes.substr(8, 8), "WAVEfmt ");
  EXPECT_EQ(bytes.find("PEAK"), std::string::npos);  // which holds the time of day
  const std::size_t data = bytes.find("data");
  ASSERT_EQ(bytes.size(), data + 8 + 24);
  const float expected[] = {0, 1, 0.5f, 0.25f, -2, 0};
  EXPECT_EQ(std::memcmp(bytes.data() + data + 8, expected, 24), 0);
  const Read again = read(path("a.wav"));
  EXPECT_EQ(again.info.samplerate, 44100);
  EXPECT_EQ(again.info.channels, 2);
  EXPECT_EQ(again.info.frames, 3);
  EXPECT_THAT(again.samples, testing::ElementsAreArray(expected));
}

TEST_F(WavTest, ARunHasASound) {
  run("out", FolderMode::refuse, 8);
  EXPECT_THAT(listing("out/sound"), ElementsAre("steps.bin"));
  const Read sound = read(path("out/sound.wav"));
  EXPECT_NEAR(static_cast<double>(sound.info.frames) / 44100, 8 * 2e-3 + 0.2, 0.01);
  EXPECT_NEAR(sound.peak(), 0.891, 1e-3);
}

TEST_F(WavTest, EveryStepCountsWhateverTheFramesAre) {
  run("one", FolderMode::refuse, 8);
  scene_["output"]["every"] = 3;
  scene_["output"]["checkpoint"] = 0;
  run("other", FolderMode::refuse, 8);
  EXPECT_EQ(test::slurp(path("one/sound.wav")), test::slurp(path("other/sound.wav")));
}

TEST_F(WavTest, ResumeMakesTheSoundOfARunInOneGo) {
  run("whole", FolderMode::refuse, 8);
  scene_["output"]["checkpoint"] = 3;
  run("killed", FolderMode::refuse, 5, /*finish=*/false);  // the checkpoint is of step 3
  EXPECT_FALSE(std::filesystem::exists(path("killed/sound.wav")));
  {
    std::ofstream file(path("killed/sound/steps.bin"), std::ios::binary | std::ios::app);
    file << "cut short";
  }
  run("killed", FolderMode::resume, 8);
  EXPECT_EQ(test::slurp(path("whole/sound.wav")), test::slurp(path("killed/sound.wav")));
  run("stopped", FolderMode::refuse, 5);
  EXPECT_GT(read(path("stopped/sound.wav")).info.frames, 44100 / 5);  // of what was computed
  run("stopped", FolderMode::resume, 8);
  EXPECT_EQ(test::slurp(path("whole/sound.wav")), test::slurp(path("stopped/sound.wav")));
}

TEST_F(WavTest, IsTheSameForAnyNumberOfThreads) {
  {
    const ThreadLimit limit(1);
    run("one", FolderMode::refuse, 8);
  }
  run("more", FolderMode::refuse, 8);
  EXPECT_EQ(test::slurp(path("one/sound.wav")), test::slurp(path("more/sound.wav")));
}

TEST_F(WavTest, AGivenGainIsOfPressures) {
  scene_["output"]["sound"]["gain"] = 1;
  run("one", FolderMode::refuse, 8);
  scene_["output"]["sound"]["gain"] = 2;
  run("two", FolderMode::refuse, 8);
  EXPECT_FLOAT_EQ(read(path("two/sound.wav")).peak(), 2 * read(path("one/sound.wav")).peak());
}

// It settles in 0.3 s of soft landing, and is then far below its landing.
TEST_F(WavTest, RestingIsSilent) {
  scene_["time"]["steps"] = 200;
  scene_["bodies"][0]["velocity"] = {0, -0.1, 0};
  scene_["output"]["sound"] = {{"modes", 10}, {"tail", 0}, {"damping_ratio", 0.02}};
  run("out", FolderMode::refuse, 200);
  const Read sound = read(path("out/sound.wav"));
  EXPECT_GT(sound.peak(), 0);
  EXPECT_LT(sound.level(0.35, 0.4), 1e-3 * sound.level(0, 0.2));
}

TEST_F(WavTest, ResumeNeedsTheSteps) {
  scene_["output"]["formats"] = {"vtu"};
  run("out", FolderMode::refuse, 3);
  scene_["output"]["formats"] = {"wav"};
  EXPECT_THAT(error_of("out"), HasSubstr("sound/steps.bin: expected at least 4 records, of the steps up to 3, found 0; "
                                         "continue without \"wav\" in output.formats"));
  run("other", FolderMode::refuse, 3);
  scene_["output"]["sound"]["modes"] = 5;
  EXPECT_THAT(
      error_of("other"),
      HasSubstr("found sound data of another source or of other modes; continue with the output.sound of the run"));
  std::ofstream(path("other/sound/steps.bin")) << "something else";
  EXPECT_THAT(error_of("other"), HasSubstr("expected the sound data of a run, found another file"));
}

// A record that is kept must be whole; those behind the checkpoint are dropped, whatever they hold.
TEST_F(WavTest, ResumeRefusesADamagedRecord) {
  const auto damage = [&](const std::string& folder, int record, double value) {
    run(folder, FolderMode::refuse, 3);
    const std::string file = path(folder + "/sound/steps.bin");
    const auto width = (static_cast<std::streamoff>(std::filesystem::file_size(file)) - 24) / 4;
    std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
    bytes.seekp(24 + record * width);
    bytes.write(reinterpret_cast<const char*>(&value), sizeof value);
  };
  damage("nan", 2, std::nan(""));
  EXPECT_THAT(error_of("nan"), HasSubstr("sound/steps.bin: record 2 of 4 is damaged: "));
  damage("time", 1, 0);
  EXPECT_THAT(
      error_of("time"),
      HasSubstr("record 1 of 4 is damaged: its time is not after the time of the record before; continue without"));
}

TEST_F(WavTest, OverwriteLeavesOtherFiles) {
  run("out", FolderMode::refuse, 2);
  write("out/sound/notes.txt", "mine");
  scene_["output"]["formats"] = {"vtu"};
  run("out", FolderMode::overwrite, 1);
  EXPECT_THAT(listing("out/sound"), ElementsAre("notes.txt"));
  EXPECT_FALSE(std::filesystem::exists(path("out/sound.wav")));
}

// Steps of a sample, in which the cube strikes the ground.
class MotionTest : public WavTest {
 protected:
  MotionTest() {
    scene_["time"] = {{"step", 1 / 44100.0}, {"steps", 60}, {"integrator", "newmark"}};
    scene_["bodies"][0]["transform"]["translate"] = {0, 0.0511, 0};
    scene_["bodies"][0]["angular_velocity"] = {0, 0, 40};  // turns by more than its tap rows allow
    scene_["output"] = {{"formats", {"wav"}}, {"sound", {{"source", "motion"}}}};
  }
};

TEST_F(MotionTest, ResumeMakesTheSoundOfARunInOneGo) {
  for (const std::string method : {"newton", "reduced"}) {
    scene_["solver"]["method"] = method;
    if (method == "reduced") scene_["solver"]["subspace"] = "linear";
    run(method, FolderMode::refuse, 60);
    EXPECT_GT(read(path(method + "/sound.wav")).peak(), 0.5);
    scene_["output"]["checkpoint"] = 7;
    run(method + "killed", FolderMode::refuse, 40, /*finish=*/false);
    run(method + "killed", FolderMode::resume, 60);
    EXPECT_EQ(test::slurp(path(method + "/sound.wav")), test::slurp(path(method + "killed/sound.wav"))) << method;
    scene_["output"]["checkpoint"] = 1;
  }
}

// A release of vertices changes the coordinates of a subspace, and no velocity of the taps is known there.
TEST_F(MotionTest, GoesOnAfterARelease) {
  scene_["solver"] = {{"method", "reduced"}, {"subspace", "linear"}, {"tolerance", 1e-6}};
  scene_["bodies"][0].erase("angular_velocity");
  scene_["bodies"][0].erase("velocity");
  scene_["bodies"][0]["fix"] = {
      {{"halfspace", {{"point", {0, 0.1, 0}}, {"normal", {0, 1, 0}}}}, {"until", 20.5 / 44100}}};
  run("whole", FolderMode::refuse, 40);
  const Read sound = read(path("whole/sound.wav"));
  EXPECT_GT(sound.peak(), 0);
  EXPECT_TRUE(std::ranges::all_of(sound.samples, [](float s) { return std::isfinite(s); }));
  for (const int stopped : {20, 21, 22}) {
    const std::string folder = "stopped" + std::to_string(stopped);
    run(folder, FolderMode::refuse, stopped, /*finish=*/false);
    run(folder, FolderMode::resume, 40);
    EXPECT_EQ(test::slurp(path("whole/sound.wav")), test::slurp(path(folder + "/sound.wav"))) << stopped;
  }
}

TEST_F(MotionTest, NeedsNoContact) {
  scene_["contact"] = {{"enabled", false}};
  scene_["obstacles"] = nlohmann::json::array();
  scene_["bodies"][0]["loads"] = {
      {{"halfspace", {{"point", {0, 0.1, 0}}, {"normal", {0, 1, 0}}}},
       {"force", {{"times", {0, 2e-4, 4e-4}}, {"values", {{0, 0, 0}, {0, -20, 0}, {0, 0, 0}}}}}}};
  run("out", FolderMode::refuse, 60);
  EXPECT_GT(read(path("out/sound.wav")).peak(), 0.5);
}

TEST_F(WavTest, BodiesThatCannotBeHeardAreRefused) {
  scene_["materials"]["rubber"]["young"] = 1;
  EXPECT_THAT(error_of("soft", FolderMode::refuse),
              testing::AllOf(HasSubstr("found \"wav\", but no body sounds: 'cube' has modes from 0."),
                             HasSubstr("Raise output.sound.modes, change the material or size")));
  scene_["materials"]["rubber"] = {{"model", "mass_spring"}, {"young", 1e9}, {"density", 1200}};
  EXPECT_THAT(error_of("springs", FolderMode::refuse), HasSubstr("which needs modes of vibration: "));
}

}  // namespace
}  // namespace sinew::wav_test
