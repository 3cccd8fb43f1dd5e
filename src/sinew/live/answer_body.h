// The body of an HTTP answer: bytes, or a file that is read in parts while it is sent.
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
  // Returns false if the file does not exist.
  bool open(const Answer& answer);
  void close();

  std::uint64_t left() const { return part_.size() + file_left_; }  // unsent bytes
  // Returns the next bytes to send; empty after the last, or if the file has become shorter since open().
  std::string_view next();
  void sent(std::size_t size) { part_.remove_prefix(size); }  // call after `size` bytes of next() were sent

 private:
  std::shared_ptr<const std::string> bytes_;
  std::ifstream file_;
  std::uint64_t file_left_ = 0;  // unread bytes
  std::vector<char> chunk_;
  std::string_view part_;  // unsent part of bytes_ or chunk_
};

}  // namespace sinew::live
