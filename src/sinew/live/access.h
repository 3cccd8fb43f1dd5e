// Which requests a server answers, by the host, the origin and the token that they carry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::live {

// On 127.0.0.1 and ::1 requests must be addressed to this machine by its own name, so that no web page reaches the
// server through a name of its own; elsewhere the token guards. Pages of other origins are refused but for those
// allowed.
struct Access {
  std::string host;  // of the address that the server listens on, as in a URL
  bool is_loopback = true;
  int port = 0;
  std::string token = {};                 // empty: none is asked for
  std::vector<std::string> origins = {};  // "https://hub.example:8000"

  // host and origin: as in the headers of a request (none: no origin); query: as in its target.
  bool allows(std::string_view host, std::optional<std::string_view> origin, const std::string& query) const;

 private:
  bool is_own_host(std::string_view given) const;
  bool is_allowed_origin(std::string_view origin, std::string_view given_host) const;
};

}  // namespace sinew::live
