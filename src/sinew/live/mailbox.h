// Queues viewers' messages from any thread for the simulating thread.
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
    std::deque<Letter> letters;   // in order of arrival
    std::set<int> told;           // viewers told that their messages wait
    std::map<int, int> left_out;  // dropped messages by viewer
  };

  explicit Mailbox(WallNow now) : now_(std::move(now)) {}

  // ---- From any thread.
  void opened(int client);
  void closed(int client);
  void message(int client, std::string_view text);
  // Calls `tell` once for each viewer whose messages have waited for some time. take() blocks meanwhile, so messages to
  // the viewers of `told` follow those of `tell`.
  void tell_waiting(const std::function<void(int client)>& tell);

  // ---- From the thread that simulates.
  Delivery take();
  // Waits for a letter, at most for `limit`.
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
