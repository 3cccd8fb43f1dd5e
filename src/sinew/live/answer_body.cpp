#include "sinew/live/answer_body.h"

#include <algorithm>
#include <filesystem>

namespace sinew::live {
namespace {

constexpr std::size_t chunk_size = 65536;  // bytes of a file that are read at once

}  // namespace

bool AnswerBody::open(const Answer& answer) {
  close();
  if (answer.bytes) {
    bytes_ = answer.bytes;
    part_ = *bytes_;
    return true;
  }
  std::error_code error;
  file_ = std::ifstream(answer.file, std::ios::binary);
  const std::uint64_t size = std::filesystem::file_size(answer.file, error);
  if (!file_ || error) return false;
  file_left_ = size;
  return true;
}

void AnswerBody::close() {
  part_ = {};
  bytes_.reset();
  chunk_ = {};
  file_.close();
  file_left_ = 0;
}

std::string_view AnswerBody::next() {
  if (part_.empty() && file_left_ > 0) {
    chunk_.resize(chunk_size);
    file_.read(chunk_.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(chunk_size, file_left_)));
    part_ = {chunk_.data(), static_cast<std::size_t>(file_.gcount())};
    file_left_ -= part_.size();
  }
  return part_;
}

}  // namespace sinew::live
