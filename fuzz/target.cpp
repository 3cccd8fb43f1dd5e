#include "target.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <unistd.h>

#include "sinew/core/log.h"
#include "sinew/core/utf8.h"

namespace sinew::fuzz {
namespace {

class Scratch {
 public:
  Scratch() {
    // In memory where the system has such a folder: a file is written for every input.
    const char* parent = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    path_ = std::string(parent) + "/sinew-fuzz-" + std::to_string(::getpid());
    std::filesystem::create_directories(path_);
    log::set_sink([](log::Level, std::string_view text) { check_message(text); });
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

void check_message(std::string_view text) {
  if (text.empty()) throw std::logic_error("an empty message");
  if (!is_utf8(text)) throw std::logic_error("a message that is not UTF-8");
}

const std::string& scratch_folder() {
  static const Scratch scratch;
  return scratch.path();
}

std::string file_with(const std::string& name, std::string_view bytes) {
  const std::string path = scratch_folder() + "/" + name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
  return path;
}

std::uint8_t take_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<std::uint8_t>(input.front());
  input.remove_prefix(1);
  return byte;
}

}  // namespace sinew::fuzz
