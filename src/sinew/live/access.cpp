#include "sinew/live/access.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/live/request_target.h"

namespace sinew::live {
namespace {

// In a time that tells nothing of the token but its length.
bool same_secret(std::string_view given, std::string_view token) {
  unsigned difference = given.size() != token.size();
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i % token.size()]);
  return difference == 0;
}

}  // namespace

bool Access::allows(std::string_view given_host, std::optional<std::string_view> origin,
                    const std::string& query) const {
  if (!is_own_host(given_host)) return false;
  if (origin && !is_allowed_origin(*origin, given_host)) return false;
  if (token.empty()) return true;
  const std::optional<std::string> given = query_value(query, "token");
  return given && same_secret(*given, token);
}

bool Access::is_own_host(std::string_view given) const {
  if (given.empty()) return false;
  if (!is_loopback) return true;
  for (const std::string& name : {host, std::string("localhost")}) {
    if (given == fmt::format("{}:{}", name, port) || (port == 80 && given == name)) return true;
  }
  return false;
}

bool Access::is_allowed_origin(std::string_view origin, std::string_view given_host) const {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme) && origin.substr(scheme.size()) == given_host) return true;
  }
  return std::ranges::find(origins, origin) != origins.end();
}

}  // namespace sinew::live
