// The keywords and data lines of Abaqus and CalculiX input files.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/formats/included_lines.h"

namespace sinew {

// "*SOLID SECTION, ELSET=part, MATERIAL=steel". Names and keys are upper case.
struct AbaqusKeyword {
  std::string name;  // without the star, single blanks: "SOLID SECTION"
  std::vector<std::pair<std::string, std::string>> parameters;
  int id = 0;            // of the group that follows, from a comment that sinew wrote; 0: none
  bool unnamed = false;  // from the same comment: the group has no name, the label only stands for one
  LinePlace place;

  // Whether the name is this one; blanks do not count.
  bool is(std::string_view other) const;
  bool has(std::string_view key) const;
  // The value of a parameter without quotes; empty if there is none.
  std::string value(std::string_view key) const;
};

// Upper case without blanks: Abaqus compares names so, unless they are quoted.
std::string abaqus_key(std::string_view name);

class AbaqusLines {
 public:
  explicit AbaqusLines(const MeshSource& source) : lines_(source, "*INCLUDE") {}

  // Moves to the next keyword, past data lines; false at the end. Follows *INCLUDE and parameters INPUT.
  bool next_keyword(AbaqusKeyword& keyword);

  // The fields of the next data line of the keyword, without blanks and quotes; false at the next keyword. They are
  // valid until the next call.
  bool next_data(std::vector<std::string_view>& fields);
  // Whether the data line ends with a comma, so that the next one continues it.
  bool continued() const { return continued_; }

  const IncludedLines& source() const { return lines_; }
  LinePlace place() const { return lines_.place(); }

  std::int64_t integer(std::string_view field, std::string_view what, std::int64_t least, std::int64_t most) const;
  double real(std::string_view field, std::string_view what) const;

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    lines_.fail(format, std::forward<Args>(args)...);
  }

 private:
  bool next();  // a line that is neither blank nor a comment
  void note(std::string_view comment);

  IncludedLines lines_;
  std::string_view line_;
  bool continued_ = false;
  int id_ = 0;
  bool unnamed_ = false;
};

}  // namespace sinew
