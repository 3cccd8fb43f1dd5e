#include "sinew/app/progress.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sinew/core/activity.h"
#include "sinew/core/log.h"

namespace sinew::app {
namespace {

constexpr int bar_width = 24;

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// In front of a message.
const char* label(log::Level level) {
  return level == log::Level::error ? "error: " : level == log::Level::warning ? "warning: " : "";
}

}  // namespace

std::string time_split_text(const TimeSplit& s) {
  std::vector<std::pair<double, std::string_view>> parts{{s.linear_solve, "linear solve"},
                                                         {s.assembly, "assembly"},
                                                         {s.collision, "collision"},
                                                         {s.line_search, "line search"},
                                                         {s.output, "output"}};
  std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [seconds, name] : parts) {
    const double percent = s.steps > 0 ? 100 * seconds / s.steps : 0;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name, percent);
  }
  return text;
}

std::function<void(const std::string&)> changing_line(double every) {
  if (Progress::style_of_stderr() == ProgressStyle::bar) {
    return [](const std::string& text) {
      fmt::print(stderr, "\r\033[K{}", text);
      std::fflush(stderr);
    };
  }
  return [every, watch = Stopwatch(), told = 0.0](const std::string& text) mutable {
    if (text.empty() || watch.seconds() - told < every) return;
    told = watch.seconds();
    log::info("{}", text);
  };
}

ProgressStyle Progress::style_of_stderr(bool quiet) {
  if (quiet) return ProgressStyle::none;
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::bar : ProgressStyle::lines;
}

Progress::Progress(int first, int last, ProgressStyle style, double every)
    : first_(first), last_(last), style_(style), every_(every) {
  if (style_ != ProgressStyle::bar) return;
  log::set_sink([this](log::Level level, std::string_view text) {
    erase();
    fmt::print(stderr, "{}{}\n", label(level), text);
    draw();
  });
}

Progress::~Progress() {
  if (style_ != ProgressStyle::bar) return;
  log::set_sink({});
  erase();
}

void Progress::update(int step, const TimeSplit& seconds, const RunTotals& totals) {
  if (style_ == ProgressStyle::none) return;
  const int total = std::max(1, last_ - first_), done = step - first_;
  const double now = watch_.seconds(), left = done > 0 ? now / done * (last_ - step) : 0;
  std::string numbers = duration_text(left) + " left";
  if (totals.failed() > 0) numbers += fmt::format("; {} failed", totals.failed());
  if (totals.budget() > 0) numbers += fmt::format("; {} at the budget", totals.budget());
  if (seconds.steps > 0) numbers += "; " + time_split_text(seconds);
  if (style_ == ProgressStyle::lines) {
    if (now - told_ < every_) return;
    told_ = now;
    log::info("step {} of {}, {}", step, last_, numbers);
    return;
  }
  const int filled = std::clamp(bar_width * done / total, 0, bar_width);
  line_ = fmt::format("[{:#<{}}{:.<{}}] step {}/{}, {}", "", filled, "", bar_width - filled, step, last_, numbers);
  const std::size_t width = static_cast<std::size_t>(terminal_width() - 1);
  if (line_.size() > width) line_.resize(width);
  erase();
  draw();
}

void Progress::draw() const {
  std::fputs(line_.c_str(), stderr);
  std::fflush(stderr);
}

void Progress::erase() const {
  std::fputs("\r\033[K", stderr);
}

}  // namespace sinew::app
