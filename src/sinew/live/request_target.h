// The path and query of a request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew::live {

struct RequestTarget {
  std::string path;   // decoded; begins with '/'
  std::string query;  // as given, without '?'
};

// Returns none if the target is malformed: not a path, a bad escape, or a null character.
std::optional<RequestTarget> parse_target(std::string_view text);

// Returns the decoded value of the first NAME=VALUE of a query ('+' is a blank); none if missing or malformed.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

// Encodes `text` so that query_value() returns it.
std::string encoded(std::string_view text);

}  // namespace sinew::live
