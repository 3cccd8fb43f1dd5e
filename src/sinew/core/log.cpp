#include "sinew/core/log.h"

#include <mutex>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace sinew::log {
namespace {

struct State {
  std::mutex mutex;
  Level threshold = Level::info;
  Sink sink;
  std::shared_ptr<spdlog::logger> stderr_logger;
};

State& state() {
  static State instance;
  return instance;
}

spdlog::level::level_enum spd_level(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

}  // namespace

void set_threshold(Level level) {
  std::lock_guard lock(state().mutex);
  state().threshold = level;
}

void set_sink(Sink sink) {
  std::lock_guard lock(state().mutex);
  state().sink = std::move(sink);
}

void message(Level level, std::string_view text) {
  State& s = state();
  std::lock_guard lock(s.mutex);
  if (level < s.threshold) return;
  if (s.sink) return s.sink(level, text);
  if (!s.stderr_logger) {
    s.stderr_logger =
        std::make_shared<spdlog::logger>("sinew", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    s.stderr_logger->set_pattern("%^%l%$: %v");
    s.stderr_logger->set_level(spdlog::level::trace);
  }
  s.stderr_logger->log(spd_level(level), text);
}

}  // namespace sinew::log
