#include "sinew/formats/npz.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <zip.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

constexpr time_t entry_time = 315532800;  // 1980-01-01, the first that ZIP knows: files tell no time
constexpr std::uint64_t most_entry_bytes = std::uint64_t{1} << 40;

std::string file_of(const std::string& name) {
  return name + ".npy";
}

[[noreturn]] void fail_write(const std::string& path, const std::string& reason) {
  throw SimulationError(code::output_write, fmt::format("{}: cannot be written: {}", path, reason));
}

std::string message_of(zip_error_t& error) {
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

}  // namespace

// A text is a number of UCS-4 characters.
void NpzWriter::add_text(const std::string& name, const std::string& ascii) {
  std::string bytes = npy_header(fmt::format("<U{}", ascii.size()), false, "()");
  for (const char c : ascii) bytes += {c, 0, 0, 0};
  entries_[name] = bytes;
}

// Entries are stored without compression, as numpy.savez does: modes hardly shrink.
void NpzWriter::write(const std::string& path) const {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* whole = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* archive = whole ? zip_open_from_source(whole, ZIP_TRUNCATE, &error) : nullptr;
  if (!archive) fail_write(path, message_of(error));
  zip_source_keep(whole);
  for (const auto& [name, bytes] : entries_) {
    zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive, file_of(name).c_str(), source, ZIP_FL_ENC_UTF_8);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    zip_file_set_mtime(archive, static_cast<zip_uint64_t>(index), entry_time, 0);
  }
  if (zip_close(archive) != 0) fail_write(path, zip_strerror(archive));
  std::string bytes;
  zip_stat_t stat;
  if (zip_source_stat(whole, &stat) == 0 && zip_source_open(whole) == 0) {
    bytes.resize(stat.size);
    if (zip_source_read(whole, bytes.data(), bytes.size()) != static_cast<zip_int64_t>(bytes.size())) bytes.clear();
    zip_source_close(whole);
  }
  zip_source_free(whole);
  if (bytes.empty()) fail_write(path, "the archive was lost");
  write_file_atomically(path, bytes);
}

struct NpzReader::Archive {
  zip_t* zip = nullptr;
  ~Archive() {
    if (zip) zip_discard(zip);
  }
};

NpzReader::NpzReader(std::string path) : path_(std::move(path)), archive_(std::make_unique<Archive>()) {
  require_fit(path_);
  int code = 0;
  archive_->zip = zip_open(path_.c_str(), ZIP_RDONLY, &code);
  if (archive_->zip) return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  fail_input(code::array_file, "{}: not a NumPy .npz file ({}); expected one that `sinew modes` or numpy.savez wrote",
             path_, message_of(error));
}

NpzReader::~NpzReader() = default;

bool NpzReader::has(const std::string& name) const {
  return zip_name_locate(archive_->zip, file_of(name).c_str(), 0) >= 0;
}

std::string NpzReader::entry(const std::string& name) const {
  zip_stat_t stat;
  zip_file_t* file = nullptr;
  if (zip_stat(archive_->zip, file_of(name).c_str(), 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE) ||
      !(file = zip_fopen(archive_->zip, file_of(name).c_str(), 0)))
    fail_input(code::array_file, "{}: has no array \"{}\"; expected a file that `sinew modes` wrote", path_, name);
  std::string bytes;
  bool whole = stat.size < most_entry_bytes;
  // In pieces: the size that a damaged archive states is not to be trusted with memory.
  constexpr std::uint64_t piece = std::uint64_t{1} << 24;
  while (whole && bytes.size() < stat.size) {
    const std::size_t at = bytes.size(), wanted = std::min(piece, stat.size - at);
    bytes.resize(at + wanted);
    const zip_int64_t got = zip_fread(file, bytes.data() + at, wanted);
    whole = got > 0;
    bytes.resize(at + static_cast<std::size_t>(std::max<zip_int64_t>(got, 0)));
  }
  // Past the end the checksum is compared.
  char none;
  whole = whole && zip_fread(file, &none, 1) == 0;
  zip_fclose(file);
  if (!whole)
    fail_input(code::array_file, "{}: array \"{}\" is truncated or damaged; make the file again", path_, name);
  return bytes;
}

NumberArray NpzReader::array(const std::string& name) const {
  return parse_npy(entry(name), fmt::format("{} ({})", path_, name));
}

std::string NpzReader::text(const std::string& name) const {
  const std::string bytes = entry(name);
  const std::size_t type = bytes.find("'<U"), end = bytes.find('\n');
  if (!bytes.starts_with("\x93NUMPY") || type == std::string::npos || end == std::string::npos || type > end)
    fail_input(code::array_file, "{}: array \"{}\" is not text", path_, name);
  std::string text;
  for (std::size_t at = end + 1; at + 4 <= bytes.size(); at += 4)
    if (bytes[at] != 0) text += bytes[at];
  return printable(text);
}

}  // namespace sinew
