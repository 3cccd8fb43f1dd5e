// What viewers are told, without a simulation.
#include "sinew/live/texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct ToldTexts : LiveOutput {
  void send(int client, std::shared_ptr<const std::string> text) override {
    told.push_back(std::to_string(client) + " " + *text);
  }
  void set_frame(int, std::shared_ptr<const std::string>) override { FAIL() << "texts send no frames"; }

  std::vector<std::string> said() { return std::exchange(told, {}); }

  WallClock::time_point time{1h};
  std::vector<std::string> told;
  LiveTexts texts{*this, [this] { return time; }};
};

TEST(LiveTexts, GoToOneOrToAllThatAreThere) {
  ToldTexts told;
  told.texts.open(4);
  told.texts.open(2);
  EXPECT_THAT(told.said(), ElementsAre(R"(4 {"type":"hello","version":1,"client":4})",
                                       R"(2 {"type":"hello","version":1,"client":2})"));
  told.texts.send_state({{"type", "state"}});
  EXPECT_THAT(told.said(), ElementsAre(R"(2 {"type":"state"})", R"(4 {"type":"state"})"));
  EXPECT_TRUE(told.texts.close(2));
  EXPECT_FALSE(told.texts.close(2));
  told.texts.send_error("no");
  EXPECT_THAT(told.said(), ElementsAre(R"(4 {"type":"error","message":"no"})"));
  told.texts.send_waiting(4);
  told.texts.end_waiting(4);
  EXPECT_EQ(told.said().back(), R"(4 {"type":"waiting","message":null})");
}

TEST(LiveTexts, RefusalsSayWhatTheyAreAbout) {
  ToldTexts told;
  told.texts.open(1);
  told.said();
  told.texts.refuse(1, R"({"type": "set", "key": "gravity", "id": [3]})", "no");
  told.texts.refuse(1, R"({"type": "method", "name": "x"})", "no");
  told.texts.refuse(1, "nonsense", "no");
  told.texts.refuse_curves(1, "rubber", "no");
  EXPECT_THAT(told.said(),
              ElementsAre(R"(1 {"type":"error","message":"no","key":"gravity"})",
                          R"(1 {"type":"error","message":"no","key":"method"})", R"(1 {"type":"error","message":"no"})",
                          R"(1 {"type":"error","material":"rubber","message":"no"})"));
}

TEST(LiveTexts, RowsAreCollected) {
  ToldTexts told;
  told.texts.open(1);
  told.said();
  told.texts.send_rows(1);
  EXPECT_TRUE(told.said().empty());
  told.texts.add_row({{"step", 1}});
  told.texts.send_rows(0.5);
  EXPECT_THAT(told.said(), ElementsAre(R"(1 {"type":"rows","rate":0.5,"rows":[{"step":1}]})"));
  for (int k = 2; k < 400; ++k) told.texts.add_row({{"step", k}});
  told.time += 10ms;
  told.texts.send_rows(1);
  EXPECT_TRUE(told.said().empty());  // not yet
  told.time += 50ms;
  told.texts.send_rows(1);
  const std::vector<std::string> said = told.said();
  ASSERT_EQ(said.size(), 1u);
  const Json rows = Json::parse(said[0].substr(2))["rows"];
  EXPECT_EQ(rows.size(), 256u);  // the newest
  EXPECT_EQ(rows.back()["step"], 399);
}

}  // namespace
}  // namespace sinew
