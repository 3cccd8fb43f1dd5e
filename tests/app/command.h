// Runs the command line inside the test's process, and gives it scenes to work on.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "../io/sample_scene.h"
#include "support/grids.h"
#include <gtest/gtest.h>

#include "sinew/app/cli.h"
#include "sinew/core/log.h"

namespace sinew::test {

struct CommandResult {
  int code = 0;
  std::string out, err;  // without the codes of messages
  std::string codes;     // "E-usage "
};

// Moves the codes of messages, which end lines, to `codes`.
inline std::string without_codes(const std::string& text, std::string& codes) {
  static const std::regex code(R"( \[([EWC]-[a-z-]+)\](?=\n|$))");
  for (std::sregex_iterator match(text.begin(), text.end(), code), end; match != end; ++match)
    codes += (*match)[1].str() + " ";
  return std::regex_replace(text, code, "");
}

inline CommandResult sinew(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv{"sinew"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  log::set_threshold(log::Level::info);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  CommandResult result;
  result.code = app::run_cli(static_cast<int>(argv.size()), argv.data());
  result.out = without_codes(testing::internal::GetCapturedStdout(), result.codes);
  result.err = without_codes(testing::internal::GetCapturedStderr(), result.codes);
  return result;
}

class CommandTest : public FolderTest {
 protected:
  void SetUp() override { save(); }
  void save() { scene_path_ = write("scene.json", scene_.dump(2)); }
  nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(slurp(folder_ / name)); }

  nlohmann::json scene_ = sample_scene();
  std::string scene_path_;

 private:
  const Variable cache_{"XDG_CACHE_HOME", path("cache")};
};

}  // namespace sinew::test
