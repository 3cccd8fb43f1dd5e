#include "sinew/core/activity.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "sinew/core/timer.h"

namespace sinew::activity {
namespace {

constexpr double between_lines = 0.1;  // [s]

struct ActivityState {
  std::mutex mutex;
  Listener listener;
  std::string what;
  long parts = 0, done = 0;
  Stopwatch since_begin, since_line;

  void tell(const std::string& line) {
    since_line.restart();
    if (listener.progress) listener.progress(line);
  }
  void check() const {
    if (listener.interrupted && listener.interrupted()) throw Interrupted("interrupted while making " + what);
  }
  std::string line() const { return progress_text(what, done, parts, since_begin.seconds()); }
  // The caller holds the lock.
  void go_on(long now) {
    if (what.empty()) return;
    done = now;
    check();
    if (since_line.seconds() >= between_lines) tell(line());
  }
};

ActivityState& activity_state() {
  static ActivityState instance;
  return instance;
}

}  // namespace

Listening::Listening(Listener listener) {
  const std::lock_guard lock(activity_state().mutex);
  before_ = std::exchange(activity_state().listener, std::move(listener));
}

Listening::~Listening() {
  finish();
  const std::lock_guard lock(activity_state().mutex);
  activity_state().listener = std::move(before_);
}

void begin(const std::string& what, long parts) {
  ActivityState& s = activity_state();
  const std::lock_guard lock(s.mutex);
  s.what = what;
  s.parts = parts;
  s.done = 0;
  s.since_begin.restart();
  s.check();
  s.tell(s.line());
}

void advance() {
  ActivityState& s = activity_state();
  const std::lock_guard lock(s.mutex);
  s.go_on(s.done + 1);
}

void reached(long done) {
  ActivityState& s = activity_state();
  const std::lock_guard lock(s.mutex);
  s.go_on(done);
}

void finish() {
  ActivityState& s = activity_state();
  const std::lock_guard lock(s.mutex);
  if (s.what.empty()) return;
  s.what.clear();
  s.tell("");
}

std::string progress_text(const std::string& what, long done, long parts, double seconds) {
  done = std::min(done, parts);
  if (done <= 0) return fmt::format("making {} ...", what);
  const double each = seconds / static_cast<double>(done);
  return fmt::format("making {}: {} of {}, {} left", what, done, parts,
                     duration_text(each * static_cast<double>(parts - done)));
}

}  // namespace sinew::activity

namespace sinew {

std::string duration_text(double seconds) {
  const long whole = std::max(0L, static_cast<long>(seconds + 0.5));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace sinew
