// What waits for viewers, without a network.
#include "sinew/live/outboxes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::live {
namespace {

std::shared_ptr<const std::string> waiting(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

// What a connection that has all the time sends: texts as they are, frames in brackets.
std::vector<std::string> all_of(Outboxes& boxes, Client client) {
  std::vector<std::string> all;
  for (;;) {
    const Outboxes::Parcel parcel = boxes.take(client);
    if (!parcel.bytes) return all;
    all.push_back(parcel.is_text ? *parcel.bytes : "[" + *parcel.bytes + "]");
    boxes.sent(client, parcel);
  }
}

TEST(Outboxes, TextsInOrderThenTheLatestFrame) {
  Outboxes boxes(100);
  boxes.open(1);
  boxes.open(2);
  boxes.set_frame(1, waiting("old"));
  boxes.add_text(1, waiting("a"));
  boxes.add_text(2, waiting("other"));
  boxes.set_frame(1, waiting("new"));
  boxes.add_text(1, waiting("b"));
  EXPECT_THAT(all_of(boxes, 1), testing::ElementsAre("a", "b", "[new]"));
  EXPECT_THAT(all_of(boxes, 2), testing::ElementsAre("other"));
  EXPECT_THAT(all_of(boxes, 1), testing::IsEmpty());
}

TEST(Outboxes, WakeAConnectionOnceUntilItLooks) {
  Outboxes boxes(100);
  boxes.open(1);
  EXPECT_TRUE(boxes.add_text(1, waiting("a")));
  EXPECT_FALSE(boxes.add_text(1, waiting("b")));
  EXPECT_FALSE(boxes.set_frame(1, waiting("f")));
  EXPECT_TRUE(boxes.look(1));
  EXPECT_TRUE(boxes.set_frame(1, waiting("g")));
}

TEST(Outboxes, AreFullOfTextsThatHaveNotGoneOut) {
  Outboxes boxes(10);
  boxes.open(1);
  boxes.set_frame(1, waiting(std::string(1000, 'f')));  // frames do not count
  boxes.add_text(1, waiting("12345678"));
  const Outboxes::Parcel parcel = boxes.take(1);
  EXPECT_TRUE(boxes.look(1));
  boxes.sent(1, parcel);
  boxes.add_text(1, waiting("12345678"));
  EXPECT_TRUE(boxes.look(1));
  boxes.take(1);  // on its way it still counts
  boxes.add_text(1, waiting("123"));
  EXPECT_FALSE(boxes.look(1));
  boxes.add_text(1, waiting("1"));  // after one that was left out no other may come
  EXPECT_FALSE(boxes.look(1));
}

TEST(Outboxes, PassOverViewersThatAreGone) {
  Outboxes boxes(100);
  boxes.open(1);
  boxes.open(5);
  boxes.close(1);
  EXPECT_THAT(boxes.clients(), testing::ElementsAre(5));
  EXPECT_FALSE(boxes.add_text(1, waiting("a")));
  EXPECT_FALSE(boxes.set_frame(1, waiting("f")));
  EXPECT_TRUE(boxes.look(1));
  EXPECT_THAT(all_of(boxes, 1), testing::IsEmpty());
  boxes.sent(1, {waiting("a"), true});
}

}  // namespace
}  // namespace sinew::live
