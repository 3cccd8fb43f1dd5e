// Progress of long preparations, and a way to end them. Anyone who starts a preparation may listen; without a listener
// it runs silently to its end.
#pragma once

#include <functional>
#include <string>

#include "sinew/core/error.h"

namespace sinew {

// Thrown if the caller asked for the end; the preparation is dropped.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& message) : Error(code::interrupted, message) {}
};

namespace activity {

struct Listener {
  std::function<bool()> interrupted;                 // true: the preparation throws Interrupted; none: never
  std::function<void(const std::string&)> progress;  // gets lines, each in place of the last; empty at the end
};

// While a Listening lives, every preparation of this process reports to its listener, from any thread, one call at a
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

// Starts the report of `what` ("basis functions") in `parts` parts; 0: their number is unknown.
void begin(const std::string& what, long parts = 0);

// A part is done. From any thread.
void advance();

// `done` parts are done: for work whose parts do not end one by one.
void reached(long done);

// Ends the report.
void finish();

// "making basis functions: 3 of 12, 0:45 left" after `seconds`; "making basis functions ..." if the number of parts is
// unknown or none is done yet. The estimate assumes that all parts take equally long.
std::string progress_text(const std::string& what, long done, long parts, double seconds);

}  // namespace activity

// "1:02:03" or "2:03"
std::string duration_text(double seconds);

}  // namespace sinew
