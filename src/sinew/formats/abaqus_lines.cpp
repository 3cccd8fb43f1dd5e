#include "sinew/formats/abaqus_lines.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

std::string_view unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

// Splits at commas outside of quotes.
template <class F>
void for_fields(std::string_view line, F&& f) {
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (line[i] != ',' || quoted)) continue;
    f(line.substr(begin, i - begin));
    begin = i + 1;
  }
}

std::string single_blanks(std::string_view text) {
  std::string words;
  while (!trimmed(text).empty()) words += (words.empty() ? "" : " ") + std::string(next_token(text));
  return words;
}

}  // namespace

std::string abaqus_key(std::string_view name) {
  std::string key = upper_case(name);
  std::erase_if(key, [](char c) { return c == ' ' || c == '\t'; });
  return key;
}

bool AbaqusKeyword::is(std::string_view other) const {
  return abaqus_key(name) == abaqus_key(other);
}

bool AbaqusKeyword::has(std::string_view key) const {
  return std::ranges::any_of(parameters, [&](const auto& p) { return p.first == key; });
}

std::string AbaqusKeyword::value(std::string_view key) const {
  const auto at = std::ranges::find_if(parameters, [&](const auto& p) { return p.first == key; });
  return at == parameters.end() ? "" : at->second;
}

// "** sinew group 3:7", "** sinew group 3:7 unnamed"
void AbaqusLines::note(std::string_view comment) {
  constexpr std::string_view mark = "** sinew group ";
  if (!comment.starts_with(mark)) return;
  comment.remove_prefix(mark.size());
  const std::string_view number = next_token(comment);
  const std::size_t colon = number.find(':');
  std::int64_t id = 0;
  if (colon == std::string_view::npos || !parse_integer(number.substr(colon + 1), id)) return;
  id_ = id > 0 && id < 1000000000 ? static_cast<int>(id) : 0;
  unnamed_ = trimmed(comment) == "unnamed";
}

bool AbaqusLines::next() {
  while (lines_.next()) {
    line_ = trimmed(lines_.line());
    if (line_.starts_with("**"))
      note(line_);
    else if (!line_.empty())
      return true;
  }
  return false;
}

bool AbaqusLines::next_keyword(AbaqusKeyword& keyword) {
  while (next()) {
    if (line_.front() != '*') continue;
    keyword = {};
    keyword.place = lines_.place();
    std::swap(keyword.id, id_);
    keyword.unnamed = std::exchange(unnamed_, false);
    std::string text(line_);
    while (text.back() == ',' && next()) {  // a keyword line that ends with a comma goes on
      if (line_.front() == '*') {
        lines_.hold();
        break;
      }
      text += line_;
    }
    bool first = true;
    for_fields(std::string_view(text).substr(1), [&](std::string_view field) {
      if (first) {
        keyword.name = upper_case(single_blanks(field));
      } else if (!trimmed(field).empty()) {
        const std::size_t equals = field.find('=');
        const std::string_view given = equals == std::string_view::npos ? "" : field.substr(equals + 1);
        keyword.parameters.emplace_back(abaqus_key(field.substr(0, equals)), unquoted(given));
      }
      first = false;
    });
    if (keyword.name.empty()) fail("found '{}', expected a keyword such as *NODE", printable(text));
    if (keyword.is("INCLUDE") && !keyword.has("INPUT")) fail("found *INCLUDE without INPUT=, expected its path");
    constexpr std::string_view read[] = {"INCLUDE", "NODE", "ELEMENT", "NSET", "ELSET"};
    if (keyword.has("INPUT") && std::ranges::find(read, keyword.name) != std::end(read))
      lines_.include(keyword.value("INPUT"));
    if (!keyword.is("INCLUDE")) return true;
  }
  return false;
}

bool AbaqusLines::next_data(std::vector<std::string_view>& fields) {
  fields.clear();
  if (!next()) return false;
  if (line_.front() == '*') {
    lines_.hold();
    return false;
  }
  for_fields(line_, [&](std::string_view field) { fields.push_back(unquoted(field)); });
  continued_ = line_.back() == ',';
  if (continued_) fields.pop_back();
  return true;
}

std::int64_t AbaqusLines::integer(std::string_view field, std::string_view what, std::int64_t least,
                                  std::int64_t most) const {
  std::int64_t value;
  if (!parse_integer(field, value) || value < least || value > most)
    fail("found '{}', expected {} (an integer from {} to {})", printable(field), what, least, most);
  return value;
}

double AbaqusLines::real(std::string_view field, std::string_view what) const {
  double value;
  if (!parse_real(field, value)) fail("found '{}', expected {} (a number)", printable(field), what);
  return value;
}

}  // namespace sinew
