#include "sinew/core/error_code.h"

#include <algorithm>

namespace sinew {

std::string with_code(const std::string& message, const std::string& id) {
  const std::size_t end = message.find('\n');
  const std::string first = message.substr(0, end) + " [" + id + "]";
  return end == std::string::npos ? first : first + message.substr(end);
}

std::string without_code(const std::string& message) {
  const std::size_t end = std::min(message.find('\n'), message.size());
  const std::size_t begin = message.rfind(" [E-", end);
  if (begin == std::string::npos || end == 0 || message[end - 1] != ']') return message;
  return message.substr(0, begin) + message.substr(end);
}

}  // namespace sinew
