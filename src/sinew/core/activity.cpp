#include "sinew/core/activity.h"

#include <mutex>
#include <utility>

#include "sinew/core/timer.h"

namespace sinew::activity {
namespace {

constexpr double between_lines = 0.1;  // [s]

struct State {
  std::mutex mutex;
  Listener listener;
  std::string what;
  long parts = 0, done = 0;
  Stopwatch since_line;

  void tell(const std::string& line) {
    since_line.restart();
    if (listener.progress) listener.progress(line);
  }
  void check() const {
    if (listener.interrupted && listener.interrupted()) throw Interrupted("interrupted while making " + what);
  }
  std::string line() const {
    return parts > 0 && done > 0 ? fmt::format("making {}: {} of {}", what, done, parts)
                                 : fmt::format("making {} ...", what);
  }
};

State& state() {
  static State instance;
  return instance;
}

}  // namespace

Listening::Listening(Listener listener) {
  const std::lock_guard lock(state().mutex);
  before_ = std::exchange(state().listener, std::move(listener));
}

Listening::~Listening() {
  finish();
  const std::lock_guard lock(state().mutex);
  state().listener = std::move(before_);
}

void begin(const std::string& what, long parts) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.what = what;
  s.parts = parts;
  s.done = 0;
  s.check();
  s.tell(s.line());
}

void advance() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.what.empty()) return;
  ++s.done;
  s.check();
  if (s.since_line.seconds() >= between_lines) s.tell(s.line());
}

void finish() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.what.empty()) return;
  s.what.clear();
  s.tell("");
}

}  // namespace sinew::activity
