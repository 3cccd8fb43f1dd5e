// Messages keep their order, have a limit for each viewer, and are told to wait once.
#include "sinew/live/mailbox.h"

#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct TimedMailbox {
  WallClock::time_point time{1h};
  Mailbox mailbox{[this] { return time; }};

  std::vector<int> told() {
    std::vector<int> clients;
    mailbox.tell_waiting([&](int client) { clients.push_back(client); });
    return clients;
  }
};

std::vector<std::string> texts_of(const Mailbox::Delivery& delivery) {
  std::vector<std::string> texts;
  for (const Letter& letter : delivery.letters)
    texts.push_back((letter.kind == Letter::Kind::opened   ? "open "
                     : letter.kind == Letter::Kind::closed ? "close "
                                                           : "") +
                    std::to_string(letter.client) + letter.text);
  return texts;
}

TEST(Mailbox, KeepsTheOrderOfAllViewers) {
  TimedMailbox box;
  box.mailbox.opened(1);
  box.mailbox.opened(2);
  box.mailbox.message(2, "a");
  box.mailbox.message(1, "b");
  box.mailbox.closed(2);
  EXPECT_THAT(texts_of(box.mailbox.take()), ElementsAre("open 1", "open 2", "2a", "1b", "close 2"));
  EXPECT_THAT(box.mailbox.take().letters, IsEmpty());
}

TEST(Mailbox, LeavesOutWhatIsTooManyOfOneViewer) {
  TimedMailbox box;
  for (int k = 0; k < Mailbox::most_waiting + 3; ++k) box.mailbox.message(1, "step");
  box.mailbox.message(2, "step");
  const Mailbox::Delivery delivery = box.mailbox.take();
  EXPECT_EQ(delivery.letters.size(), Mailbox::most_waiting + 1u);
  EXPECT_THAT(delivery.left_out, ElementsAre(std::pair(1, 3)));
  box.mailbox.message(1, "step");  // there is room again
  const Mailbox::Delivery next = box.mailbox.take();
  EXPECT_EQ(next.letters.size(), 1u);
  EXPECT_THAT(next.left_out, IsEmpty());
}

TEST(Mailbox, KeepsTheEndOfADrag) {
  TimedMailbox box;
  for (int k = 0; k < Mailbox::most_waiting; ++k) box.mailbox.message(1, R"({"type": "pull"})");
  box.mailbox.message(2, "other");
  box.mailbox.message(1, R"({"type": "pull", "last": true})");
  box.mailbox.message(1, R"({"type": "release"})");
  box.mailbox.message(1, R"({"type": "step"})");  // after a release nothing is replaced
  const Mailbox::Delivery delivery = box.mailbox.take();
  ASSERT_EQ(delivery.letters.size(), Mailbox::most_waiting + 1u);
  EXPECT_EQ(delivery.letters[Mailbox::most_waiting - 1].text, R"({"type": "release"})");
  EXPECT_THAT(delivery.left_out, ElementsAre(std::pair(1, 1)));
}

TEST(Mailbox, TellsOnceWhoWaits) {
  TimedMailbox box;
  box.mailbox.opened(3);
  box.mailbox.message(1, R"({"type": "set"})");
  box.mailbox.message(1, R"({"type": "step"})");
  box.mailbox.message(2, R"({"type": "seen"})");
  EXPECT_THAT(box.told(), IsEmpty());
  box.time += 500ms;
  EXPECT_THAT(box.told(), ElementsAre(1));
  EXPECT_THAT(box.told(), IsEmpty());
  EXPECT_THAT(box.mailbox.take().told, ElementsAre(1));
  EXPECT_THAT(box.mailbox.take().told, IsEmpty());
}

TEST(Mailbox, WaitingEndsWithALetter) {
  TimedMailbox box;
  const auto start = WallClock::now();
  std::thread other([&] { box.mailbox.message(1, "step"); });
  box.mailbox.wait(60s);
  other.join();
  EXPECT_LT(WallClock::now() - start, 30s);
  EXPECT_EQ(box.mailbox.take().letters.size(), 1u);
  box.mailbox.wait(1ms);  // and without one at the limit
}

}  // namespace
}  // namespace sinew
