#include "sinew/formats/nastran_cards.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr std::size_t small_field = 8;  // of small fields; large ones have two

// Tabs lead to the next column of small fields.
std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c != '\t')
      text += c;
    else
      text.append(small_field - text.size() % small_field, ' ');
  }
  return text;
}

bool begins_bulk(std::string_view line) {
  std::string_view rest = line;
  return lower_case(next_token(rest)) == "begin" && lower_case(next_token(rest)).starts_with("bulk");
}

bool has_bulk_mark(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    if (begins_bulk(bytes.substr(0, end))) return true;
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return false;
}

bool is_card_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= small_field && name[0] >= 'A' && name[0] <= 'Z' &&
         std::ranges::all_of(name, letter);
}

}  // namespace

bool parse_nastran_real(std::string_view field, double& value) {
  if (parse_real(field, value)) return true;
  const std::size_t sign = field.find_last_of("+-");  // of an exponent without its letter
  if (sign == std::string_view::npos || sign == 0) return false;
  const char before = field[sign - 1];
  if (before != '.' && (before < '0' || before > '9')) return false;
  return parse_real(std::string(field.substr(0, sign)) + "e" + std::string(field.substr(sign)), value);
}

NastranCards::NastranCards(const MeshSource& source, std::function<void(std::string_view)> comment)
    : lines_(source, "INCLUDE"), comment_(std::move(comment)), in_bulk_(!has_bulk_mark(source.bytes)) {}

bool NastranCards::next_line() {
  while (!ended_ && lines_.next()) {
    const std::string_view line = lines_.line();
    if (!in_bulk_) {
      in_bulk_ = begins_bulk(line);
      continue;
    }
    if (line.starts_with("$")) {
      comment_(line);
      continue;
    }
    line_ = without_tabs(line.substr(0, line.find('$')));
    if (trimmed(line_).empty() || begins_bulk(line_)) continue;
    return true;
  }
  return false;
}

bool NastranCards::take_include() {
  if (upper_case(std::string_view(line_).substr(0, 7)) != "INCLUDE") return false;
  std::string_view path = trimmed(std::string_view(line_).substr(7));
  const bool quoted = path.size() > 1 && (path.front() == '\'' || path.front() == '"');
  if (quoted && path.back() != path.front())
    lines_.fail("found an INCLUDE that goes on in the next line, expected its path in one line");
  if (quoted) path = path.substr(1, path.size() - 2);
  lines_.include(std::string(path));
  return true;
}

// Fields of a line, past its name or continuation mark.
void NastranCards::append_fields(std::string_view line) {
  constexpr std::size_t placed = 64;  // later fields are those of lists, where blank ones have no meaning
  const std::string head(trimmed(line.substr(0, std::min(line.find(','), small_field))));
  const bool large = head.find('*') != std::string::npos;
  const std::size_t count = large ? 4 : 8;
  const auto append = [&](std::string_view field) {
    field = trimmed(field);
    if (card_.fields.size() < placed || !field.empty()) card_.fields.emplace_back(field);
  };
  if (line.find(',') != std::string_view::npos) {
    std::string_view rest = line.substr(line.find(',') + 1);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      append(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (rest.find(',') != std::string_view::npos && !trimmed(rest.substr(rest.find(',') + 1)).empty())
      lines_.fail("found more than {} fields in a line, expected the others in a line that begins with a comma",
                  count + 2);
  } else {
    const std::size_t width = large ? 2 * small_field : small_field;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t begin = small_field + k * width;
      append(begin < line.size() ? line.substr(begin, width) : std::string_view());
    }
  }
}

bool NastranCards::next() {
  do {
    if (!next_line()) return false;
  } while (take_include());
  card_.fields.clear();
  card_.place = lines_.place();
  std::string name = upper_case(trimmed(std::string_view(line_).substr(0, std::min(line_.find(','), small_field))));
  if (name == "ENDDATA") {
    ended_ = true;
    return false;
  }
  std::erase(name, '*');
  name = trimmed(name);
  if (!is_card_name(name)) fail("found '{}', expected a bulk data card such as GRID or CTETRA", printable(line_));
  card_.name = name;
  append_fields(line_);
  while (next_line()) {  // continuations begin with +, * or a blank field
    const bool free =
        line_.find(',') < small_field && trimmed(std::string_view(line_).substr(0, line_.find(','))).empty();
    const bool blank = trimmed(std::string_view(line_).substr(0, small_field)).empty();
    if (line_.front() != '+' && line_.front() != '*' && !free && !blank) {
      lines_.hold();
      break;
    }
    append_fields(line_);
  }
  return true;
}

std::string_view NastranCards::field(std::size_t k) const {
  return k < card_.fields.size() ? std::string_view(card_.fields[k]) : std::string_view();
}

std::int64_t NastranCards::integer(std::size_t k, std::string_view what, std::int64_t least, std::int64_t most) const {
  std::int64_t value;
  if (!parse_integer(field(k), value) || value < least || value > most) {
    fail("found '{}' in a {} card, expected {} (an integer from {} to {})", printable(field(k)), card_.name, what,
         least, most);
  }
  return value;
}

double NastranCards::real(std::size_t k, std::string_view what, double otherwise) const {
  if (field(k).empty()) return otherwise;
  double value;
  if (!parse_nastran_real(field(k), value))
    fail("found '{}' in a {} card, expected {} (a number)", printable(field(k)), card_.name, what);
  return value;
}

}  // namespace sinew
