#include "sinew/live/request_target.h"

#include <gtest/gtest.h>

namespace sinew::live {
namespace {

TEST(RequestTarget, Parts) {
  const auto target = parse_target("/a%20b/c+d.js?x=%31&y");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/a b/c+d.js");
  EXPECT_EQ(target->query, "x=%31&y");
  EXPECT_EQ(parse_target("/")->query, "");
  EXPECT_EQ(parse_target("/?a?b")->query, "a?b");
}

TEST(RequestTarget, Malformed) {
  for (const char* text : {"", " ", "a", "*", "http://x/", "/%", "/%0", "/%zz", "/%00", "?"})
    EXPECT_FALSE(parse_target(text)) << text;
}

TEST(RequestTarget, QueryValues) {
  EXPECT_EQ(query_value("a=1&token=x%20y+z&token=2", "token"), "x y z");
  EXPECT_EQ(query_value("token=", "token"), "");
  EXPECT_EQ(query_value("&&=&token=a=b", "token"), "a=b");
  for (const char* query : {"", "token", "atoken=1", "tokens=1", "token=%f", "a=token=1"})
    EXPECT_FALSE(query_value(query, "token")) << query;
  EXPECT_EQ(query_value("token=" + encoded("a b&c=%+\xff/"), "token"), "a b&c=%+\xff/");
}

}  // namespace
}  // namespace sinew::live
