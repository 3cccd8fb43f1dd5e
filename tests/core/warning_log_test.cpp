#include "sinew/core/warning_log.h"

#include <gmock/gmock.h>

#include "sinew/core/log.h"

namespace sinew {
namespace {

TEST(WarningLog, KeepsWarningsOfItsLifetimeWhateverIsPrinted) {
  std::string printed;
  log::set_sink([&](log::Level, std::string_view text) { printed += text; });
  log::set_threshold(log::Level::error);
  log::warning("before");
  {
    const log::WarningLog outer;
    log::warning("one {}", 1);
    log::info("not a warning");
    const log::WarningLog inner;
    log::warning("two");
    EXPECT_THAT(outer.warnings(), testing::ElementsAre("one 1", "two"));
    EXPECT_THAT(inner.warnings(), testing::ElementsAre("two"));
  }
  log::warning("after");
  EXPECT_EQ(printed, "");
  log::set_threshold(log::Level::info);
  log::set_sink({});
}

}  // namespace
}  // namespace sinew
