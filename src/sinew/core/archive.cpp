#include "sinew/core/archive.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <sstream>
#include <string_view>
#include <utility>

#include <hdf5.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"

// The file is an HDF5 file behind a user block of 512 bytes, which any HDF5 reader skips. The block holds a line with
// format, version and kind, and one with size and hash of the rest. Both are checked before HDF5 sees a byte: it is not
// hardened against damaged input. Files are made and read in memory, so every failing disk access is ours to report.

namespace sinew {
namespace {

constexpr int format_version = 2;
constexpr std::size_t header_size = 512;
constexpr std::string_view magic = "sinew archive ";
constexpr std::array<char, 8> hdf5_signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
constexpr std::size_t memory_increment = 1 << 20;

// The HDF5 library keeps global state and is not built thread-safe.
std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::unique_lock<std::mutex> lock_hdf5() {
  std::unique_lock lock(hdf5_mutex());
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // our exceptions say what is wrong
  return lock;
}

// An HDF5 identifier that is closed at the end of its scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

std::string hash_of(std::string_view bytes) {
  ContentHash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

std::string make_header(const std::string& kind, std::string_view body) {
  std::string header =
      fmt::format("{}{} {}\n{} bytes follow, hash {}\n", magic, format_version, kind, body.size(), hash_of(body));
  header.resize(header_size, '\0');
  return header;
}

// Why a file that does not start with our magic is no archive.
std::string foreign_reason(std::string_view file) {
  const std::string_view signature(hdf5_signature.data(), hdf5_signature.size());
  if (file.empty()) return "the file is empty";
  if (file.starts_with(signature)) return "an HDF5 file, but not one that sinew wrote";
  if (magic.starts_with(file)) return fmt::format("the file is cut off after {} bytes", file.size());
  return "not a file that sinew wrote";
}

void check_header(const std::string& path, const std::string& kind, std::string_view file) {
  const auto refuse = [&](const std::string& reason) {
    fail_input(code::file_type, "{}: expected a sinew {}, found: {}", path, kind, reason);
  };
  if (!file.starts_with(magic)) refuse(foreign_reason(file));
  if (file.size() < header_size) refuse(fmt::format("the file is cut off after {} bytes", file.size()));

  std::istringstream line(std::string(file.substr(magic.size(), header_size - magic.size())));
  int version = -1;
  std::string found_kind;
  std::size_t body_size = 0;
  line >> version;
  if (!line) refuse("a damaged header");
  if (version != format_version) {
    refuse(fmt::format(
        "format version {}, but this sinew reads version {}; use the version that wrote it, or run the scene again",
        version, format_version));
  }
  line >> found_kind >> body_size;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (!line || !std::all_of(found_kind.begin(), found_kind.end(), is_letter)) refuse("a damaged header");
  if (found_kind != kind) refuse(fmt::format("a sinew {}", found_kind));

  const std::string_view body = file.substr(header_size);
  if (body.size() < body_size) {
    refuse(fmt::format("the file is cut off: {} of {} bytes are there", file.size(), header_size + body_size));
  }
  if (file.substr(0, header_size) != make_header(kind, body)) {
    refuse("contents that do not match their hash; the file is damaged");
  }
}

// A name for a file in memory that no other open one has (HDF5 tells them apart by name).
std::string memory_name() {
  static std::atomic<unsigned long> counter{0};
  return fmt::format("sinew-memory-{}", counter++);
}

Handle memory_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, memory_increment, /*backing_store=*/false);
  return access;
}

}  // namespace

struct ArchiveWriter::Impl {
  std::string path, kind;
  hid_t file = -1;
  MemoryArchive* memory = nullptr;  // in place of a file

  ~Impl() {
    if (memory) return;
    const auto lock = lock_hdf5();
    if (file >= 0) H5Fclose(file);
  }

  // Whether there is no file: then the entry is kept.
  template <class Container>
  bool keep(const std::string& name, Container values) const {
    if (!memory) return false;
    if (!memory->entries.emplace(name, std::move(values)).second) fail(name);
    return true;
  }

  [[noreturn]] void fail(const std::string& name) const {
    throw SimulationError(code::output_write,
                          fmt::format("{}: cannot store '{}': out of memory, or the name is taken", path, name));
  }

  // `data` of `dims` in memory type `memory`, stored as `stored`.
  void write(const std::string& name, hid_t stored, hid_t memory, std::span<const hsize_t> dims, const void* data) {
    const auto lock = lock_hdf5();
    const Handle space(
        dims.empty() ? H5Screate(H5S_NULL) : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
        H5Sclose);
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);  // equal contents give equal files
    const Handle set(H5Dcreate2(file, name.c_str(), stored, space, links, creation, H5P_DEFAULT), H5Dclose);
    if (!set.ok()) fail(name);
    hsize_t count = dims.empty() ? 0 : 1;
    for (hsize_t d : dims) count *= d;
    if (count > 0 && H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail(name);
  }

  // The file behind the user block. HDF5 starts its image there too, and pads it by the size of the block.
  std::string image() const {
    const auto lock = lock_hdf5();
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    std::string bytes(static_cast<std::size_t>(std::max<ssize_t>(size, 0)), '\0');
    if (bytes.size() <= header_size || H5Fget_file_image(file, bytes.data(), bytes.size()) != size) {
      throw SimulationError(code::output_write, fmt::format("{}: cannot prepare the file: out of memory", path));
    }
    return bytes;
  }
};

ArchiveWriter::ArchiveWriter(std::string path, std::string kind) : impl_(std::make_unique<Impl>()) {
  impl_->path = std::move(path);
  impl_->kind = std::move(kind);
  const auto lock = lock_hdf5();
  const Handle access = memory_access();
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_userblock(creation, header_size);
  impl_->file = H5Fcreate(memory_name().c_str(), H5F_ACC_TRUNC, creation, access);
  if (impl_->file < 0)
    throw SimulationError(code::output_write, fmt::format("{}: cannot prepare the file: out of memory", impl_->path));
}

ArchiveWriter::ArchiveWriter(MemoryArchive& memory) : impl_(std::make_unique<Impl>()) {
  impl_->path = "state";
  impl_->memory = &memory;
}

ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::write(const std::string& name, std::span<const double> values) {
  if (impl_->keep(name, std::vector<double>(values.begin(), values.end()))) return;
  const hsize_t dims[] = {values.size()};
  impl_->write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dims, values.data());
}

void ArchiveWriter::write(const std::string& name, std::span<const std::int64_t> values) {
  if (impl_->keep(name, std::vector<std::int64_t>(values.begin(), values.end()))) return;
  const hsize_t dims[] = {values.size()};
  impl_->write(name, H5T_STD_I64LE, H5T_NATIVE_INT64, dims, values.data());
}

void ArchiveWriter::write(const std::string& name, std::span<const std::int32_t> values) {
  if (impl_->keep(name, std::vector<std::int32_t>(values.begin(), values.end()))) return;
  const hsize_t dims[] = {values.size()};
  impl_->write(name, H5T_STD_I32LE, H5T_NATIVE_INT32, dims, values.data());
}

void ArchiveWriter::write(const std::string& name, const std::string& text) {
  if (impl_->keep(name, text)) return;
  const hsize_t dims[] = {text.size()};
  impl_->write(name, H5T_STD_U8LE, H5T_NATIVE_UCHAR, dims, text.data());
}

void ArchiveWriter::write(const std::string& name, const Points& points) {
  if (impl_->keep(name, std::vector<double>(points.data(), points.data() + points.size()))) return;
  const hsize_t dims[] = {static_cast<hsize_t>(points.cols()), 3};
  impl_->write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dims, points.data());
}

void ArchiveWriter::commit() {
  const std::string body = impl_->image();
  const std::string header = make_header(impl_->kind, body);
  const std::array<std::string_view, 2> pieces{header, body};
  write_file_atomically(impl_->path, pieces, Durability::synced);
}

std::string ArchiveWriter::bytes() const {
  const std::string body = impl_->image();
  return make_header(impl_->kind, body) + body;
}

struct ArchiveReader::Impl {
  std::string path;
  hid_t file = -1;
  const MemoryArchive* memory = nullptr;  // in place of a file

  ~Impl() {
    if (memory) return;
    const auto lock = lock_hdf5();
    if (file >= 0) H5Fclose(file);
  }

  [[noreturn]] void fail_missing(const std::string& name) const {
    fail_input(code::file_damaged,
               "{}: has no entry '{}'; another method or another version of sinew wrote this file. Start the run again",
               path, name);
  }

  [[noreturn]] void fail_type(const std::string& name) const {
    fail_input(code::file_damaged, "{}: entry '{}' has the wrong type; start the run again", path, name);
  }

  // The caller holds the lock.
  Handle open(const std::string& name) const {
    Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.ok()) fail_missing(name);
    return set;
  }

  template <class Container>
  const Container& kept(const std::string& name) const {
    const auto entry = memory->entries.find(name);
    if (entry == memory->entries.end()) fail_missing(name);
    const auto* values = std::get_if<Container>(&entry->second);
    if (!values) fail_type(name);
    return *values;
  }

  // All values of a dataset whose stored type is `stored`.
  template <class T>
  std::vector<T> read(const std::string& name, hid_t stored, hid_t memory) const {
    const auto lock = lock_hdf5();
    const Handle set = open(name);
    const Handle type(H5Dget_type(set), H5Tclose);
    if (H5Tequal(type, stored) <= 0) fail_type(name);
    const Handle space(H5Dget_space(set), H5Sclose);
    std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    if (!values.empty() && H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
      fail_input(code::file_damaged, "{}: entry '{}' cannot be read; start the run again", path, name);
    }
    return values;
  }
};

ArchiveReader::ArchiveReader(const std::string& path, const std::string& kind)
    : ArchiveReader(read_whole_file(path), kind, path) {}

ArchiveReader::ArchiveReader(std::string bytes, const std::string& kind, const std::string& source)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = source;
  check_header(source, kind, bytes);
  const auto lock = lock_hdf5();
  const Handle access = memory_access();
  H5Pset_file_image(access, bytes.data(), bytes.size());
  impl_->file = H5Fopen(memory_name().c_str(), H5F_ACC_RDONLY, access);
  if (impl_->file < 0)
    fail_input(code::file_type, "{}: expected a sinew {}, found: contents that are not HDF5", source, kind);
}

ArchiveReader::ArchiveReader(const MemoryArchive& memory, const std::string& source) : impl_(std::make_unique<Impl>()) {
  impl_->path = source;
  impl_->memory = &memory;
}

ArchiveReader ArchiveReader::from_bytes(std::string bytes, const std::string& kind, const std::string& source) {
  return ArchiveReader(std::move(bytes), kind, source);
}

ArchiveReader::~ArchiveReader() = default;

const std::string& ArchiveReader::source() const {
  return impl_->path;
}

bool ArchiveReader::has(const std::string& name) const {
  if (impl_->memory) return impl_->memory->entries.contains(name);
  const auto lock = lock_hdf5();
  // H5Lexists wants every group on the way to exist.
  for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
    if (H5Lexists(impl_->file, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return H5Lexists(impl_->file, name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<double> ArchiveReader::doubles(const std::string& name) const {
  if (impl_->memory) return impl_->kept<std::vector<double>>(name);
  return impl_->read<double>(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
}

std::vector<std::int64_t> ArchiveReader::integers(const std::string& name) const {
  if (impl_->memory) return impl_->kept<std::vector<std::int64_t>>(name);
  return impl_->read<std::int64_t>(name, H5T_STD_I64LE, H5T_NATIVE_INT64);
}

std::vector<std::int32_t> ArchiveReader::integers32(const std::string& name) const {
  if (impl_->memory) return impl_->kept<std::vector<std::int32_t>>(name);
  return impl_->read<std::int32_t>(name, H5T_STD_I32LE, H5T_NATIVE_INT32);
}

std::string ArchiveReader::text(const std::string& name) const {
  if (impl_->memory) return impl_->kept<std::string>(name);
  const auto bytes = impl_->read<char>(name, H5T_STD_U8LE, H5T_NATIVE_UCHAR);
  return std::string(bytes.begin(), bytes.end());
}

double ArchiveReader::scalar(const std::string& name) const {
  const auto values = doubles(name);
  if (values.size() != 1)
    fail_input(code::file_damaged, "{}: entry '{}' holds {} values, expected 1", impl_->path, name, values.size());
  return values.front();
}

std::int64_t ArchiveReader::integer(const std::string& name) const {
  const auto values = integers(name);
  if (values.size() != 1)
    fail_input(code::file_damaged, "{}: entry '{}' holds {} values, expected 1", impl_->path, name, values.size());
  return values.front();
}

Points ArchiveReader::points(const std::string& name) const {
  const auto values = doubles(name);
  if (values.size() % 3 != 0) {
    fail_input(code::file_damaged, "{}: entry '{}' holds {} values, expected a multiple of 3", impl_->path, name,
               values.size());
  }
  return Eigen::Map<const Points>(values.data(), 3, static_cast<Eigen::Index>(values.size() / 3));
}

void ContentHash::add(const void* data, std::size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(data);
  std::uint64_t value = value_;
  constexpr std::uint64_t prime = 1099511628211ull;
  std::size_t i = 0;
  for (; i + 8 <= bytes; i += 8) {  // words, folded so that their high bytes reach all bits
    std::uint64_t word;
    std::memcpy(&word, byte + i, 8);
    value = (value ^ word) * prime;
    value ^= value >> 32;
  }
  for (; i < bytes; ++i) value = (value ^ byte[i]) * prime;
  value_ = value;
}

std::string ContentHash::hex() const {
  return fmt::format("{:016x}", value_);
}

}  // namespace sinew
