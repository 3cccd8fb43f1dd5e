#include "sinew/scene/json_text.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, ShortValuesStayOnOneLine) {
  const Json value = {
      {"name", "a \"b\""}, {"gravity", {0, -9.81, 0}}, {"time", {{"step", 0.01}}}, {"none", Json::array()}};
  EXPECT_EQ(json_text(value),
            "{\n"
            "  \"name\": \"a \\\"b\\\"\",\n"
            "  \"gravity\": [0, -9.81, 0],\n"
            "  \"time\": {\"step\": 0.01},\n"
            "  \"none\": []\n"
            "}");
  EXPECT_EQ(json_text(Json::object()), "{}");
  EXPECT_EQ(json_text(3), "3");
}

TEST(JsonText, WideOnesAreSpread) {
  const Json value = {{"ids", {100, 101, 102, 103, 104}}, {"pairs", {{{"one", 1}, {"other", 20}}, {{"one", 3}}}}};
  EXPECT_EQ(json_text(value, 22),
            "{\n"
            "  \"ids\": [\n"
            "    100, 101, 102,\n"
            "    103, 104\n"
            "  ],\n"
            "  \"pairs\": [\n"
            "    {\n"
            "      \"one\": 1,\n"
            "      \"other\": 20\n"
            "    },\n"
            "    {\"one\": 3}\n"
            "  ]\n"
            "}");
}

TEST(JsonText, IsTheSameValue) {
  const Json value = {{"a", {1e-300, 0.1, nullptr, true, {{"b", {{"c", std::string(200, 'x')}}}}}}, {"ü", "\n"}};
  for (const std::size_t width : {1, 20, 100}) EXPECT_EQ(Json::parse(json_text(value, width)), value);
}

}  // namespace
}  // namespace sinew
