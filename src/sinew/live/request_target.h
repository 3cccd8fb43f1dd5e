// What a request asks for: the path and the query of its first line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew::live {

struct RequestTarget {
  std::string path;   // decoded; begins with '/'
  std::string query;  // as given, without '?'
};

// None when it is malformed: not a path, a bad escape, or a null character.
std::optional<RequestTarget> parse_target(std::string_view text);

// The value of the first NAME=VALUE of a query, decoded ('+' is a blank); none where it is missing or malformed.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

// `text` such that query_value() gives it back.
std::string encoded(std::string_view text);

}  // namespace sinew::live
