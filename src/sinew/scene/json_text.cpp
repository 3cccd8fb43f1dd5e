#include "sinew/scene/json_text.h"

#include <algorithm>

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

std::string scalar(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string one_line(const Json& value) {
  if (!value.is_structured()) return scalar(value);
  std::string text;
  for (const auto& [key, item] : value.items()) {
    if (!text.empty()) text += ", ";
    if (value.is_object()) text += scalar(key) + ": ";
    text += one_line(item);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

class Writer {
 public:
  explicit Writer(std::size_t width) : width_(width) {}

  // Writes a value behind what its line already holds. One column is left for a comma.
  void write(const Json& value, bool spread) {
    const std::string line = one_line(value);
    if (!value.is_structured() || value.empty() || (!spread && column_ + line.size() + 1 <= width_)) {
      put(line);
    } else {
      write_items(value);
    }
  }

  std::string text;

 private:
  void write_items(const Json& value) {
    const bool pack = value.is_array() &&
                      std::none_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
    put(value.is_object() ? "{" : "[");
    indent_ += 2;
    bool first = true;
    for (const auto& [key, item] : value.items()) {
      if (!first) put(",");
      if (!first && pack && column_ + one_line(item).size() + 2 <= width_) {
        put(" ");
      } else {
        start_line();
      }
      first = false;
      if (value.is_object()) put(scalar(key) + ": ");
      write(item, false);
    }
    indent_ -= 2;
    start_line();
    put(value.is_object() ? "}" : "]");
  }

  void put(const std::string& part) {
    text += part;
    column_ += part.size();
  }

  void start_line() {
    text += '\n';
    text.append(indent_, ' ');
    column_ = indent_;
  }

  std::size_t width_, indent_ = 0, column_ = 0;
};

}  // namespace

std::string json_text(const Json& value, std::size_t width) {
  Writer writer(width);
  writer.write(value, true);
  return writer.text;
}

}  // namespace sinew
