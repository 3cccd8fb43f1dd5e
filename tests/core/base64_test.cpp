// Base64, and what is refused of it.
#include "sinew/core/base64.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

std::string decode_error(std::string_view text) {
  try {
    base64_decode(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Base64, EncodesAsTheStandardSays) {
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("Man"), "TWFu");
  EXPECT_EQ(base64_encode("Ma"), "TWE=");
  EXPECT_EQ(base64_encode("M"), "TQ==");
}

TEST(Base64, DecodesWhatItEncoded) {
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
    bytes += static_cast<char>(i * i * 37);
  }
}

TEST(Base64, RefusesOtherText) {
  EXPECT_EQ(decode_error("TWFuT"), "found 5 characters, expected base64, which has a multiple of 4");
  EXPECT_EQ(decode_error("TWFuT*Fu"), "found the character code 42 at 5, expected base64");
  EXPECT_EQ(decode_error("TWFu TWE"), "found the character code 32 at 4, expected base64");
  EXPECT_EQ(decode_error("TQ==TWFu"), "found the character code 61 at 2, expected base64");
  EXPECT_EQ(decode_error("T==="), "found the character code 61 at 1, expected base64");
  EXPECT_EQ(decode_error("===="), "found the character code 61 at 0, expected base64");
  EXPECT_EQ(decode_error("\xffWFu"), "found the character code 255 at 0, expected base64");
}

}  // namespace
}  // namespace sinew
