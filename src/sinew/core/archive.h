// Archives for checkpoints and caches: named arrays and scalars in a versioned HDF5 file. An archive is written whole
// or not at all. A foreign, truncated or older archive is refused with a reason.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// The entries of an archive that stays in memory, by name: for states that a program keeps and goes back to.
struct MemoryArchive {
  using Entry = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::int32_t>, std::string>;
  std::map<std::string, Entry> entries;
};

class ArchiveWriter {
 public:
  // kind: type of the archive ("checkpoint", "cache"); a reader must ask for the same kind.
  ArchiveWriter(std::string path, std::string kind);
  // Writes to `memory`, which must outlive this. commit() and bytes() have no use then.
  explicit ArchiveWriter(MemoryArchive& memory);
  ~ArchiveWriter();  // without commit(), no file appears at `path`
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  // Names may contain '/' for grouping, for example "stepper/velocity".
  void write(const std::string& name, std::span<const double> values);
  void write(const std::string& name, std::span<const std::int64_t> values);
  void write(const std::string& name, std::span<const std::int32_t> values);
  void write(const std::string& name, const std::string& text);
  void write(const std::string& name, double value) { write(name, std::span<const double>(&value, 1)); }
  void write(const std::string& name, std::int64_t value) { write(name, std::span<const std::int64_t>(&value, 1)); }
  void write(const std::string& name, const Points& points);  // stored as n x 3

  // Flushes, checks and renames to the final path. Throws SimulationError naming the path if writing fails.
  void commit();

  // Returns the archive as bytes in memory.
  std::string bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class ArchiveReader {
 public:
  // Opens an archive. Throws InputError naming the file and the reason.
  ArchiveReader(const std::string& path, const std::string& kind);
  // Reads from `memory`, which must outlive this. source: replaces the path in error messages.
  ArchiveReader(const MemoryArchive& memory, const std::string& source);
  ~ArchiveReader();

  // Reads the bytes of ArchiveWriter::bytes(). source: replaces the path in error messages.
  static ArchiveReader from_bytes(std::string bytes, const std::string& kind, const std::string& source);

  const std::string& source() const;  // the path, for errors
  bool has(const std::string& name) const;
  std::vector<double> doubles(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::vector<std::int32_t> integers32(const std::string& name) const;
  std::string text(const std::string& name) const;
  double scalar(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  Points points(const std::string& name) const;

 private:
  ArchiveReader(std::string bytes, const std::string& kind, const std::string& source);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// 64-bit hash of contents, for cache keys and checks of checkpoints: FNV-1a over words of 8 bytes and the remainder.
class ContentHash {
 public:
  void add(const void* data, std::size_t bytes);
  void add(const std::string& text) { add(text.data(), text.size()); }
  template <class T>
  void add_values(std::span<const T> values) {
    add(values.data(), values.size_bytes());
  }
  std::uint64_t value() const { return value_; }
  std::string hex() const;

 private:
  std::uint64_t value_ = 14695981039346656037ull;
};

}  // namespace sinew
