#include "sinew/live/mailbox.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr std::chrono::milliseconds patience{400};  // of a message that waits, before its viewer is told so

}  // namespace

void Mailbox::add(Letter letter) {
  next_.letters.push_back(std::move(letter));
  came_.notify_one();
}

void Mailbox::opened(int client) {
  const std::lock_guard lock(mutex_);
  add({Letter::Kind::opened, client, {}, now_()});
}

void Mailbox::closed(int client) {
  const std::lock_guard lock(mutex_);
  add({Letter::Kind::closed, client, {}, now_()});
}

void Mailbox::message(int client, std::string_view text) {
  const std::lock_guard lock(mutex_);
  int& waiting = waiting_[client];
  if (waiting < most_waiting) {
    ++waiting;
    return add({Letter::Kind::message, client, std::string(text), now_()});
  }
  // A flood, or a drag during a long step: what waits is kept, the rest is left out. A pull at the end is an exception.
  // It is replaced by its next place, or by its release, which must not be lost.
  std::deque<Letter>& letters = next_.letters;
  const auto last = std::ranges::find(letters.rbegin(), letters.rend(), client, &Letter::client);
  if (last != letters.rend() && last->text.find("\"pull\"") != std::string::npos) {
    last->text = text;
  } else {
    ++next_.left_out[client];
  }
}

void Mailbox::tell_waiting(const std::function<void(int client)>& tell) {
  const std::lock_guard lock(mutex_);
  for (const Letter& letter : next_.letters) {
    if (letter.kind != Letter::Kind::message || now_() - letter.came < patience) continue;
    // Pages send "seen" by themselves: nobody waits for it.
    if (letter.text.find("\"seen\"") != std::string::npos) continue;
    if (next_.told.insert(letter.client).second) tell(letter.client);
  }
}

Mailbox::Delivery Mailbox::take() {
  const std::lock_guard lock(mutex_);
  waiting_.clear();
  return std::exchange(next_, {});
}

void Mailbox::wait(WallClock::duration limit) {
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, limit, [&] { return !next_.letters.empty(); });
}

}  // namespace sinew
