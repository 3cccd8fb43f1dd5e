// The bulk data cards of Nastran files: small, large and free fields with continuations.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/formats/included_lines.h"

namespace sinew {

// Converts a number as Nastran writes it: 1.5, 1.5-3, 7.+5, 1.5D-3. Returns false for other text.
bool parse_nastran_real(std::string_view field, double& value);

struct NastranCard {
  std::string name;                 // upper case, without the star of large fields
  std::vector<std::string> fields;  // after the name, without blanks; fields of the first lines keep their places
  LinePlace place;
};

class NastranCards {
 public:
  // comment: gets the lines that begin with a dollar sign.
  NastranCards(const MeshSource& source, std::function<void(std::string_view)> comment);

  // Moves to the next card; false at ENDDATA and at the end. Follows INCLUDE. Skips what is before BEGIN BULK.
  bool next();

  const NastranCard& card() const { return card_; }
  const IncludedLines& source() const { return lines_; }

  // Field k of the card from 0 on; empty if the card is shorter.
  std::string_view field(std::size_t k) const;
  std::int64_t integer(std::size_t k, std::string_view what, std::int64_t least, std::int64_t most) const;
  double real(std::size_t k, std::string_view what, double otherwise) const;

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    lines_.fail_at(card_.place, format, std::forward<Args>(args)...);
  }

 private:
  bool next_line();     // a line of bulk data without its comment; false at the end
  bool take_include();  // whether the line is one
  void append_fields(std::string_view line);

  IncludedLines lines_;
  std::function<void(std::string_view)> comment_;
  NastranCard card_;
  std::string line_;
  bool in_bulk_ = false, ended_ = false;
};

}  // namespace sinew
