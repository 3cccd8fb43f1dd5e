// Rows of numbers in text files, such as measured curves.
#pragma once

#include <string>
#include <vector>

namespace sinew {

struct NumberRow {
  std::string place;  // file and line, for messages
  std::vector<double> values;
};

// Reads rows of `columns` numbers, separated by commas, semicolons or blanks. A first line without numbers counts as a
// header. Lines that begin with # are skipped. expected: what a row is, for messages. Throws InputError naming file and
// line.
std::vector<NumberRow> read_number_rows(const std::string& path, std::size_t columns, const std::string& expected);

// Throws InputError if there are fewer than three rows.
void require_enough_rows(const std::string& path, std::size_t rows);

}  // namespace sinew
