#include "sinew/core/utf8.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Utf8, Text) {
  for (const char* text :
       {"", "abc\n", "\xc3\xa9", "\xe2\x82\xac x", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
  EXPECT_TRUE(is_utf8(std::string_view("a\0b", 3)));
}

TEST(Utf8, OtherBytes) {
  const char* const others[] = {"\xff",
                                "a\x80",
                                "\xc3",
                                "\xc0\xaf",
                                "\xe2\x82",
                                "\xe0\x80\xaf",
                                "\xed\xa0\x80",
                                "\xf0\x80\x80\xaf",
                                "\xf4\x90\x80\x80",
                                "\xf5\x80\x80\x80",
                                "\xc3\xa9\xc3 x"};
  for (const char* bytes : others) EXPECT_FALSE(is_utf8(bytes)) << bytes;
  for (const char* bytes : others) EXPECT_TRUE(is_utf8(as_utf8(bytes))) << bytes;
  EXPECT_EQ(as_utf8("caf\xe9 \xc3\xa9"), "caf\xef\xbf\xbd \xc3\xa9");
}

TEST(Utf8, NoCharacterIsCut) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("ab\xc3\xa9\xc3\xa9\xc3\xa9", 6), "ab...");
  EXPECT_EQ(shortened("a\xc3\xa9\xc3\xa9\xc3\xa9", 6), "a\xc3\xa9...");
}

}  // namespace
}  // namespace sinew
