// Messages to stderr. A library user can silence or redirect them; warnings are also collected for the summary.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace sinew::log {

enum class Level { debug, info, warning, error };

// Receives every message at or above the threshold; the default writes to stderr.
using Sink = std::function<void(Level, std::string_view)>;

void set_threshold(Level level);
void set_sink(Sink sink);  // empty: back to stderr
void message(Level level, std::string_view text);

// Writes a message as without a sink, for sinks that pass some messages on. Only from within a sink.
void write(Level level, std::string_view text);

template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  message(Level::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  message(Level::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  message(Level::warning, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace sinew::log
