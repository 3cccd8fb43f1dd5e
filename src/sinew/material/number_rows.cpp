#include "sinew/material/number_rows.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/core/utf8.h"

namespace sinew {
namespace {

constexpr std::size_t largest_file = 100'000'000;  // [bytes]
constexpr std::size_t fewest_rows = 3;

bool is_separator(char c) {
  return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

// The fields of a line between commas, semicolons, blanks and tabs.
std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (!line.empty()) {
    std::size_t end = 0;
    while (end < line.size() && !is_separator(line[end])) ++end;
    if (end > 0) fields.push_back(line.substr(0, end));
    line.remove_prefix(end < line.size() ? end + 1 : end);
  }
  return fields;
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

std::vector<NumberRow> read_number_rows(const std::string& path, std::size_t columns, const std::string& expected) {
  const std::string text = read_file_or_pipe(path, "the measured curve", largest_file);
  std::vector<NumberRow> rows;
  std::string_view rest = text;
  bool first = true;  // no line with content yet
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::vector<std::string_view> fields = split_fields(line);
    if (fields.empty() || fields[0].starts_with('#')) continue;
    NumberRow row{path + ":" + std::to_string(number), {}};
    const bool header = std::exchange(first, false) && !parse_number(fields[0]);
    if (header) continue;
    for (const std::string_view field : fields)
      if (const auto value = parse_number(field)) row.values.push_back(*value);
    if (fields.size() != columns || row.values.size() != columns)
      fail_input(code::measurement, "{}: found \"{}\", expected {}", row.place, shortened(as_utf8(line)), expected);
    rows.push_back(std::move(row));
  }
  return rows;
}

void require_enough_rows(const std::string& path, std::size_t rows) {
  if (rows < fewest_rows)
    fail_input(code::measurement, "{}: found {} point{}, expected at least {}", path, rows, rows == 1 ? "" : "s",
               fewest_rows);
}

}  // namespace sinew
