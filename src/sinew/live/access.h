// Decides which requests a server answers, by host, origin and token.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::live {

// On 127.0.0.1 and ::1, the Host header must name this machine, so that web pages cannot reach the server through
// another name. At other addresses a request needs the token. Pages of other origins are refused unless allowed.
struct Access {
  std::string host;  // host of the listening address, as in a URL
  bool is_loopback = true;
  int port = 0;
  std::string token = {};                 // empty: no token needed
  std::vector<std::string> origins = {};  // allowed foreign origins: "https://hub.example:8000"

  // host, origin: headers of the request. query: query part of the request's target.
  bool allows(std::string_view host, std::optional<std::string_view> origin, const std::string& query) const;

 private:
  bool is_own_host(std::string_view given) const;
  bool is_allowed_origin(std::string_view origin, std::string_view given_host) const;
};

}  // namespace sinew::live
