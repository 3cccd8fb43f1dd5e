#include "sinew/app/progress.h"

#include <gmock/gmock.h>

#include "sinew/core/log.h"

namespace sinew::app {
namespace {

using testing::HasSubstr;

std::string told(ProgressStyle style, double every, double assembly_seconds = 0) {
  log::set_threshold(log::Level::info);  // another test may have left a higher one
  TimeSplit seconds;
  seconds.steps = seconds.assembly = assembly_seconds;
  testing::internal::CaptureStderr();
  {
    Progress progress(10, 14, style, every);
    for (int step = 11; step <= 14; ++step) progress.update(step, seconds);
  }
  return testing::internal::GetCapturedStderr();
}

TEST(Progress, ALogGetsPlainLines) {
  const std::string text = told(ProgressStyle::lines, 0, 2);
  EXPECT_THAT(text, HasSubstr("step 11 of 14, 0:00 left; assembly 100 %, linear solve 0 %"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_EQ(text.find_first_of("\r\033"), std::string::npos);
}

TEST(Progress, NoTimesNoSplit) {
  EXPECT_THAT(told(ProgressStyle::lines, 0), HasSubstr("step 11 of 14, 0:00 left\n"));
}

TEST(Progress, LinesComeNowAndThen) {
  EXPECT_EQ(told(ProgressStyle::lines, 3600), "");
  EXPECT_EQ(told(ProgressStyle::none, 0), "");
}

TEST(Progress, ATerminalGetsALineThatChanges) {
  const std::string text = told(ProgressStyle::bar, 0);
  EXPECT_THAT(text, HasSubstr("step 12/14, "));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0);
  EXPECT_THAT(text, testing::EndsWith("\r\033[K"));
}

// Of what is prepared before a run; the stream of a test is no terminal.
TEST(Progress, ALogGetsALineOfPreparationsNowAndThen) {
  testing::internal::CaptureStderr();
  const auto often = changing_line(0), seldom = changing_line(3600);
  for (const char* text : {"making clusters", "making rules", ""}) {
    often(text);
    seldom(text);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "making clusters\nmaking rules\n");
}

}  // namespace
}  // namespace sinew::app
