// A request of HTTP/1.1 as far as a server of files needs it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew::app {

struct HttpRequest {
  std::string method;
  std::string path;                 // decoded, without the query
  std::optional<std::string> host;  // as given
};

// The request whose head is `text`, up to and without the empty line; none when it is malformed.
std::optional<HttpRequest> parse_request(std::string_view text);

}  // namespace sinew::app
