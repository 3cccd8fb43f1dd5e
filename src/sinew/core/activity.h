// What long preparations tell while they go on, and how they are ended. Whoever starts one may listen; without a
// listener they tell nobody and go on to their end.
#pragma once

#include <functional>
#include <string>

#include "sinew/core/error.h"

namespace sinew {

// Thrown where a caller asked for the end: what was begun is dropped.
class Interrupted : public Error {
 public:
  using Error::Error;
};

namespace activity {

struct Listener {
  std::function<bool()> interrupted;                 // true: what goes on throws Interrupted; none: never
  std::function<void(const std::string&)> progress;  // gets a line in place of the last, empty at the end; or none
};

// While it lives, all that this process prepares tells the listener, from any thread, one call at a time.
class Listening {
 public:
  explicit Listening(Listener listener);
  ~Listening();  // back to the listener before
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  Listener before_;
};

// What is made from now on ("basis functions"), and in how many parts; 0: nobody knows.
void begin(const std::string& what, long parts = 0);

// A part is done. From any thread.
void advance();

// So many parts are done: for work whose parts do not end one by one.
void reached(long done);

// Nothing is being made any more.
void finish();

// "making basis functions: 3 of 12, 0:45 left" after so many seconds; "making basis functions ..." where nobody knows
// how much there is, or nothing is done yet. What is left takes as long for each part as what is done.
std::string progress_text(const std::string& what, long done, long parts, double seconds);

}  // namespace activity

// "1:02:03" or "2:03"
std::string duration_text(double seconds);

}  // namespace sinew
