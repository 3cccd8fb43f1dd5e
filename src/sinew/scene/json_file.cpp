#include "sinew/scene/json_file.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"

namespace sinew {
namespace {

using nlohmann::json;

// The text with U+FFFD for what is not UTF-8.
std::string as_utf8(const std::string& text) {
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

// nlohmann's messages read "[json.exception.parse_error.101] parse error at line 1, column 5: what"; keep `what`.
std::string parser_reason(const std::string& message) {
  const auto position = message.find(", column ");
  const bool located = position != std::string::npos;
  const auto before = located ? message.find(": ", position) : message.find("] ");
  std::string reason = before == std::string::npos ? message : message.substr(before + 2);
  const auto prefix = reason.find("syntax error while parsing ");
  return as_utf8(prefix == 0 ? reason.substr(std::string("syntax error while ").size()) : reason);
}

// One key of the path of an override; `index` >= 0 where it is a number.
struct PathStep {
  std::string key;
  long index = -1;
};

long as_index(const std::string& key) {
  const bool digits = !key.empty() && key.size() < 10 &&
                      std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isdigit(c); });
  return digits ? std::stol(key) : -1;
}

std::vector<PathStep> split_path(const std::string& path, const std::string& assignment) {
  std::vector<PathStep> steps;
  std::string key;
  bool closed = false;  // just after ']', where a dot needs no key before it
  const auto flush = [&] {
    if (key.empty() && !closed)
      fail_input("--set {}: empty key in \"{}\"; expected path.to.key=VALUE", assignment, path);
    if (!key.empty()) steps.push_back({key, as_index(key)});
    key.clear();
    closed = false;
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == '.') {
      flush();
    } else if (c == '[') {
      const auto end = path.find(']', i);
      const std::string inside = end == std::string::npos ? "" : path.substr(i + 1, end - i - 1);
      if (as_index(inside) < 0)
        fail_input("--set {}: found \"{}\", expected an index in brackets such as [0]", assignment, path.substr(i));
      if (!key.empty() || !closed) flush();
      steps.push_back({inside, as_index(inside)});
      i = end;
      closed = true;
    } else {
      key += c;
      closed = false;
    }
  }
  flush();
  return steps;
}

// Names of the items of an array of named objects.
std::vector<std::string> item_names(const json& array) {
  std::vector<std::string> names;
  for (const json& item : array) {
    if (item.is_object() && item.contains("name") && item["name"].is_string()) names.push_back(item["name"]);
  }
  return names;
}

// The item of that name, or null.
json* named_item(json& array, const std::string& name) {
  for (json& item : array) {
    if (item.is_object() && item.contains("name") && item["name"] == name) return &item;
  }
  return nullptr;
}

json& enter(json& value, const PathStep& step, const std::string& assignment) {
  if (value.is_null()) value = json::object();
  if (value.is_object()) return value[step.key];
  if (!value.is_array()) {
    fail_input("--set {}: cannot set \"{}\" inside {}; only objects and arrays have keys", assignment, step.key,
               value.dump());
  }
  const long size = static_cast<long>(value.size());
  if (step.index < 0) {
    if (json* item = named_item(value, step.key)) return *item;
    const std::vector<std::string> names = item_names(value);
    fail_input("--set {}: \"{}\" is no index of an array of {}{}; use 0 to {} ({} appends){}{}", assignment, step.key,
               size, names.empty() ? "" : " and no name in it", size, size,
               names.empty() ? "" : " or one of " + quoted_list(names), did_you_mean(step.key, names));
  }
  if (step.index > size) {
    fail_input("--set {}: index {} is outside an array of {}; use 0 to {} ({} appends)", assignment, step.index, size,
               size, size);
  }
  if (step.index == size) value.push_back(nullptr);
  return value[static_cast<std::size_t>(step.index)];
}

// Reads text and tells how far the parser has come.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** reached;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    *reached = ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

std::ptrdiff_t line_of(const std::string& text, std::size_t at) {
  return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
}

constexpr int deepest =
    64;  // levels of nesting; a scene needs about ten, and the parser's values are freed by recursion

bool begins_comment(const std::string& text, std::size_t at) {
  const std::string two = text.substr(at, 2);
  return two == "//" || two == "/*" || two.starts_with('#');
}

// What to do about the two usual slips with commas, or nothing. `at` is the last character that the parser read.
std::string comma_remedy(const std::string& text, std::size_t at, const std::string& reason) {
  if (at < text.size() && (text[at] == '}' || text[at] == ']')) {
    const auto before = at == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", at - 1);
    if (before != std::string::npos && text[before] == ',') return "; remove the comma before it";
  }
  const bool between = reason.starts_with("parsing object - ") || reason.starts_with("parsing array - ");
  return between && reason.find("unexpected end") == std::string::npos ? "; is there a comma missing before it?" : "";
}

}  // namespace

json parse_json(const std::string& text, const std::string& source) {
  const char* reached = text.data();
  // Keys seen so far of every object that is open.
  std::vector<std::set<std::string>> open;
  const json::parser_callback_t reject_duplicates = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > deepest) {
      fail_input("{}:{}: nested more than {} levels deep; simplify the scene", source,
                 line_of(text, static_cast<std::size_t>(reached - text.data())), deepest);
    }
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
      const auto at = static_cast<std::size_t>(reached - text.data());
      fail_input("{}:{}: key \"{}\" given twice in one object; keep one of them", source, line_of(text, at),
                 parsed.get<std::string>());
    }
    return true;
  };
  try {
    return json::parse(CountingIterator{text.data(), &reached}, CountingIterator{text.data() + text.size(), &reached},
                       reject_duplicates);
  } catch (const json::parse_error& error) {
    const std::size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const auto line = line_of(text, at);
    const auto start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t column = start == std::string::npos ? at + 1 : at - start;
    if (begins_comment(text, at)) {
      fail_input("{}:{}:{}: found a comment, but JSON has none; remove it", source, line, column);
    }
    const std::string reason = parser_reason(error.what());
    fail_input("{}:{}:{}: not valid JSON: {}{}", source, line, column, reason, comma_remedy(text, at, reason));
  } catch (const json::out_of_range& error) {  // a number such as 1e999
    fail_input("{}: not valid JSON: {}; expected numbers within the range of double precision", source,
               parser_reason(error.what()));
  }
}

json read_json_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || file.bad()) fail_input("{}: cannot read the scene file; check the path and its permissions", path);
  return parse_json(text.str(), path);
}

void apply_override(json& scene, const std::string& assignment) {
  if (as_utf8(assignment) != assignment) {
    fail_input("--set {}: found bytes that are no UTF-8, which JSON needs; check the terminal's character set",
               as_utf8(assignment));
  }
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail_input("--set {}: expected path.to.key=VALUE, for example --set materials.rubber.young=1e7", assignment);
  }
  const std::string text = assignment.substr(equals + 1);
  json value = json::parse(
      text,
      [&](int depth, json::parse_event_t, json&) {
        if (depth > deepest) fail_input("--set: found a value nested more than {} levels deep; simplify it", deepest);
        return true;
      },
      false);
  if (value.is_discarded()) value = text;
  json* target = &scene;
  for (const PathStep& step : split_path(assignment.substr(0, equals), assignment))
    target = &enter(*target, step, assignment);
  *target = std::move(value);
}

}  // namespace sinew
