#include "sinew/io/pc2_file.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little);

struct Header {
  char magic[12] = {'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'};
  std::int32_t version = 1;
  std::int32_t vertices = 0;
  float first_frame = 0;
  float frames_per_sample = 1;
  std::int32_t samples = 0;
};
static_assert(sizeof(Header) == 32);

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool open() const { return fd_ >= 0; }
  int get() const { return fd_; }

  [[noreturn]] void fail() const {
    throw SimulationError(code::output_write, fmt::format("{}: cannot write: {}; earlier samples are complete", path_,
                                                          std::strerror(errno)));
  }

  void write(const void* data, std::size_t size, std::int64_t offset) const {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
      const ssize_t written = ::pwrite(fd_, bytes, size, offset);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes += written;
      size -= static_cast<std::size_t>(written);
      offset += written;
    }
  }

 private:
  const std::string& path_;
  int fd_;
};

std::string_view view(const Header& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

}  // namespace

std::int64_t Pc2File::bytes(int samples) const {
  return static_cast<std::int64_t>(sizeof(Header)) + std::int64_t{12} * samples * vertices_;
}

int Pc2File::samples() const {
  require_fit(path_);
  const Descriptor file(path_, O_RDONLY);
  if (!file.open()) return 0;
  Header header;
  const Header expected;
  if (::pread(file.get(), &header, sizeof header, 0) != sizeof header ||
      std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.version != 1) {
    fail_input(code::resume_output,
               "{}: expected a PC2 point cache (version 1), found another file; start again in another folder or with "
               "--overwrite",
               path_);
  }
  if (header.vertices != vertices_) {
    fail_input(
        code::resume_output,
        "{}: expected a point cache of {} vertices, found one of {}; start again in another folder or with --overwrite",
        path_, vertices_, header.vertices);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || header.samples < 0 || status.st_size < bytes(header.samples)) {
    fail_input(code::resume_output,
               "{}: its header announces {} samples, but the file ends earlier; start again in another folder or with "
               "--overwrite",
               path_, header.samples);
  }
  return header.samples;
}

void Pc2File::append(const Points& x) {
  std::vector<float> values(static_cast<std::size_t>(x.size()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(x.data()[i]);
  if (samples_ < 0) samples_ = samples();
  if (samples_ == 0) {
    Header header;
    header.vertices = vertices_;
    write_file_atomically(path_, view(header));
  }
  const Descriptor file(path_, O_WRONLY);
  if (!file.open()) file.fail();
  file.write(values.data(), values.size() * sizeof(float), bytes(samples_));
  // Only now the sample counts.
  const std::int32_t count = samples_ + 1;
  file.write(&count, sizeof count, offsetof(Header, samples));
  samples_ = count;
}

Eigen::Matrix3Xf Pc2File::read(int number) const {
  Eigen::Matrix3Xf x(3, vertices_);
  const Descriptor file(path_, O_RDONLY);
  char* to = reinterpret_cast<char*>(x.data());
  std::size_t left = sizeof(float) * static_cast<std::size_t>(x.size());
  std::int64_t from = bytes(number);
  while (file.open() && left > 0) {
    const ssize_t got = ::pread(file.get(), to, left, from);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    to += got;
    from += got;
    left -= static_cast<std::size_t>(got);
  }
  if (file.open() && left == 0) return x;
  throw SimulationError(code::output_write, fmt::format("{}: cannot read sample {} again", path_, number));
}

void Pc2File::truncate(int count) {
  samples_ = samples();
  if (samples_ <= count) return;
  const Descriptor file(path_, O_WRONLY);
  if (!file.open()) file.fail();
  const std::int32_t left = count;
  file.write(&left, sizeof left, offsetof(Header, samples));
  if (::ftruncate(file.get(), bytes(count)) != 0) file.fail();
  samples_ = count;
}

}  // namespace sinew
