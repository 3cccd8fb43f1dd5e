// Parses the path and query of an HTTP request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew::live {

struct RequestTarget {
  std::string path;   // decoded; begins with '/'
  std::string query;  // as given, without '?'
};

// Parses a request target. Returns none if it is not a path, or has a bad escape or a null character.
std::optional<RequestTarget> parse_target(std::string_view text);

// Returns the decoded value of the first NAME=VALUE in a query ('+' means a blank); none if it is missing or malformed.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

// Encodes `text` so that query_value() returns it.
std::string encoded(std::string_view text);

}  // namespace sinew::live
