#include "sinew/core/log.h"

#include <algorithm>
#include <mutex>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "sinew/core/warning_log.h"

namespace sinew::log {

struct WarningLogAccess {
  static void add(WarningLog& log, std::string_view text) { log.warnings_.emplace_back(text); }
};

namespace {

struct LogState {
  std::mutex mutex;
  Level threshold = Level::info;
  Sink sink;
  std::shared_ptr<spdlog::logger> stderr_logger;
  std::vector<WarningLog*> collectors;
};

LogState& log_state() {
  static LogState instance;
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
  std::lock_guard lock(log_state().mutex);
  log_state().threshold = level;
}

void set_sink(Sink sink) {
  std::lock_guard lock(log_state().mutex);
  log_state().sink = std::move(sink);
}

void write(Level level, std::string_view text) {
  LogState& s = log_state();
  if (!s.stderr_logger) {
    s.stderr_logger =
        std::make_shared<spdlog::logger>("sinew", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    s.stderr_logger->set_level(spdlog::level::trace);
  }
  s.stderr_logger->set_pattern(level >= Level::warning ? "%^%l%$: %v" : "%v");
  s.stderr_logger->log(spd_level(level), text);
}

void message(Level level, std::string_view text) {
  LogState& s = log_state();
  std::lock_guard lock(s.mutex);
  if (level == Level::warning) {
    for (WarningLog* collector : s.collectors) WarningLogAccess::add(*collector, text);
  }
  if (level < s.threshold) return;
  if (s.sink) return s.sink(level, text);
  write(level, text);
}

WarningLog::WarningLog() {
  std::lock_guard lock(log_state().mutex);
  log_state().collectors.push_back(this);
}

WarningLog::~WarningLog() {
  std::lock_guard lock(log_state().mutex);
  std::erase(log_state().collectors, this);
}

std::vector<std::string> WarningLog::warnings() const {
  std::lock_guard lock(log_state().mutex);
  return warnings_;
}

}  // namespace sinew::log
