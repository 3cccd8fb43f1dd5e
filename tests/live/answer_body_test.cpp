// Bytes and files as they go out, in whatever parts the network takes.
#include "sinew/live/answer_body.h"

#include <filesystem>

#include "support/folder.h"
#include <gtest/gtest.h>

namespace sinew::live {
namespace {

// At most `most` bytes are taken at once.
std::string taken(AnswerBody& body, std::size_t most) {
  std::string all;
  for (std::string_view part = body.next(); !part.empty(); part = body.next()) {
    const std::size_t size = std::min(most, part.size());
    all += part.substr(0, size);
    body.sent(size);
  }
  return all;
}

TEST(AnswerBody, OfBytes) {
  AnswerBody body;
  ASSERT_TRUE(body.open({"text/plain", std::make_shared<const std::string>("some bytes"), ""}));
  EXPECT_EQ(body.left(), 10u);
  EXPECT_EQ(taken(body, 3), "some bytes");
  EXPECT_EQ(body.left(), 0u);
}

TEST(AnswerBody, OfFilesThatMayBecomeShorter) {
  const test::Folder folder;
  std::string content(200000, 'a');
  for (std::size_t k = 0; k < content.size(); ++k) content[k] = static_cast<char>(k * k / 1000);
  const std::string file = folder.write("file", content);
  AnswerBody body;
  ASSERT_TRUE(body.open({"", nullptr, file}));
  EXPECT_EQ(body.left(), content.size());
  EXPECT_TRUE(taken(body, 70001) == content);
  EXPECT_EQ(body.left(), 0u);

  ASSERT_TRUE(body.open({"", nullptr, file}));
  std::filesystem::resize_file(file, 1000);
  EXPECT_EQ(taken(body, 1000).size(), 1000u);
  EXPECT_EQ(body.left(), 199000u);  // and nothing to send

  EXPECT_FALSE(body.open({"", nullptr, (folder.path / "none").string()}));
  EXPECT_FALSE(body.open({"", nullptr, folder.path.string()}));
  EXPECT_EQ(body.left(), 0u);
}

}  // namespace
}  // namespace sinew::live
