// Messages to stderr. A program that uses the library can silence or redirect them. Warnings are also collected for the
// summary.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace sinew::log {

enum class Level { debug, info, warning, error };

// Receives every message at or above the threshold. The default sink writes to stderr.
using Sink = std::function<void(Level, std::string_view)>;

void set_threshold(Level level);
void set_sink(Sink sink);  // empty: the default sink
void message(Level level, std::string_view text);

// Writes a message to stderr. For sinks that pass some messages on; call it only from within a sink.
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
