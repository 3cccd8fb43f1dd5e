#include "sinew/scene/json_file.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/scene/complete.h"

namespace sinew {
namespace {

using nlohmann::json;

// The parser quotes what it has read of a number or string, however long: '999...'
std::string shortened_quotes(const std::string& reason) {
  const auto begin = reason.find('\'');
  auto end = reason.rfind("'; expected");
  if (end == std::string::npos && reason.ends_with('\'')) end = reason.size() - 1;
  if (end == std::string::npos || begin >= end) return reason;
  return reason.substr(0, begin + 1) + shortened(reason.substr(begin + 1, end - begin - 1)) + reason.substr(end);
}

// nlohmann's messages read "[json.exception.parse_error.101] parse error at line 1, column 5: what"; keep `what`.
std::string parser_reason(const std::string& message) {
  const auto position = message.find(", column ");
  const bool located = position != std::string::npos;
  const auto before = located ? message.find(": ", position) : message.find("] ");
  std::string reason = before == std::string::npos ? message : message.substr(before + 2);
  const auto prefix = reason.find("syntax error while parsing ");
  if (prefix == 0) reason.erase(0, std::string("syntax error while ").size());
  return shortened_quotes(as_utf8(reason));
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
      fail_input(code::set, "--set {}: empty key in \"{}\"; expected path.to.key=VALUE", assignment, shortened(path));
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
        fail_input(code::set, "--set {}: found \"{}\", expected an index in brackets such as [0]", assignment,
                   shortened(path.substr(i)));
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
    fail_input(code::set, "--set {}: cannot set \"{}\" inside {}; only objects and arrays have keys", assignment,
               shortened(step.key), found_text(value));
  }
  const long size = static_cast<long>(value.size());
  if (step.index < 0) {
    if (json* item = named_item(value, step.key)) return *item;
    const std::vector<std::string> names = item_names(value);
    fail_input(code::set, "--set {}: \"{}\" is no index of an array of {}{}; use 0 to {} ({} appends){}{}", assignment,
               shortened(step.key), size, names.empty() ? "" : " and no name in it", size, size,
               names.empty() ? "" : " or one of " + quoted_list(names), did_you_mean(step.key, names));
  }
  if (step.index > size) {
    fail_input(code::set, "--set {}: index {} is outside an array of {}; use 0 to {} ({} appends)", assignment,
               step.index, size, size, size);
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
  return between && reason.find("unexpected end") == std::string::npos ? "; a comma may be missing before it" : "";
}

// JSON, or else the text itself.
json override_value(const std::string& text, const std::string& assignment) {
  const auto refuse_deep = [&](int depth, json::parse_event_t, json&) {
    if (depth > deepest)
      fail_input(code::set, "--set: found a value nested more than {} levels deep; simplify it", deepest);
    return true;
  };
  try {
    return json::parse(text, refuse_deep);
  } catch (const json::parse_error&) {
    return text;
  } catch (const json::out_of_range&) {  // a number such as 1e999
    fail_input(code::set, "--set {}: expected numbers within the range of double precision", assignment);
  }
}

}  // namespace

json parse_json(const std::string& text, const std::string& source) {
  const char* reached = text.data();
  // Keys seen so far of every object that is open.
  std::vector<std::set<std::string>> open;
  const json::parser_callback_t reject_duplicates = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > deepest) {
      fail_input(code::scene_json, "{}:{}: nested more than {} levels deep; simplify the scene", source,
                 line_of(text, static_cast<std::size_t>(reached - text.data())), deepest);
    }
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
      const auto at = static_cast<std::size_t>(reached - text.data());
      fail_input(code::scene_json, "{}:{}: key \"{}\" given twice in one object; keep one of them", source,
                 line_of(text, at), shortened(parsed.get<std::string>()));
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
      fail_input(code::scene_json, "{}:{}:{}: found a comment, but JSON has none; remove it", source, line, column);
    }
    const std::string reason = parser_reason(error.what());
    fail_input(code::scene_json, "{}:{}:{}: not valid JSON: {}{}", source, line, column, reason,
               comma_remedy(text, at, reason));
  } catch (const json::out_of_range& error) {  // a number such as 1e999
    fail_input(code::scene_json, "{}: not valid JSON: {}; expected numbers within the range of double precision",
               source, parser_reason(error.what()));
  }
}

json read_json_file(const std::string& path) {
  constexpr std::uintmax_t most = 256'000'000;  // values of all vertices of a large scene are some ten million bytes
  return parse_json(read_file_or_pipe(path, "the scene file", most), path);
}

void apply_override(json& scene, const std::string& assignment) {
  const std::string shown = shortened(as_utf8(assignment));
  if (!is_utf8(assignment)) {
    fail_input(code::set,
               "--set {}: found bytes that are no UTF-8, which JSON needs; check the terminal's character set", shown);
  }
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail_input(code::set, "--set {}: expected path.to.key=VALUE, for example --set materials.rubber.young=1e7", shown);
  }
  json value = override_value(assignment.substr(equals + 1), shown);
  json* target = &scene;
  for (const PathStep& step : split_path(assignment.substr(0, equals), shown)) target = &enter(*target, step, shown);
  *target = std::move(value);
}

}  // namespace sinew
