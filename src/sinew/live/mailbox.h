// What viewers say, from any thread, kept in order until the thread that simulates takes it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/live/wall_clock.h"

namespace sinew {

struct Letter {
  enum class Kind { opened, closed, message } kind;
  int client;
  std::string text;
  WallClock::time_point came;
};

class Mailbox {
 public:
  static constexpr int most_waiting = 256;  // messages of a viewer

  struct Delivery {
    std::deque<Letter> letters;   // in the order in which they came
    std::set<int> told;           // viewers that were told that their messages wait
    std::map<int, int> left_out;  // how many messages of a viewer found no place
  };

  explicit Mailbox(WallNow now) : now_(std::move(now)) {}

  // ---- From any thread.
  void opened(int client);
  void closed(int client);
  void message(int client, std::string_view text);
  // Calls `tell`, once, for each viewer whose messages have waited for some time. No delivery is taken meanwhile: what
  // is said to the viewers of its `told` comes after what `tell` said.
  void tell_waiting(const std::function<void(int client)>& tell);

  // ---- From the thread that simulates.
  Delivery take();
  // Returns when there is a letter, at the latest after `limit`.
  void wait(WallClock::duration limit);

 private:
  void add(Letter letter);  // under the mutex

  WallNow now_;
  std::mutex mutex_;  // of all that follows
  std::condition_variable came_;
  Delivery next_;
  std::map<int, int> waiting_;  // messages of each viewer
};

}  // namespace sinew
