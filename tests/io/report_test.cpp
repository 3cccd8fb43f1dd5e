// The data of the page: encoding, chunks, resumed runs, and when the page holds its data itself.
#include <cmath>
#include <limits>

#include "inflated.h"
#include "record_scene.h"
#include "sample_scene.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/io/report_encoding.h"
#include "sinew/io/report_format.h"
#include "sinew/io/report_frames.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

using test::double_at;
using test::inflated;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(ReportEncoder, SequencesAreDifferencesInBytePlanes) {
  ReportEncoder encoder;
  const std::vector<double> values{1, 3, 2};
  encoder.range(range_of(values));
  encoder.sequence(values, range_of(values), 1000);  // levels 0, 1000, 500
  const std::string bytes = inflated(encoder.finish());
  ASSERT_EQ(bytes.size(), 16u + 6u);
  EXPECT_EQ(double_at(bytes, 0), 1);
  EXPECT_EQ(double_at(bytes, 8), 3);
  const std::vector<int> low{0, 1000 & 255, -500 & 255}, high{0, 1000 >> 8, (-500 & 65535) >> 8};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(static_cast<unsigned char>(bytes[16 + k]), low[k]);
    EXPECT_EQ(static_cast<unsigned char>(bytes[19 + k]), high[k]);
  }
}

TEST(ReportEncoder, EveryValueIsWithinHalfALevel) {
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) values.push_back(-3 + 1e-3 * ((k * 7919) % 1000));
  const ValueRange range = range_of(values);
  ReportEncoder encoder;
  encoder.sequence(values, range, position_levels);
  const std::string bytes = inflated(encoder.finish());
  std::uint16_t level = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto low = static_cast<unsigned char>(bytes[k]), high = static_cast<unsigned char>(bytes[1000 + k]);
    level = static_cast<std::uint16_t>(level + (low | high << 8));
    const double step = (range.high - range.low) / position_levels;
    EXPECT_NEAR(range.low + level * step, values[k], 0.5000001 * step);
  }
}

TEST(ReportEncoder, StrangeValues) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(range_of({}).high, 0);
  const std::vector<double> values{nan, 2, infinity, 1};
  const ValueRange range = range_of(values);
  EXPECT_EQ(range.low, 1);
  EXPECT_EQ(range.high, 2);
  ReportEncoder encoder;
  encoder.sequence(values, range, 100);
  encoder.sequence(std::vector<double>{5, 5}, {5, 5}, 100);  // no extent
  const std::string bytes = inflated(encoder.finish());
  ASSERT_EQ(bytes.size(), 12u);
  const std::vector<int> low{0, 100, 0, 156, 0, 0};
  for (int k = 0; k < 6; ++k) EXPECT_EQ(static_cast<unsigned char>(bytes[k]), low[k]) << k;
}

class ReportTest : public test::FolderTest {
 protected:
  void run(const std::string& folder, FolderMode mode, int until, bool finish = true) {
    test::record(scene_, path(folder), mode, until, finish);
  }

  // The sink alone, with a limit of its own.
  void run_with_limit(const std::string& folder, std::size_t page_limit) {
    Scene scene = parse_scene(scene_, ".");
    SinkSettings settings{path(folder), {"cube", "newton", 1}, {scene.completed, ".", ""}, 1, nullptr};
    std::filesystem::create_directories(settings.folder);
    Simulation simulation(build_system(std::move(scene.setup)));
    ReportFrames sink(settings, simulation.system());
    sink.page_limit = page_limit;
    write(folder + "/steps.jsonl", "");
    Frame frame(simulation);
    sink.write(frame);
    sink.finish({Json::object(), {"a warning"}});
  }

  std::string file(const std::string& name) const { return test::slurp(path(name)); }

  nlohmann::json scene_ = [] {
    nlohmann::json scene = test::sample_scene();
    scene["output"] = {{"formats", {"html"}}};
    return scene;
  }();
};

TEST_F(ReportTest, ResumedRunHasTheSameFrames) {
  run("whole", FolderMode::refuse, 6);
  run("parts", FolderMode::refuse, 3);
  run("parts", FolderMode::resume, 6);
  for (const char* name : {"report/frames_000000.js", "report/mesh.js"}) {
    EXPECT_EQ(file(std::string("parts/") + name), file(std::string("whole/") + name)) << name;
  }
  EXPECT_THAT(listing("whole"), ElementsAre("checkpoint.h5", "report", "report.html", "steps.jsonl", "summary.json"));
  EXPECT_THAT(listing("whole/report"), ElementsAre("frames_000000.js", "mesh.js", "run.js"));
}

TEST_F(ReportTest, FramesAfterTheCheckpointAreDropped) {
  run("run", FolderMode::refuse, 4);
  ReportStore store(path("run"));
  store.keep_until(2);
  EXPECT_THAT(store.index().steps, ElementsAre(0, 1, 2));
  ReportStore again(path("run"));
  again.read(100);
  EXPECT_THAT(again.index().steps, ElementsAre(0, 1, 2));
  EXPECT_THAT(again.index().chunks, ElementsAre(3));
  store.keep_until(-1);
  EXPECT_THAT(listing("run/report"), ElementsAre("mesh.js", "run.js"));
}

TEST_F(ReportTest, ChunksAreTheSameHoweverOftenARunWasStopped) {
  EncodedFrame frame;
  const auto append = [&](ReportStore& store, int first, int last) {
    for (int step = first; step <= last; ++step) {
      frame.step = step;
      frame.data = std::string(7000 + 400 * (step % 11), 'A');
      store.append(frame);
    }
  };
  std::filesystem::create_directories(path("whole"));
  std::filesystem::create_directories(path("parts"));
  ReportStore whole(path("whole"));
  append(whole, 0, 80);
  for (const int last : {5, 20, 7, 40, 41, 80}) {
    ReportStore store(path("parts"));
    store.keep_until(last == 7 ? 3 : 100);
    append(store, store.index().steps.empty() ? 0 : store.index().steps.back() + 1, last);
    EXPECT_EQ(store.index().steps.size(), static_cast<std::size_t>(last + 1));
  }
  EXPECT_GT(whole.index().chunks.size(), 5u);
  ASSERT_EQ(listing("parts/report"), listing("whole/report"));
  for (const std::string& name : listing("whole/report")) {
    EXPECT_EQ(file("parts/report/" + name), file("whole/report/" + name)) << name;
  }
}

TEST_F(ReportTest, ALaterStartHasTheFramesFromThere) {
  scene_["output"]["formats"] = nlohmann::json::array();
  run("run", FolderMode::refuse, 3);
  scene_["output"]["formats"] = {"html"};
  run("run", FolderMode::resume, 5);
  ReportStore store(path("run"));
  store.read(100);
  EXPECT_THAT(store.index().steps, ElementsAre(4, 5));
  EXPECT_THAT(file("run/report.html"), HasSubstr("sinew-frames_000000"));
}

TEST_F(ReportTest, OverwriteRemovesAllOfAnEarlierRun) {
  run("run", FolderMode::refuse, 2);
  write("run/report/mine.txt", "kept");
  write("run/report/frames_000007.js", "old");
  scene_["output"]["formats"] = nlohmann::json::array();
  run("run", FolderMode::overwrite, 1);
  EXPECT_THAT(listing("run"), ElementsAre("checkpoint.h5", "report", "steps.jsonl", "summary.json"));
  EXPECT_THAT(listing("run/report"), ElementsAre("mine.txt"));
}

TEST_F(ReportTest, PageHoldsItsDataUpToTheLimit) {
  run_with_limit("small", 20'000'000);
  EXPECT_THAT(file("small/report.html"), HasSubstr("id=\"sinew-frames_000000\""));
  EXPECT_THAT(file("small/report/run.js"), HasSubstr("a warning"));
  run_with_limit("large", 1000);
  EXPECT_THAT(file("large/report.html"), Not(HasSubstr("id=\"sinew-frames_000000\"")));
  EXPECT_THAT(file("large/report.html"), HasSubstr("\"embedded\":false"));
}

TEST_F(ReportTest, PageIsThereWhileTheRunGoesOn) {
  run("run", FolderMode::refuse, 2, /*finish=*/false);
  EXPECT_THAT(file("run/report.html"), HasSubstr("\"embedded\":false"));
  EXPECT_FALSE(file("run/report/run.js").empty());
  std::filesystem::remove(path("run/report.html"));
  EXPECT_FALSE(report_is_current(path("run")));
  rebuild_report(path("run"));
  EXPECT_TRUE(report_is_current(path("run")));
}

TEST_F(ReportTest, NamesCannotEndTheScript) {
  scene_["name"] = "</script><b>";
  run("run", FolderMode::refuse, 1);
  EXPECT_THAT(file("run/report/mesh.js"), Not(HasSubstr("</script>")));
  EXPECT_THAT(file("run/report/mesh.js"), HasSubstr("\\u003c/script>"));
}

TEST_F(ReportTest, DamagedDataAreNamed) {
  run("run", FolderMode::refuse, 2);
  const auto error = [&] {
    try {
      run("run", FolderMode::resume, 3);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  const std::string good = file("run/report/frames_000000.js");
  const std::vector<std::string> damaged{std::string(),
                                         std::string("sinewBlob("),
                                         good.substr(0, good.size() / 2),
                                         "sinewBlob(\"frames_000000\",[\n{},\n\"\"\n]);\n",
                                         "sinewBlob(\"frames_000000\",[\n{\"step\":1e99},\n\"\"\n]);\n",
                                         "sinewBlob(\"frames_000000\",[\n{\"step\":0,\"ranges\":4},\n\"\"\n]);\n"};
  for (const std::string& bad : damaged) {
    write("run/report/frames_000000.js", bad);
    EXPECT_THAT(error(), HasSubstr("report/frames_000000.js: expected ")) << bad.substr(0, 60);
  }
  write("run/report/frames_000000.js", good);
  EXPECT_EQ(error(), "no error");
}

TEST_F(ReportTest, RebuildNamesWhatIsMissing) {
  const auto error = [&](const std::string& folder) {
    try {
      rebuild_report(path(folder));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error("none"), HasSubstr("report/mesh.js: no such file"));
  run("run", FolderMode::refuse, 1);
  const std::string mesh = file("run/report/mesh.js");
  write("run/report/mesh.js", "sinewBlob(\"mesh\",[\n{\"format\":99},\n\"\"\n]);\n");
  EXPECT_THAT(error("run"), HasSubstr("found format 99, expected 2"));
  write("run/report/mesh.js", mesh);
  write("run/steps.jsonl", "{\"step\":1}\n");
  EXPECT_THAT(error("run"), HasSubstr("steps.jsonl:1: expected the row of a step"));
}

TEST_F(ReportTest, AFolderThatCannotBeWrittenIsNamed) {
  std::filesystem::create_directories(path("other"));
  write("other/report", "a file where the folder should be");
  ReportStore store(path("other"));
  try {
    store.write_mesh(Json::object(), "");
    FAIL() << "no error";
  } catch (const SimulationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("other/report"));
  }
}

}  // namespace
}  // namespace sinew
