// The body of an answer: bytes, or a file that is read in parts as they go out.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/live/service.h"

namespace sinew::live {

class AnswerBody {
 public:
  // False: there is no such file.
  bool open(const Answer& answer);
  void close();

  std::uint64_t left() const { return part_.size() + file_left_; }  // bytes that have not been sent
  // Some of what is left; empty: nothing is, or the file has become shorter since it was opened.
  std::string_view next();
  void sent(std::size_t size) { part_.remove_prefix(size); }  // of what next() gave

 private:
  std::shared_ptr<const std::string> bytes_;
  std::ifstream file_;
  std::uint64_t file_left_ = 0;  // bytes that have not been read
  std::vector<char> chunk_;
  std::string_view part_;  // what is left of the bytes or the chunk
};

}  // namespace sinew::live
