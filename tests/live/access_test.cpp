// Hosts, origins and tokens that requests may carry.
#include "sinew/live/access.h"

#include <gtest/gtest.h>

namespace sinew::live {
namespace {

TEST(Access, OwnHostsOfALoopbackAddress) {
  const Access access{.host = "127.0.0.1", .port = 8000};
  for (const char* host : {"127.0.0.1:8000", "localhost:8000"}) EXPECT_TRUE(access.allows(host, {}, "")) << host;
  for (const char* host : {"", "127.0.0.1", "localhost", "localhost:80000", "hub.example:8000"})
    EXPECT_FALSE(access.allows(host, {}, "")) << host;
  const Access usual{.host = "[::1]", .port = 80};
  for (const char* host : {"[::1]", "[::1]:80", "localhost"}) EXPECT_TRUE(usual.allows(host, {}, "")) << host;
}

TEST(Access, AnyHostElsewhere) {
  const Access access{.host = "0.0.0.0", .is_loopback = false, .port = 8000, .token = "secret"};
  EXPECT_TRUE(access.allows("hub.example", {}, "token=secret"));
  EXPECT_FALSE(access.allows("hub.example", {}, ""));
  EXPECT_FALSE(access.allows("", {}, "token=secret"));
}

TEST(Access, OwnOriginAndThoseAllowed) {
  const Access access{.host = "127.0.0.1", .port = 8000, .origins = {"https://hub.example"}};
  for (const char* origin : {"http://localhost:8000", "https://localhost:8000", "https://hub.example"})
    EXPECT_TRUE(access.allows("localhost:8000", origin, "")) << origin;
  for (const char* origin : {"", "null", "localhost:8000", "ftp://localhost:8000", "http://127.0.0.1:8000",
                             "http://hub.example", "https://hub.example:8000"})
    EXPECT_FALSE(access.allows("localhost:8000", origin, "")) << origin;
}

TEST(Access, TheWholeToken) {
  const Access access{.host = "127.0.0.1", .port = 1, .token = "a b"};
  for (const char* query : {"token=a+b", "x=1&token=a%20b"}) EXPECT_TRUE(access.allows("localhost:1", {}, query));
  for (const char* query : {"", "token", "token=", "token=a", "token=a+ba+b", "token=a+c", "Token=a+b"})
    EXPECT_FALSE(access.allows("localhost:1", {}, query)) << query;
}

}  // namespace
}  // namespace sinew::live
