// Obstacles with a vertex cache, and winds: what the keys become.
#include <bit>

#include "scene_tools.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::obstacle_vertices_test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
void append(std::string& bytes, T value, bool turned) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (turned) std::ranges::reverse(raw);
  bytes.append(raw.data(), raw.size());
}

// Three vertices that move up by one metre each sample, from height 1 on.
std::string pc2(int samples, int vertices = 3, float first = 0, float rate = 1) {
  std::string bytes("POINTCACHE2\0", 12);
  for (const std::int32_t number : {1, vertices}) append(bytes, number, false);
  append(bytes, first, false);
  append(bytes, rate, false);
  append(bytes, std::int32_t{samples}, false);
  for (int s = 0; s < samples; ++s)
    for (int v = 0; v < vertices; ++v)
      for (const float number : {static_cast<float>(v % 2), 1.0f + s, static_cast<float>(v / 2)})
        append(bytes, number, false);
  return bytes;
}

json scene_with(const json& vertices) {
  json scene = test::cube_scene();
  scene["time"] = {{"step", 0.01}, {"steps", 8}};
  scene["output"] = {{"every", 2}};
  scene["obstacles"][0] = {
      {"name", "flap"},
      {"mesh", {{"triangles", {{"vertices", {{0, 5, 0}, {1, 5, 0}, {0, 5, 1}}}, {"triangles", {{0, 2, 1}}}}}}},
      {"vertices", vertices}};
  return scene;
}

struct Files {
  test::Folder folder;
  test::QuietLog log;
  Files() {
    folder.write("flap.pc2", pc2(5));
    folder.write("late.pc2", pc2(3, 3, 2, 0.5f));
    folder.write("four.pc2", pc2(3, 4));
    folder.write("still.pc2", pc2(1));
    std::string mdd;
    const bool turned = std::endian::native == std::endian::little;
    for (const std::int32_t number : {2, 3}) append(mdd, number, turned);
    for (const float time : {0.5f, 1.5f}) append(mdd, time, turned);
    for (int i = 0; i < 18; ++i) append(mdd, static_cast<float>(i), turned);
    folder.write("flap.mdd", mdd);
  }
  Scene read(const json& scene) { return read_scene(folder.write("s.json", scene.dump())); }
  std::string error(const json& scene) {
    try {
      read(scene);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST(ObstacleVertices, SamplesAreAtTheFramesOfTheOutput) {
  Files files;
  const Scene scene = files.read(scene_with("flap.pc2"));
  const ObstacleSetup& flap = scene.setup.obstacles[0];
  ASSERT_TRUE(flap.motion.course);
  EXPECT_THAT(flap.motion.course->times, ElementsAre(0, 0.02, 0.04, 0.06, 0.08));
  EXPECT_EQ(flap.motion.course->places[2], (Points{{0, 1, 0}, {3, 3, 3}, {0, 0, 1}}));
  EXPECT_EQ(flap.mesh->vertices, flap.motion.course->places[0]);
  EXPECT_THAT(scene.warnings, testing::IsEmpty());
  EXPECT_DOUBLE_EQ(flap.motion.apply({}, 0.03, 1).y(), 2.5);
}

TEST(ObstacleVertices, RateAndStartPlaceThem) {
  Files files;
  const Scene scene = files.read(scene_with({{"file", "late.pc2"}, {"rate", 10}, {"start", -0.1}}));
  EXPECT_THAT(scene.setup.obstacles[0].motion.course->times,
              ElementsAre(testing::DoubleEq(0.1), testing::DoubleEq(0.15), testing::DoubleEq(0.2)));
  const Scene own = files.read(scene_with({{"file", "flap.mdd"}, {"start", 1}}));
  EXPECT_THAT(own.setup.obstacles[0].motion.course->times, ElementsAre(1.5, 2.5));
}

TEST(ObstacleVertices, ShortCachesAreWarnedOf) {
  Files files;
  const Scene scene = files.read(scene_with({{"file", "flap.pc2"}, {"rate", 100}}));
  EXPECT_THAT(scene.warnings,
              ElementsAre(HasSubstr("its vertices end at 0.04 s, before the end of the run at 0.08 s")));
}

TEST(ObstacleVertices, WrongOnesAreRefused) {
  Files files;
  EXPECT_THAT(files.error(scene_with("none.pc2")), HasSubstr("obstacles[0].vertices: "));
  EXPECT_THAT(files.error(scene_with("flap.abc")), HasSubstr("expected a vertex cache: .pc2 or .mdd"));
  EXPECT_THAT(files.error(scene_with("four.pc2")), HasSubstr("found 4 vertices, the obstacle's mesh has 3"));
  EXPECT_THAT(files.error(scene_with("still.pc2")), HasSubstr("found 1 samples, expected 2 or more"));
  EXPECT_THAT(files.error(scene_with({{"file", "flap.mdd"}, {"rate", 24}})),
              HasSubstr("found a rate, but the file has times of its own"));
  json scene = scene_with("flap.pc2");
  scene["obstacles"][0]["motion"] = {{"translate", {{"times", {0}}, {"values", {{0, 0, 0}}}}}};
  EXPECT_THAT(files.error(scene), HasSubstr("found a motion beside \"vertices\""));
  scene = scene_with("flap.pc2");
  scene["obstacles"][0]["transform"] = {{"scale", 2}};
  EXPECT_THAT(files.error(scene), HasSubstr("found a transform beside \"vertices\""));
  scene = scene_with("flap.pc2");
  scene["obstacles"][0].erase("mesh");
  scene["obstacles"][0]["plane"] = json::object();
  EXPECT_THAT(files.error(scene), HasSubstr("a plane has no vertices"));
}

TEST(WindKeys, BecomeALoad) {
  Files files;
  json scene = test::cube_scene();
  scene["bodies"][0]["loads"] = {
      {{"all", true},
       {"wind",
        {{"velocity", {3, 0, 4}}, {"density", 2}, {"turbulence", {{"intensity", 0.5}, {"length", 10}, {"seed", 7}}}}}}};
  const Scene read = files.read(scene);
  const LoadSetup& load = read.setup.bodies[0].loads[0];
  EXPECT_EQ(load.kind, LoadKind::wind);
  EXPECT_EQ(load.vector, Vec3(3, 0, 4));
  const WindSetup& wind = load.wind;
  EXPECT_DOUBLE_EQ(wind.drag, 2.4);
  EXPECT_DOUBLE_EQ(wind.friction, 0.04);
  EXPECT_EQ(wind.intensity, 0.5);
  EXPECT_EQ(wind.length, 10);
  EXPECT_EQ(wind.time, 2);
  EXPECT_EQ(wind.seed, 7);
  scene["time"] = {{"mode", "static"}};
  EXPECT_THAT([&] { build_system(files.read(scene).setup); },
              testing::ThrowsMessage<InputError>(HasSubstr("found a wind in statics")));
  scene["bodies"][0]["loads"][0]["wind"] = {{"speed", 3}};
  EXPECT_THAT(files.error(scene), HasSubstr("speed"));
}

}  // namespace
}  // namespace sinew::obstacle_vertices_test
