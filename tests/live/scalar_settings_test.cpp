// Each row of the table of numbers that may change between steps reaches the schema, live sessions, recordings and
// checkpoints; tests/python/scalar_setters_test.py shows the same of Python and the documents.
#include <cmath>

#include "support/folder.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/initial_state.h"
#include "sinew/live/controls.h"
#include "sinew/model/live_scalars.h"
#include "sinew/scene/scene.h"
#include "sinew/scene/schema.h"

namespace sinew {
namespace {

// A block that slides, of a method that reads all rows.
nlohmann::json sliding_block() {
  return nlohmann::json::parse(R"({
    "gravity": [1, -8, 2], "time": {"step": 0.004, "steps": 20},
    "bodies": [{"name": "block", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}, "velocity": [1, 0, 0]}],
    "obstacles": [{"name": "floor", "plane": {"point": [0, -0.0505, 0], "normal": [0, 1, 0]}}],
    "contact": {"distance": 1e-3, "friction": 0.3}, "solver": {"method": "quasi_newton", "iterations": 8}})");
}

struct LiveBlock {
  Scene scene;
  std::shared_ptr<System> system;
  std::unique_ptr<Simulation> simulation;
  LiveControls controls;

  explicit LiveBlock(const nlohmann::json& content)
      : scene(parse_scene(content, ".")),
        system(build_system(scene)),
        simulation(start_simulation(system, scene.initial, "block")),
        controls(scene.completed, *simulation) {
    simulation->allow_changes(system);
  }

  std::vector<double> value(const LiveScalar& scalar) const { return scalar.get(*system); }
};

Json json_of(const std::vector<double>& value) {
  return value.size() > 1 ? Json(value) : Json(value[0]);
}

std::vector<double> halved(const LiveScalar& scalar, std::vector<double> value) {
  for (double& number : value) number = scalar.whole ? std::floor(number / 2) : number / 2;
  return value;
}

LiveEvent set_event(const LiveScalar& scalar, const Json& value) {
  LiveEvent event;
  event.action = LiveAction::set;
  event.key = scalar.key;
  event.value = value;
  return event;
}

class LiveScalars : public testing::TestWithParam<std::string> {
 protected:
  const LiveScalar& scalar = *find_live_scalar(GetParam());
};

TEST_P(LiveScalars, AreInTheSchema) {
  const Json* key = &scene_schema();
  std::string rest = scalar.key;
  while (!rest.empty()) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    ASSERT_TRUE(key->at("properties").contains(rest.substr(0, dot))) << scalar.key;
    key = &key->at("properties").at(rest.substr(0, dot));
    rest.erase(0, dot + 1);
  }
  EXPECT_EQ(key->value("title", ""), scalar.title);
  EXPECT_EQ(key->value("description", ""), scalar.text);
  EXPECT_EQ(key->value("x-unit", ""), scalar.unit);
  EXPECT_EQ(key->at("x-live").at("set"), scalar.name);
  // Scenes have the bounds of edits.
  LiveBlock block(sliding_block());
  const std::vector<double> start = block.value(scalar);
  for (const double beyond : {std::nextafter(scalar.least, -1e300) - scalar.whole, scalar.most * 2}) {
    std::vector<double> value = start;
    value.back() = beyond;
    EXPECT_THROW(block.simulation->edit(ScalarEdit{scalar.key, value}), InputError) << beyond;
    nlohmann::json content = sliding_block();
    std::string place = std::string("/") + scalar.key;
    std::ranges::replace(place, '.', '/');
    content[nlohmann::json::json_pointer(place)] = json_of(value);
    EXPECT_THROW(parse_scene(content, "."), InputError) << beyond;
  }
  EXPECT_EQ(block.value(scalar), start);
}

TEST_P(LiveScalars, AreSettingsThatAct) {
  LiveBlock block(sliding_block()), same(sliding_block());
  const std::vector<double> start = block.value(scalar), next = halved(scalar, start);
  ASSERT_NE(start, next);
  const Json shown = block.controls.settings().at(scalar.key);
  EXPECT_EQ(shown["value"], json_of(start));
  EXPECT_EQ(shown["unit"], scalar.unit);
  EXPECT_EQ(shown["whole"], scalar.whole);
  EXPECT_LT(shown["least"], shown["most"]);
  EXPECT_TRUE(block.controls.all().empty());

  LiveEvent event = set_event(scalar, json_of(next));
  block.controls.apply(event);
  EXPECT_EQ(block.value(scalar), next);
  EXPECT_EQ(block.controls.settings().at(scalar.key)["value"], json_of(next));
  // The completed scene and the events of a recording say what was changed.
  EXPECT_EQ(LiveBlock(nlohmann::json::parse(block.controls.completed().dump())).value(scalar), next);
  const std::vector<LiveEvent> events = block.controls.all();
  ASSERT_EQ(events.size(), 1u);
  LiveEvent again = events[0];
  same.controls.apply(again);
  EXPECT_EQ(same.value(scalar), next);
  // The change matters.
  LiveBlock before(sliding_block());
  for (LiveBlock* one : {&block, &same, &before})
    for (int k = 0; k < 3; ++k) one->simulation->step();
  EXPECT_EQ(block.simulation->state().x, same.simulation->state().x);
  EXPECT_NE(block.simulation->state().x, before.simulation->state().x);

  for (const Json& wrong : {Json("much"), Json(nullptr), Json::array({1, 2}), Json(std::nan(""))}) {
    LiveEvent bad = set_event(scalar, wrong);
    EXPECT_THROW(block.controls.apply(bad), InputError) << wrong;
  }
  EXPECT_EQ(block.value(scalar), next);
}

TEST_P(LiveScalars, AreInCheckpoints) {
  LiveBlock block(sliding_block()), loaded(sliding_block());
  const std::vector<double> next = halved(scalar, block.value(scalar));
  block.simulation->edit(ScalarEdit{scalar.key, next});
  block.simulation->step();
  const test::Folder folder;
  const std::string path = (folder.path / "state.h5").string();
  write_checkpoint(path, {block.scene.completed, ".", "", ""}, *block.simulation);
  load_checkpoint(path, {loaded.scene.completed, ".", "", ""}, *loaded.simulation);
  EXPECT_EQ(loaded.value(scalar), next);
  // Controls that come later follow.
  LiveControls later(loaded.scene.completed, *loaded.simulation);
  EXPECT_EQ(later.value(scalar.key), json_of(next));
  EXPECT_EQ(later.all().size(), 1u);
  for (LiveBlock* one : {&block, &loaded}) one->simulation->step();
  EXPECT_EQ(block.simulation->state().x, loaded.simulation->state().x);
}

std::vector<std::string> keys() {
  std::vector<std::string> all;
  for (const LiveScalar& scalar : live_scalars()) all.emplace_back(scalar.key);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Rows, LiveScalars, testing::ValuesIn(keys()),
                         [](const auto& info) { return std::string(find_live_scalar(info.param)->name); });

TEST(LiveScalarsOfStatics, HaveNoTimeStep) {
  nlohmann::json content = sliding_block();
  content["bodies"][0].erase("velocity");
  content["bodies"][0]["fix"] = nlohmann::json::array({"all"});
  content["time"] = {{"mode", "static"}, {"steps", 2}};
  content["solver"] = {{"method", "newton"}};
  content["contact"]["enabled"] = false;
  LiveBlock block(content);
  const Json settings = block.controls.settings();
  EXPECT_TRUE(settings.contains("gravity"));
  for (const char* key : {"time.step", "contact.friction", "solver.iterations"}) EXPECT_FALSE(settings.contains(key));
  EXPECT_THROW(block.simulation->edit(ScalarEdit{"time.step", {0.1}}), InputError);
  EXPECT_THROW(block.simulation->edit(ScalarEdit{"contact.distance", {0.1}}), InputError);
}

}  // namespace
}  // namespace sinew
