// `sinew check` on the scene of CommandTest.
#pragma once

#include <string>
#include <vector>

#include "app/command.h"
#include <gmock/gmock.h>

namespace sinew::check_test {

using Json = nlohmann::json;

class Check : public test::CommandTest {
 protected:
  test::CommandResult check(const std::vector<std::string>& more = {}) {
    save();
    std::vector<std::string> arguments{"check", scene_path_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::sinew(arguments);
  }
  // All findings, as machines read them.
  Json findings() {
    const auto result = check({"--json", "-"});
    return Json::parse(result.out)["findings"];
  }
  // Those of one kind.
  std::vector<Json> of_kind(const std::string& kind) {
    std::vector<Json> found;
    for (const Json& f : findings())
      if (f["kind"] == kind) found.push_back(f);
    return found;
  }
  void expect_one(const std::string& kind, const std::string& severity, const std::string& word) {
    const std::vector<Json> found = of_kind(kind);
    ASSERT_EQ(found.size(), 1u) << kind << ": " << Json(found).dump(1);
    EXPECT_EQ(found[0]["severity"], severity);
    EXPECT_THAT(found[0]["message"].get<std::string>(), testing::HasSubstr(word));
    EXPECT_THAT(check().out, testing::HasSubstr("\n" + kind + ": "));
  }
};

}  // namespace sinew::check_test
