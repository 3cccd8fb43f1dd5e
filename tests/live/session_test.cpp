// Sessions with viewers that are made up: what they ask for happens, what they see is the simulation.
#include "sinew/live/session.h"

#include <cstring>
#include <filesystem>

#include "support/folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/initial_state.h"
#include "sinew/live/replay.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

using testing::HasSubstr;

nlohmann::json bar(const std::string& method) {
  return nlohmann::json::parse(R"({
    "name": "bar", "time": {"step": 0.01, "steps": 20},
    "materials": {"rubber": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000},
                  "steel": {"model": "stable_neo_hookean", "young": 1e7, "poisson": 0.3, "density": 5000}},
    "bodies": [{"name": "bar", "mesh": {"box": {"size": [1, 0.2, 0.2], "cells": [10, 2, 2]}}, "material": "rubber",
                "fix": [{"halfspace": {"point": [-0.499, 0, 0], "normal": [-1, 0, 0]}}]},
               {"name": "block", "mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]}}, "material": "steel",
                "transform": {"translate": [0, 0.6, 0]}}],
    "obstacles": [{"name": "floor", "plane": {"point": [0, -0.5, 0], "normal": [0, 1, 0]}}],
    "solver": {"handles": 4, "cubature": 60, "iterations": 3}})")
      .patch(nlohmann::json::array({{{"op", "add"}, {"path", "/solver/method"}, {"value", method}}}));
}

// Keeps what is sent.
struct Viewers : LiveOutput {
  void send(int client, std::shared_ptr<const std::string> text) override {
    texts[client].push_back(Json::parse(*text));
  }
  void set_frame(int client, std::shared_ptr<const std::string> bytes) override { frames[client].push_back(*bytes); }

  Json last(int client, const std::string& type) const {
    Json found;
    if (const auto own = texts.find(client); own != texts.end())
      for (const Json& text : own->second)
        if (text["type"] == type) found = text;
    return found;
  }

  std::map<int, std::vector<Json>> texts;
  std::map<int, std::vector<std::string>> frames;
};

struct Running {
  Scene scene;
  std::shared_ptr<System> system;
  std::unique_ptr<Simulation> simulation;
  Viewers viewers;
  std::unique_ptr<LiveControls> controls;
  std::unique_ptr<LiveSession> session;
  // Of the session: time passes as the test says.
  std::chrono::steady_clock::time_point time{std::chrono::hours(1)};
  bool by_the_wall = false;

  explicit Running(const std::string& method, const std::string& folder = "unused")
      : Running(bar(method), ".", method, folder) {}
  Running(const nlohmann::json& content, const std::filesystem::path& base, const std::string& method,
          const std::string& folder) {
    scene = parse_scene(content, base);
    system = build_system(scene);
    simulation = start_simulation(system, scene.initial, "bar");
    simulation->allow_changes(system);
    LiveOptions options;
    options.record.folder = folder;
    options.record.formats = {"html"};
    options.record.facts = {"bar", method, 1};
    options.record.scene = {scene.completed, ".", system_hash(*system), ""};
    options.methods = {"auto", "newton", "mixed", "reduced"};
    options.speed = 0;
    options.now = [this] { return by_the_wall ? std::chrono::steady_clock::now() : time; };
    controls = std::make_unique<LiveControls>(scene.completed, *simulation, measurements_of(scene.fits));
    session = std::make_unique<LiveSession>(*simulation, *controls, std::move(options), viewers);
  }

  void say(int client, const Json& message) { session->message(client, message.dump()); }
  void steps(int count) {
    for (int k = 0; k < count; ++k) {
      time += std::chrono::milliseconds(60);
      session->handle();
      session->publish(simulation->step());
    }
  }
  void pull(int client, int id, int vertex, const Vec3& target) {
    say(client, {{"type", "pull"},
                 {"id", id},
                 {"object", 0},
                 {"vertex", vertex},
                 {"target", {target[0], target[1], target[2]}}});
  }
};

template <class T>
T number_at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

class Session : public testing::TestWithParam<const char*> {};

// As docs/reference/live_protocol.md says, by its bytes: positions of all surface vertices as a viewer finds them.
TEST_P(Session, FramesHoldTheSurface) {
  Running running(GetParam());
  running.session->opened(1);
  running.steps(3);
  running.pull(1, 5, 7, {0.3, 0.4, 0});
  running.steps(3);
  running.say(1, {{"type", "seen"}, {"frame", number_at<std::uint32_t>(running.viewers.frames[1].back(), 8)}});
  running.steps(1);
  const std::string& frame = running.viewers.frames[1].back();
  ASSERT_EQ(number_at<std::uint32_t>(frame, 0), 0x31464e53u);
  const auto kind = number_at<std::uint32_t>(frame, 4);
  EXPECT_EQ(number_at<std::uint32_t>(frame, 12), 7u);
  EXPECT_DOUBLE_EQ(number_at<double>(frame, 16), 0.07);
  EXPECT_EQ(number_at<std::uint32_t>(frame, 24), 1u);  // planes
  EXPECT_EQ(number_at<std::uint32_t>(frame, 28), 1u);  // pulls
  EXPECT_DOUBLE_EQ(number_at<double>(frame, 40 + 8), -0.5);
  EXPECT_EQ(number_at<std::uint32_t>(frame, 88), 1u);
  EXPECT_EQ(number_at<std::uint32_t>(frame, 92), 5u);
  EXPECT_EQ(number_at<std::uint32_t>(frame, 100), 7u);
  std::size_t at = (88 + 28 + 7) / 8 * 8;
  const Points user = running.system->to_user(running.simulation->state().x.leftCols(running.system->dynamic_count));
  LiveFrames frames(*running.system, {"", {}, {running.scene.completed, ".", "", ""}});
  if (kind == 1) {
    EXPECT_LE(frame.size(), 4096u);
    const auto rows = number_at<std::uint32_t>(frame, 36);
    const std::string weights = *running.session->weights();
    ASSERT_EQ(number_at<std::uint32_t>(weights, 0), 0x31574e53u);
    const auto sets = number_at<std::uint32_t>(weights, 20), handles = number_at<std::uint32_t>(weights, 24),
               vertices = number_at<std::uint32_t>(weights, 28);
    ASSERT_EQ(rows, 4 * handles);
    ASSERT_EQ(sets, 1u);
    std::size_t centers = 32, origin = centers + 32 * handles, rest = origin + 24, phi = rest + 12 * vertices;
    std::size_t v = 0;
    for (std::size_t body = 0; body < frames.body_count(); ++body) {
      for (const Index u : frames.object_vertices(body)) {
        double X[3], x[3];
        for (int a = 0; a < 3; ++a)
          x[a] = X[a] = number_at<double>(weights, origin + 8 * a) + number_at<float>(weights, rest + 12 * v + 4 * a);
        for (std::size_t h = 0; h < handles; ++h) {
          const double w = number_at<float>(weights, phi + 4 * (handles * v + h));
          const double r = number_at<double>(weights, centers + 32 * h + 24);
          for (int a = 0; a < 3; ++a) {
            double sum = number_at<float>(frame, at + 4 * (3 * (4 * h) + a));
            for (int b = 0; b < 3; ++b)
              sum += number_at<float>(frame, at + 4 * (3 * (4 * h + 1 + b) + a)) *
                     (X[b] - number_at<double>(weights, centers + 32 * h + 8 * b)) / r;
            x[a] += w * sum;
          }
        }
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(x[a], user(a, u), 2e-6);
        ++v;
      }
    }
    EXPECT_EQ(v, vertices);
    return;
  }
  for (std::size_t body = 0; body < frames.body_count(); ++body) {
    const std::vector<Index>& vertices = frames.object_vertices(body);
    at = (at + 7) / 8 * 8;
    for (int a = 0; a < 3; ++a) {
      const double low = number_at<double>(frame, at + 8 * a), high = number_at<double>(frame, at + 24 + 8 * a);
      for (std::size_t k = 0; k < vertices.size(); ++k) {
        const auto level = number_at<std::uint16_t>(frame, at + 48 + 2 * (a * vertices.size() + k));
        EXPECT_NEAR(low + level * (high - low) / 65535, user(a, vertices[k]), (high - low) / 65535);
      }
    }
    at += 48 + 6 * vertices.size();
  }
}

TEST_P(Session, PullsSettingsAndMethods) {
  Running running(GetParam());
  running.session->opened(1);
  running.session->opened(2);
  running.steps(2);
  EXPECT_EQ(running.viewers.last(1, "hello")["client"], 1);
  EXPECT_EQ(running.viewers.last(2, "state")["viewers"], 2);
  EXPECT_FALSE(running.viewers.last(1, "rows")["rows"].empty());
  const Json settings = running.viewers.last(1, "state")["settings"];
  EXPECT_EQ(settings["materials.rubber.young"]["value"], 1e5);
  EXPECT_EQ(settings.contains("solver.iterations"), std::string(GetParam()) != "newton");

  running.pull(1, 1, 3, {0.5, 1, 0});
  running.steps(1);
  EXPECT_GT(running.simulation->energies().springs, 0);
  EXPECT_EQ(running.system->pulls.size(), 1u);
  running.pull(2, 1, 9, {0.5, 1, 0});  // another viewer's number 1 is another pull
  running.steps(1);
  EXPECT_EQ(running.system->pulls.size(), 2u);
  running.say(1, {{"type", "release"}, {"id", 1}});
  running.session->closed(2);  // who goes lets go
  running.steps(1);
  EXPECT_EQ(running.system->pulls.size(), 0u);

  running.say(1, {{"type", "set"}, {"key", "gravity"}, {"value", {0, -1, 0}}});
  running.say(1, {{"type", "set"}, {"key", "materials.rubber.young"}, {"value", 2e5}});
  running.say(1, {{"type", "set"}, {"key", "time.step"}, {"value", 0.005}});
  running.steps(1);
  EXPECT_EQ(running.system->setup.gravity, Vec3(0, -1, 0));
  EXPECT_EQ(running.system->setup.time.step, 0.005);
  EXPECT_EQ(running.viewers.last(1, "state")["settings"]["materials.rubber.young"]["value"], 2e5);

  for (const char* method : {"newton", "mixed", "reduced"}) {
    running.say(1, {{"type", "method"}, {"name", method}});
    running.steps(2);
    EXPECT_EQ(running.viewers.last(1, "state")["method"], method);
    EXPECT_EQ(running.viewers.last(1, "state")["weights"].is_null(), std::string(method) == "newton");
  }
  EXPECT_TRUE(running.viewers.last(1, "error").is_null()) << running.viewers.last(1, "error");
}

// A pull that comes before a step acts on it, and is in the frame after it.
TEST_P(Session, PullsActOnTheNextStep) {
  Running running(GetParam());
  running.session->opened(1);
  running.steps(1);
  const Points before = running.simulation->state().v;
  running.pull(1, 1, 3, {0.5, 1, 0});
  running.steps(1);
  EXPECT_GT((running.simulation->state().v - before).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_EQ(number_at<std::uint32_t>(running.viewers.frames[1].back(), 28), 1u);
}

// A pinned vertex stays where it is while its body would fall.
TEST_P(Session, PinsHoldAVertex) {
  Running running(GetParam());
  running.session->opened(1);
  running.steps(1);
  LiveFrames frames(*running.system, {"", {}, {running.scene.completed, ".", "", ""}});
  const auto place = [&] {
    const auto bodies = running.simulation->state().x.leftCols(running.system->dynamic_count);
    return Vec3(running.system->to_user(bodies).col(frames.object_vertices(1)[3]));
  };
  const Vec3 start = place();
  running.say(1, {{"type", "pull"},
                  {"id", 1},
                  {"object", 1},
                  {"vertex", 3},
                  {"target", {start[0], start[1], start[2]}},
                  {"pin", true}});
  running.steps(30);
  EXPECT_TRUE(running.viewers.last(1, "error").is_null()) << running.viewers.last(1, "error");
  EXPECT_LT((place() - start).norm(), 2e-3);
  running.say(1, {{"type", "release"}, {"id", 1}});
  running.steps(20);
  EXPECT_GT((place() - start).norm(), 0.05);
}

TEST_P(Session, ResetIsTheStart) {
  Running running(GetParam());
  running.session->opened(1);
  const Points start = running.simulation->state().x;
  running.pull(1, 1, 3, {0.5, 1, 0});
  running.steps(5);
  running.say(1, {{"type", "reset"}});
  running.session->handle();
  EXPECT_LT((running.simulation->state().x - start).colwise().norm().maxCoeff(), 1e-12);
  EXPECT_EQ(running.simulation->clock().step, 0);
  EXPECT_EQ(running.system->pulls.size(), 0u);
  running.steps(1);
}

// What a recording holds is made again to the same bits, whatever was turned before it and in it.
TEST_P(Session, RecordingsReplay) {
  const test::Folder folder;
  Running running(GetParam(), (folder.path / "live").string());
  running.session->opened(1);
  running.say(1, {{"type", "set"}, {"key", "materials.rubber.young"}, {"value", 3e5}});
  running.pull(1, 1, 3, {0.5, 0.3, 0});
  running.steps(4);
  running.say(1, {{"type", "record"}, {"on", true}});
  running.steps(2);
  running.pull(1, 2, 9, {0.2, 0.4, 0.2});
  running.steps(2);
  running.say(1, {{"type", "release"}, {"id", 1}});
  running.say(1, {{"type", "set"}, {"key", "gravity"}, {"value", {0, -20, 0}}});
  running.steps(2);
  running.say(1, {{"type", "method"}, {"name", "reduced"}});
  running.steps(2);
  running.say(1, {{"type", "record"}, {"on", false}});
  running.session->handle();
  EXPECT_TRUE(running.viewers.last(1, "error").is_null()) << running.viewers.last(1, "error");
  EXPECT_TRUE(std::filesystem::exists((folder.path / "live_1/report.html").string()));
  const Points end = running.simulation->state().x;
  EXPECT_TRUE(std::filesystem::exists((folder.path / "live_1/checkpoint.h5").string()));

  Scene scene = parse_scene(bar(GetParam()), ".");
  const std::shared_ptr<System> system = build_system(scene);
  const auto simulation = start_simulation(system, scene.initial, "bar");
  simulation->allow_changes(system);
  LiveReplay replay((folder.path / "live_1/script.json").string(), scene.completed, *simulation);
  EXPECT_EQ(replay.steps(), 8);
  for (int k = 0; k < 8; ++k) {
    replay.before_step();
    simulation->step();
  }
  EXPECT_EQ(simulation->state().x, end);

  // And who resumes goes on with settings, method and pulls as they were at the end, of the scene as it was at the
  // start.
  Scene anew = parse_scene(bar(GetParam()), ".");
  const std::shared_ptr<System> other = build_system(anew);
  const auto resumed = start_simulation(other, anew.initial, "bar");
  resumed->allow_changes(other);
  load_checkpoint((folder.path / "live_1/checkpoint.h5").string(), {anew.completed, ".", "", ""}, *resumed);
  EXPECT_EQ(other->setup.gravity, Vec3(0, -20, 0));
  EXPECT_EQ(other->pulls.size(), 1u);
  for (Simulation* one : {simulation.get(), resumed.get()})
    for (int k = 0; k < 2; ++k) one->step();
  EXPECT_EQ(resumed->state().x, simulation->state().x);
}

// Fibers, another set of parameters, values of tets, and the method that "auto" stands for are in recordings too.
TEST_P(Session, RecordingsReplayWholeMaterials) {
  const test::Folder folder;
  nlohmann::json content = bar(GetParam());
  content["materials"]["rubber"]["fiber"] = {{"stiffness", 1e5}, {"direction", {1, 0, 0}}};
  Running running(content, ".", GetParam(), (folder.path / "live").string());
  running.session->opened(1);
  running.steps(1);
  const Json settings = running.viewers.last(1, "state")["settings"];
  EXPECT_EQ(settings["materials.rubber.fiber.stiffness"]["value"], 1e5);
  EXPECT_EQ(settings["materials.rubber.fiber.direction"]["value"], Json({1, 0, 0}));
  const auto set = [&](const char* key, const Json& value) {
    running.say(1, {{"type", "set"}, {"key", key}, {"value", value}});
  };
  set("materials.rubber.fiber.stiffness", 3e5);
  set("materials.steel", {{"lambda", 1e6}, {"mu", 2e6}, {"fiber", {{"stiffness", 1e4}, {"direction", {0, 1, 0}}}}});
  running.steps(2);
  const Json changed = running.viewers.last(1, "state")["settings"];
  EXPECT_FALSE(changed.contains("materials.steel.young"));
  EXPECT_EQ(changed["materials.steel.mu"]["value"], 2e6);
  EXPECT_EQ(changed["materials.steel.fiber.stiffness"]["value"], 1e4);
  running.say(1, {{"type", "record"}, {"on", true}});
  running.steps(2);
  set("materials.rubber.fiber", nullptr);
  set("materials.steel.mu", 3e6);
  std::vector<double> young(200, 1e5);
  for (std::size_t t = 0; t < young.size(); t += 2) young[t] = 2e5;
  set("materials.rubber.young", young);
  running.steps(2);
  running.say(1, {{"type", "method"}, {"name", "auto"}});
  running.steps(2);
  EXPECT_EQ(running.viewers.last(1, "state")["method"], "newton");
  running.say(1, {{"type", "record"}, {"on", false}});
  running.session->handle();
  EXPECT_TRUE(running.viewers.last(1, "error").is_null()) << running.viewers.last(1, "error");
  const Points end = running.simulation->state().x;

  Scene scene = parse_scene(content, ".");
  const std::shared_ptr<System> system = build_system(scene);
  const auto simulation = start_simulation(system, scene.initial, "bar");
  simulation->allow_changes(system);
  LiveReplay replay((folder.path / "live_1/script.json").string(), scene.completed, *simulation);
  for (int k = 0; k < 6; ++k) {
    replay.before_step();
    simulation->step();
  }
  EXPECT_EQ(simulation->state().x, end);
}

INSTANTIATE_TEST_SUITE_P(Methods, Session, testing::Values("newton", "mixed", "reduced"));

// The bar with a material made of curves.
nlohmann::json drawn_bar(const std::string& method) {
  nlohmann::json scene = bar(method);
  scene["materials"]["rubber"] = nlohmann::json::parse(R"({"model": "spline", "density": 1000,
    "a": {"x": [0.4, 1, 2.5], "dy": [-1.2e5, 0, 3e5]}, "c": {"x": [0.5, 1, 2], "dy": [-1e5, 0, 2e5]}})");
  return scene;
}

Json curve_a(std::vector<double> x, std::vector<double> dy) {
  return {{"a", {{"x", std::move(x)}, {"dy", std::move(dy)}}}};
}

TEST(LiveCurves, AreToldWithTheirResponse) {
  Running running(drawn_bar("newton"), ".", "newton", "unused");
  running.session->opened(1);
  running.session->handle();
  const Json told = running.viewers.last(1, "curves");
  ASSERT_EQ(told["materials"].size(), 1u);
  const Json rubber = told["materials"]["rubber"];
  EXPECT_EQ(rubber["model"], "spline");
  EXPECT_EQ(rubber["rest"], "exact");
  ASSERT_EQ(rubber["curves"].size(), 3u);
  const Json &a = rubber["curves"][0], &b = rubber["curves"][1];
  EXPECT_EQ(a["name"], "a");
  EXPECT_EQ(a["required"], true);
  EXPECT_EQ(a["dy"]["unit"], "Pa");
  EXPECT_EQ(a["x"]["values"], Json({0.4, 1.0, 2.5}));
  EXPECT_EQ(a["dy"]["values"], Json({-1.2e5, 0.0, 3e5}));
  EXPECT_FALSE(b["x"].contains("values"));
  ASSERT_EQ(rubber["response"].size(), 3u);
  const Json& uniaxial = rubber["response"][0];
  EXPECT_EQ(uniaxial["experiment"], "uniaxial");
  EXPECT_NEAR(uniaxial["stretch"][0].get<double>(), 0.4, 1e-5);
  EXPECT_GT(uniaxial["stress"].back().get<double>(), 1e5);
  EXPECT_TRUE(rubber["measured"].empty());
  // Who comes later is told too, and nobody else again.
  const std::size_t before = running.viewers.texts[1].size();
  running.session->opened(2);
  running.session->handle();
  EXPECT_EQ(running.viewers.last(2, "curves"), told);
  EXPECT_EQ(running.viewers.texts[1].size(), before + 1);  // the state
}

TEST(LiveCurves, EditsActAndWrongOnesAreRefused) {
  Running running(drawn_bar("newton"), ".", "newton", "unused"), same(drawn_bar("newton"), ".", "newton", "unused");
  running.session->opened(1);
  const Json stiff = curve_a({0.4, 1, 2.5}, {-2e5, 0, 5e5});
  running.say(1, {{"type", "curves"}, {"material", "rubber"}, {"curves", stiff}});
  running.steps(3);
  EXPECT_TRUE(running.viewers.last(1, "error").is_null()) << running.viewers.last(1, "error");
  EXPECT_EQ(running.viewers.last(1, "curves")["materials"]["rubber"]["curves"][0]["dy"]["values"],
            Json({-2e5, 0.0, 5e5}));
  UserCurves curves;
  curves.points = {{"a", {{0.4, 1, 2.5}, {-2e5, 0, 5e5}}}, {"c", {{0.5, 1, 2}, {-1e5, 0, 2e5}}}};
  same.simulation->edit(CurvesEdit{"rubber", curves});
  same.steps(3);
  EXPECT_EQ(running.simulation->state().x, same.simulation->state().x);

  const std::tuple<Json, const char*, const char*> wrong[] = {
      {curve_a({0.4, 2.5, 1}, {-2e5, 0, 5e5}), "rubber", "the stretches must ascend"},
      {curve_a({0.4, 1, 2.5}, {-2e5, 1e3, 5e5}), "rubber", "a'(1) + 2 b'(1) + c'(1) is 1000 Pa"},
      {curve_a({0.4, 1, 2.5}, {2e5, 0, -5e5}), "rubber", "shear modulus at rest"},
      {curve_a({0.4, 1, 2.5}, {0, 1}), "rubber", "a.x has 3 values and a.dy has 2"},
      {{{"a", nullptr}}, "rubber", "missing curve a"},
      {{{"young", 1}}, "rubber", "materials.rubber.young: only the curves"},
      {stiff, "steel", "no material with curves; the scene has \"rubber\""},
      {Json::array({1}), "rubber", "curves: found [1]"},
      {{{"rest", "mend"}}, "rubber", "curves: found"},
  };
  const Json told = running.controls->drawn("rubber");
  for (const auto& [change, material, words] : wrong) {
    running.viewers.texts.clear();
    running.say(1, {{"type", "curves"}, {"material", material}, {"curves", change}});
    running.session->handle();
    const Json error = running.viewers.last(1, "error");
    ASSERT_FALSE(error.is_null()) << change;
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr(words));
    EXPECT_EQ(error["material"], material);
    EXPECT_EQ(running.controls->drawn("rubber"), told);
  }
  running.steps(1);
  same.steps(1);
  EXPECT_EQ(running.simulation->state().x, same.simulation->state().x);

  // On request the curve that holds the volume takes up the stress at rest; a curve may go.
  running.say(1, {{"type", "curves"}, {"material", "rubber"}, {"curves", std::get<0>(wrong[1])}, {"rest", "mend"}});
  running.session->handle();
  Json rubber = running.viewers.last(1, "curves")["materials"]["rubber"];
  EXPECT_EQ(rubber["rest"], "mend");
  EXPECT_EQ(rubber["curves"][2]["dy"]["values"], Json({-1.01e5, -1e3, 1.99e5}));
  running.say(1, {{"type", "curves"}, {"material", "rubber"}, {"curves", {{"c", nullptr}}}, {"rest", "mend"}});
  running.session->handle();
  rubber = running.viewers.last(1, "curves")["materials"]["rubber"];
  EXPECT_FALSE(rubber["curves"][2]["x"].contains("values"));
  EXPECT_EQ(rubber["curves"][0]["dy"]["values"], Json({-2.01e5, 0.0, 4.99e5}));
}

class LiveCurveMethods : public testing::TestWithParam<const char*> {};

TEST_P(LiveCurveMethods, RecordingsReplay) {
  const test::Folder folder;
  Running running(drawn_bar(GetParam()), ".", GetParam(), (folder.path / "live").string());
  const auto draw = [&](const Json& curves) {
    running.say(1, {{"type", "curves"}, {"material", "rubber"}, {"curves", curves}, {"rest", "mend"}});
  };
  running.session->opened(1);
  draw(curve_a({0.3, 1.1, 2.5}, {-2e5, 1e4, 5e5}));  // before the recording, and mended
  running.pull(1, 1, 3, {0.5, 0.3, 0});
  running.steps(3);
  running.say(1, {{"type", "record"}, {"on", true}});
  running.steps(2);
  draw({{"b", {{"x", {0.5, 1, 2}}, {"dy", {-1e3, 0, 1e3}}}}});
  running.steps(2);
  draw(curve_a({0.4, 0.9, 1, 2.5}, {-1e5, -1e4, 0, 4e5}));
  draw({{"b", nullptr}});
  running.steps(2);
  running.say(1, {{"type", "record"}, {"on", false}});
  running.session->handle();
  EXPECT_TRUE(running.viewers.last(1, "error").is_null()) << running.viewers.last(1, "error");

  Scene scene = parse_scene(drawn_bar(GetParam()), ".");
  const std::shared_ptr<System> system = build_system(scene);
  const auto simulation = start_simulation(system, scene.initial, "bar");
  simulation->allow_changes(system);
  LiveReplay replay((folder.path / "live_1/script.json").string(), scene.completed, *simulation);
  for (int k = 0; k < replay.steps(); ++k) {
    replay.before_step();
    simulation->step();
  }
  EXPECT_EQ(replay.steps(), 6);
  EXPECT_EQ(simulation->state().x, running.simulation->state().x);
}

INSTANTIATE_TEST_SUITE_P(Methods, LiveCurveMethods, testing::Values("newton", "mixed", "reduced"));

// Any model that was fitted is shown beside what was measured, and its residual follows its parameters.
TEST(LiveCurves, OfFittedMaterialsFollowTheirSliders) {
  const test::Folder folder;
  folder.write("rubber.csv", "0.8,-152500\n1,0\n1.5,211111.11\n2,350000\n");
  nlohmann::json content = bar("newton");
  content["materials"]["rubber"] = {{"from_data", {{"file", "rubber.csv"}, {"poisson", 0.45}}}};
  Running running(content, folder.path, "newton", "unused");
  running.session->opened(1);
  running.session->handle();
  const Json fitted = running.viewers.last(1, "curves")["materials"]["rubber"];
  EXPECT_FALSE(fitted.contains("curves"));
  ASSERT_EQ(fitted["response"].size(), 1u);
  EXPECT_LT(fitted["measured"][0]["rms"].get<double>(), 1);
  const double mu = running.controls->settings()["materials.rubber.mu"]["value"].get<double>();
  running.say(1, {{"type", "set"}, {"key", "materials.rubber.mu"}, {"value", 2 * mu}});
  running.session->handle();
  const Json softer = running.viewers.last(1, "curves")["materials"]["rubber"];
  EXPECT_GT(softer["measured"][0]["rms"].get<double>(), 1e5);
  EXPECT_EQ(softer["measured"][0]["stress"], fitted["measured"][0]["stress"]);
}

TEST(LiveSession, NonsenseIsRefusedInWords) {
  Running running("reduced");
  running.session->opened(1);
  running.session->handle();
  const std::string deep =
      R"({"type": "set", "key": "gravity", "value": )" + std::string(8000, '[') + std::string(8000, ']') + "}";
  const std::pair<const char*, const char*> bad[] = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {"[]", "expected an object"},
      {deep.c_str(), "levels deep"},
      {"{}", "type: is missing"},
      {R"({"type": 3})", "expected a text"},
      {R"({"type": "jump"})", "jump"},
      {R"({"type": "pull"})", "id: is missing"},
      {R"({"type": "pull", "id": -1})", "id"},
      {R"({"type": "pull", "id": 1e300})", "id"},
      {R"({"type": "pull", "id": 1, "object": 2})", "object: found 2"},
      {R"({"type": "pull", "id": 1, "object": 0, "vertex": 1000000})", "vertex"},
      {R"({"type": "pull", "id": 1, "object": 0, "vertex": 1, "target": [1, 2]})", "target"},
      {R"({"type": "pull", "id": 1, "object": 0, "vertex": 1, "target": [1, 2, 1e300]})", "target"},
      {R"({"type": "pull", "id": 1, "object": 0, "vertex": 1, "target": [1, 2, 3], "stiffness": "x"})", "stiffness"},
      {R"({"type": "set", "key": "materials.rubber.yuong", "value": 1})",
       "materials.rubber.yuong: model stable_neo_hookean has no such key; did you mean \"young\""},
      {R"({"type": "set", "key": "materials.rubber.young", "value": -1})", "young"},
      {R"({"type": "set", "key": "materials.rubber.young", "value": "soft"})", "finite number"},
      {R"({"type": "set", "key": "materials.rubber", "value": 3})", "materials.rubber: found 3"},
      {R"({"type": "set", "key": "materials.rubber", "value": {"young": 2e5, "density": 2}})", "density: found 2"},
      {R"({"type": "set", "key": "materials.rubber.fiber.stiffness", "value": 1})", "fiber.direction: is missing"},
      {R"({"type": "set", "key": "materials.rubber.fiber", "value": {"stiffness": 1, "direction": [0, 0, 0]}})",
       "length zero"},
      {R"({"type": "set", "key": "speed", "value": -1})", "speed: found -1"},
      {R"({"type": "pull", "id": 1, "object": 0, "vertex": 1, "target": [1, 2, 3], "stiffness": 0})", "stiffness"},
      {R"({"type": "set", "key": "gravity", "value": 3})", "gravity"},
      {R"({"type": "set", "key": "solver.iterations", "value": 1.5})", "whole number"},
      {R"({"type": "set", "key": "time.step", "value": 0})", "time.step"},
      {R"({"type": "method", "name": "magic"})", "magic"},
      {R"({"type": "pause"})", "on: is missing"},
      {R"({"type": "color", "field": "taste"})", "taste"},
      {R"({"type": "seen", "frame": -3})", "frame"},
  };
  const Points before = running.simulation->state().x;
  for (const auto& [text, part] : bad) {
    running.viewers.texts.clear();
    running.session->message(1, text);
    running.session->handle();
    const Json error = running.viewers.last(1, "error");
    EXPECT_THAT(error.value("message", "none"), HasSubstr(part)) << text;
    const Json message = Json::parse(text, nullptr, false);
    if (message.is_object() && message.contains("key") && text != deep) {
      EXPECT_EQ(error["key"], message["key"]);
    }
  }
  EXPECT_EQ(running.simulation->state().x, before);
  running.session->message(7, R"({"type": "reset"})");  // nobody
  running.steps(1);
}

TEST(LiveSession, SlowViewersGetFewerFramesAndFloodsAreCut) {
  Running running("reduced");
  running.session->opened(1);
  running.steps(20);
  EXPECT_EQ(running.viewers.frames[1].size(), 2u);  // none has been seen
  for (int k = 0; k < 5000; ++k) running.pull(1, k, 3, {0, 1, 0});
  running.session->handle();
  EXPECT_EQ(running.system->pulls.size(), 64u);
  EXPECT_THAT(running.viewers.last(1, "error").value("message", "none"), HasSubstr("Release one"));
  for (int k = 0; k < 300; ++k) running.say(1, {{"type", "step"}});
  running.session->handle();
  EXPECT_THAT(running.viewers.last(1, "error").value("message", "none"), HasSubstr("44 messages were dropped"));
  // The limit is that of viewers; a script beside them has none.
  for (int k = 0; k < 100; ++k) {
    LiveEvent event;
    event.action = LiveAction::pull;
    event.id = event.vertex = k;
    running.controls->apply(event);
  }
  EXPECT_EQ(running.system->pulls.size(), 164u);
  running.pull(1, 3, 3, {0, 2, 0});  // one that is held moves
  running.viewers.texts.clear();
  running.steps(1);
  EXPECT_TRUE(running.viewers.last(1, "error").is_null());
}

// While a step takes long its viewers learn that their messages wait, once, and that they do no more.
TEST(LiveSession, MessagesThatWaitAreTold) {
  Running running("reduced");
  running.session->opened(1);
  running.session->opened(2);
  running.session->handle();
  running.say(1, {{"type", "set"}, {"key", "gravity"}, {"value", {0, -1, 0}}});
  running.say(2, {{"type", "seen"}, {"frame", 0}});
  running.session->tell_waiting();
  EXPECT_TRUE(running.viewers.last(1, "waiting").is_null());
  running.time += std::chrono::milliseconds(500);
  running.session->tell_waiting();
  EXPECT_THAT(running.viewers.last(1, "waiting")["message"].get<std::string>(),
              HasSubstr("your request takes effect after it"));
  EXPECT_TRUE(running.viewers.last(2, "waiting").is_null());
  const std::size_t texts = running.viewers.texts[1].size();
  running.session->tell_waiting();
  EXPECT_EQ(running.viewers.texts[1].size(), texts);
  running.session->handle();
  EXPECT_TRUE(running.viewers.last(1, "waiting")["message"].is_null());
  EXPECT_EQ(running.system->setup.gravity, Vec3(0, -1, 0));
}

// A drag during one long step: its release comes after more places than wait.
TEST(LiveSession, TheReleaseOfALongDragIsNotLost) {
  Running running("reduced");
  running.session->opened(1);
  running.steps(1);
  for (int k = 0; k < 1000; ++k) running.pull(1, 1, 3, {0, 0.001 * k, 0});
  running.session->handle();
  EXPECT_EQ(running.system->pulls.size(), 1u);
  EXPECT_NEAR(running.controls->pulls().at(0).target[1], 0.999, 1e-12);
  for (int k = 0; k < 1000; ++k) running.pull(1, 1, 3, {0, 1, 0});
  running.say(1, {{"type", "release"}, {"id", 1}});
  running.session->handle();
  EXPECT_EQ(running.system->pulls.size(), 0u);
}

// A step that lasts longer than anybody waits does not keep the next one from coming when it is made short again.
TEST(LiveSession, GoesOnAfterAStepOfYears) {
  Running running("reduced");
  running.by_the_wall = true;
  running.session->opened(1);
  running.say(1, {{"type", "set"}, {"key", "speed"}, {"value", 1}});
  running.say(1, {{"type", "set"}, {"key", "time.step"}, {"value", 1e9}});
  std::thread others([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    running.say(1, {{"type", "set"}, {"key", "time.step"}, {"value", 1e-3}});
  });
  running.session->run([&] { return running.simulation->clock().step >= 5; });
  others.join();
  EXPECT_GE(running.simulation->clock().step, 5);
}

TEST(LiveSession, FieldsComeWithFrames) {
  for (const char* method : {"newton", "mixed"}) {
    Running running(method);
    running.session->opened(1);
    running.say(1, {{"type", "color"}, {"field", "displacement"}});
    running.steps(1);
    const std::string& frame = running.viewers.frames[1].back();
    EXPECT_EQ(number_at<std::uint32_t>(frame, 32), 2u);
    const std::size_t vertices = 11 * 9 - 9 * 1 + 26;  // of the surfaces of both boxes
    EXPECT_GT(frame.size(), 40 + 48 + 2 * vertices);
    running.say(1, {{"type", "color"}, {"field", "taste"}});  // which is refused, and changes nothing
    running.steps(1);
    EXPECT_EQ(number_at<std::uint32_t>(running.viewers.frames[1].back(), 32), 2u);
  }
}

TEST(Live, ClothIsShownPulledAndChanged) {
  nlohmann::json scene = bar("newton");
  scene["bodies"][1] = {{"name", "cloth"},
                        {"mesh", {{"sheet", {{"size", {1, 0.5}}, {"cells", {6, 3}}}}}},
                        {"material", {{"model", "mass_spring"}, {"thickness", 1e-3}, {"bending", 0.1}}},
                        {"transform", {{"translate", {0, 0.6, 0}}}}};
  Running running(scene, ".", "newton", "unused");
  running.session->opened(1);
  running.steps(1);
  const Json settings = running.viewers.last(1, "state")["settings"];
  EXPECT_TRUE(settings.contains("materials.cloth.young"));
  EXPECT_TRUE(settings.contains("materials.cloth.bending"));
  EXPECT_FALSE(settings.contains("materials.cloth.thickness"));
  const double before = running.system->edge_springs[0].stiffness;
  running.say(1, {{"type", "set"}, {"key", "materials.cloth.young"}, {"value", 2e6}});
  running.say(1, {{"type", "pull"}, {"id", 1}, {"object", 1}, {"vertex", 0}, {"target", {0.5, 1, 0}}});
  running.steps(2);
  EXPECT_NEAR(running.system->edge_springs[0].stiffness, 2 * before, 1e-9 * before);
  EXPECT_GT(running.simulation->energies().springs, 0);
  EXPECT_TRUE(running.viewers.last(1, "error").is_null()) << running.viewers.last(1, "error");
  running.say(1, {{"type", "method"}, {"name", "multilevel"}});
  running.steps(1);
  EXPECT_THAT(running.viewers.last(1, "error").dump(), HasSubstr("mass_spring"));
}

}  // namespace
}  // namespace sinew
