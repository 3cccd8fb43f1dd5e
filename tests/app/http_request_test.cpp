// Requests to the server of `sinew view`.
#include "sinew/app/http_request.h"

#include <gtest/gtest.h>

namespace sinew::app {
namespace {

TEST(HttpRequest, Parts) {
  const auto request = parse_request("GET /a%20b/c.js?x=%31 HTTP/1.1\r\nAccept: */*\r\nhOsT:  localhost:80 ");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "GET");
  EXPECT_EQ(request->path, "/a b/c.js");
  EXPECT_EQ(request->host, "localhost:80");
  EXPECT_FALSE(parse_request("HEAD / HTTP/1.0")->host);
}

TEST(HttpRequest, Malformed) {
  for (const char* text : {"", " ", "GET", "GET /", "GET / ", "GET  / HTTP/1.1", "GET / FTP/1.1", "GET a HTTP/1.1",
                           "GET http://x/ HTTP/1.1", "GET /%0 HTTP/1.1", "GET /%zz HTTP/1.1", "GET /%00 HTTP/1.1",
                           "\r\n\r\n", "GET / HTTP/2"}) {
    EXPECT_FALSE(parse_request(text)) << text;
  }
}

}  // namespace
}  // namespace sinew::app
