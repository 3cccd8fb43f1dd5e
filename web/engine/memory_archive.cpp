// Archives in memory (core/archive.h). Pages have no files.
#include "sinew/core/archive.h"
#include "sinew/core/error.h"

namespace sinew {

struct ArchiveWriter::Impl {};
ArchiveWriter::~ArchiveWriter() = default;
void ArchiveWriter::write(const std::string&, std::span<const double>) {}
void ArchiveWriter::write(const std::string&, std::span<const std::int64_t>) {}
void ArchiveWriter::write(const std::string&, std::span<const std::int32_t>) {}
void ArchiveWriter::write(const std::string&, const std::string&) {}
void ArchiveWriter::write(const std::string&, const Points&) {}

struct ArchiveReader::Impl {
  const MemoryArchive& memory;
  std::string source;

  template <class T>
  const T& get(const std::string& name) const {
    const auto found = memory.entries.find(name);
    if (found == memory.entries.end()) fail_input(code::file_damaged, "{}: found no entry \"{}\"", source, name);
    const T* value = std::get_if<T>(&found->second);
    if (!value) fail_input(code::file_damaged, "{}: entry \"{}\" is of another type", source, name);
    return *value;
  }
};

ArchiveReader::ArchiveReader(const MemoryArchive& memory, const std::string& source)
    : impl_(new Impl{memory, source}) {}
ArchiveReader::~ArchiveReader() = default;

const std::string& ArchiveReader::source() const {
  return impl_->source;
}

bool ArchiveReader::has(const std::string& name) const {
  return impl_->memory.entries.contains(name);
}

std::vector<double> ArchiveReader::doubles(const std::string& name) const {
  return impl_->get<std::vector<double>>(name);
}

std::vector<std::int64_t> ArchiveReader::integers(const std::string& name) const {
  return impl_->get<std::vector<std::int64_t>>(name);
}

std::vector<std::int32_t> ArchiveReader::integers32(const std::string& name) const {
  return impl_->get<std::vector<std::int32_t>>(name);
}

std::string ArchiveReader::text(const std::string& name) const {
  return impl_->get<std::string>(name);
}

double ArchiveReader::scalar(const std::string& name) const {
  return doubles(name).at(0);
}

std::int64_t ArchiveReader::integer(const std::string& name) const {
  return integers(name).at(0);
}

Points ArchiveReader::points(const std::string& name) const {
  const std::vector<double>& values = impl_->get<std::vector<double>>(name);
  return Eigen::Map<const Points>(values.data(), 3, static_cast<Eigen::Index>(values.size() / 3));
}

}  // namespace sinew
