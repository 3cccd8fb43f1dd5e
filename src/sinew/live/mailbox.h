// Queues messages that viewers send, from any thread, for the thread that simulates.
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
  static constexpr int most_waiting = 256;  // queued messages of one viewer

  struct Delivery {
    std::deque<Letter> letters;   // in order of arrival
    std::set<int> told;           // viewers that were told that their messages wait
    std::map<int, int> left_out;  // number of dropped messages, by viewer
  };

  explicit Mailbox(WallNow now) : now_(std::move(now)) {}

  // ---- From any thread.
  void opened(int client);
  void closed(int client);
  void message(int client, std::string_view text);
  // Calls `tell` once for each viewer whose messages have waited for some time. take() waits until tell_waiting()
  // returns. Messages to the viewers in `told` therefore follow those that `tell` sends.
  void tell_waiting(const std::function<void(int client)>& tell);

  // ---- From the thread that simulates.
  Delivery take();
  // Waits until a letter arrives, at most for `limit`.
  void wait(WallClock::duration limit);

 private:
  void add(Letter letter);  // call with the mutex locked

  WallNow now_;
  std::mutex mutex_;  // protects the members below
  std::condition_variable came_;
  Delivery next_;
  std::map<int, int> waiting_;  // number of waiting messages, by viewer
};

}  // namespace sinew
