// The lines of a text file and of the files that it includes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/formats/byte_reader.h"
#include "sinew/formats/mesh_file.h"

namespace sinew {

// A line of a file or of an include, for errors that are found later.
struct LinePlace {
  std::uint32_t file = 0, line = 0;
};

class IncludedLines {
 public:
  // source: must outlive this. keyword: names an include in the format, for errors.
  IncludedLines(const MeshSource& source, std::string keyword);

  // Moves to the next line; false at the end. The end of an include leads back to the file that names it.
  bool next();
  // next() gives the current line again.
  void hold() { held_ = true; }
  // Moves to the next line. Throws InputError at the end, where `what` was expected.
  void require(std::string_view what);

  // The following lines come from another file, by its path relative to the folder of the first file. Throws
  // InputError for files that are missing, recursive, nested more than 20 deep or included more than 8 times.
  void include(const std::string& path);

  std::string_view line() const { return line_; }  // valid until next()
  LinePlace place() const { return files_.back()->place; }
  // Bytes of all files so far.
  std::size_t bytes() const { return bytes_; }

  // Throws InputError "file:line: ...", located at the current line or at another one.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(place(), format, std::forward<Args>(args)...);
  }
  template <class... Args>
  [[noreturn]] void fail_at(LinePlace place, fmt::format_string<Args...> format, Args&&... args) const {
    throw InputError(code::file_format, fmt::format("{}:{}: ", names_[place.file], std::max(place.line, 1u)) +
                                            fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  struct File {
    File(std::string given_path, const std::string& name, std::string given_bytes)
        : path(std::move(given_path)), bytes(std::move(given_bytes)), reader(name, bytes) {}
    std::string path, bytes;
    ByteReader reader;
    LinePlace place;
  };

  void open(const std::string& path, std::string bytes);

  const MeshSource& source_;
  std::string keyword_;
  std::vector<std::unique_ptr<File>> files_;  // that are open; each includes the next one
  std::vector<std::string> names_;            // of all files
  std::map<std::string, int> times_;
  std::string_view line_;
  std::size_t bytes_ = 0;
  bool held_ = false;
};

}  // namespace sinew
