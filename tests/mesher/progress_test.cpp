#include "progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::mesher {
namespace {

using ::testing::HasSubstr;
using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

constexpr double now_and_then = 1e9;  // [s]

TEST(ProgressLine, plain_lines_where_there_is_no_terminal) {
  CaptureStderr();
  {
    ProgressLine line(false, false, 0);
    line.function()("refining", 12);
    line.function()("improving", 34);
  }
  const std::string text = GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("refining: 12 tets, 0 s\nimproving: 34 tets"));
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(ProgressLine, no_plain_line_before_its_time) {
  CaptureStderr();
  {
    ProgressLine line(false, false, now_and_then);
    line.function()("refining", 12);
  }
  EXPECT_EQ(GetCapturedStderr(), "");
}

TEST(ProgressLine, a_terminal_sees_each_stage_at_once) {
  CaptureStderr();
  {
    ProgressLine line(false, true, now_and_then);
    line.function()("refining", 12);
    line.function()("refining", 13);
  }
  const std::string text = GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("\r\033[Krefining: 12 tets"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("13 tets")));
}

TEST(ProgressLine, quiet_is_silent) {
  EXPECT_FALSE(ProgressLine(true, true, 0).function());
}

}  // namespace
}  // namespace sinew::mesher
