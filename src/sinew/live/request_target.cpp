#include "sinew/live/request_target.h"

#include <algorithm>

#include <fmt/format.h>

namespace sinew::live {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += plus_is_blank && text[i] == '+' ? ' ' : text[i];
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

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

}  // namespace

std::optional<RequestTarget> parse_target(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  const std::size_t mark = text.find('?');
  const std::optional<std::string> path = decoded(text.substr(0, mark), false);
  if (!path || path->find('\0') != std::string::npos) return std::nullopt;
  return RequestTarget{*path, std::string(mark == std::string_view::npos ? "" : text.substr(mark + 1))};
}

std::optional<std::string> query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t mark = pair.find('=');
    if (mark != std::string_view::npos && pair.substr(0, mark) == name) return decoded(pair.substr(mark + 1), true);
  }
  return std::nullopt;
}

std::string encoded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (stands_for_itself(c)) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

}  // namespace sinew::live
