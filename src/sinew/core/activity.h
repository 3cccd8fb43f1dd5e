// Reports the progress of long preparations and lets a listener end them. Without a listener, a preparation runs
// silently to its end.
#pragma once

#include <functional>
#include <string>

#include "sinew/core/error.h"

namespace sinew {

// Thrown if the listener asks a preparation to end; its results are dropped.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& message) : Error(code::interrupted, message) {}
};

namespace activity {

struct Listener {
  std::function<bool()> interrupted;  // true: the preparation throws Interrupted; empty: never
  // Receives lines; each replaces the last one. An empty line marks the end.
  std::function<void(const std::string&)> progress;
};

// While a Listening exists, every preparation of this process reports to its listener, from any thread, one call at a
// time.
class Listening {
 public:
  explicit Listening(Listener listener);
  ~Listening();  // restores the previous listener
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  Listener before_;
};

// Starts the report of `what` (for example "basis functions") in `parts` parts; 0: unknown number.
void begin(const std::string& what, long parts = 0);

// Call when a part is done, from any thread.
void advance();

// Call when `done` parts are done, if parts do not end one by one.
void reached(long done);

// Ends the report.
void finish();

// Returns "making basis functions: 3 of 12, 0:45 left" after `seconds`, or "making basis functions ..." if the number
// of parts is unknown or none is done yet. The estimate assumes that all parts take equally long.
std::string progress_text(const std::string& what, long done, long parts, double seconds);

}  // namespace activity

// Returns "1:02:03" or "2:03" (hours, minutes, seconds).
std::string duration_text(double seconds);

}  // namespace sinew
