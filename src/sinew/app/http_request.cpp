#include "sinew/app/http_request.h"

#include <algorithm>
#include <cctype>

namespace sinew::app {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(16 * high + low);
    i += 2;
  }
  return result;
}

// Takes a line off the front, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  return line;
}

bool is_host(std::string_view name) {
  return std::ranges::equal(name, std::string_view("host"),
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

}  // namespace

std::optional<HttpRequest> parse_request(std::string_view text) {
  const std::string_view line = take_line(text);
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  if (!line.substr(second + 1).starts_with("HTTP/1.")) return std::nullopt;
  const std::string_view target = line.substr(first + 1, second - first - 1);
  if (!target.starts_with('/')) return std::nullopt;
  const std::optional<std::string> path = decoded(target.substr(0, target.find('?')));
  if (!path || path->find('\0') != std::string::npos) return std::nullopt;
  HttpRequest request{std::string(line.substr(0, first)), *path, std::nullopt};
  while (!text.empty()) {
    const std::string_view header = take_line(text);
    const std::size_t colon = header.find(':');
    if (colon == std::string_view::npos || !is_host(header.substr(0, colon))) continue;
    std::string_view value = header.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    request.host = value;
  }
  return request;
}

}  // namespace sinew::app
