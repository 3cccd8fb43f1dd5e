#include "sinew/scene/mesh_cache.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <unistd.h>

#include "sinew/core/archive.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/core/log.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

constexpr const char* mesh_extension = ".msh";
constexpr const char* record_extension = ".hash";

// The record of a file's bytes; empty when it cannot be read.
std::string record_of(const std::string& path) {
  constexpr std::size_t block = 1 << 20;
  if (!why_unfit(path).empty()) return "";
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  ContentHash hash;
  std::size_t bytes = 0;
  for (std::vector<char> buffer(block); file;) {
    file.read(buffer.data(), static_cast<std::streamsize>(block));
    hash.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
    bytes += static_cast<std::size_t>(file.gcount());
  }
  return file.bad() ? "" : fmt::format("{} {}\n", hash.hex(), bytes);
}

// Empty where there is none.
std::string text_of(const std::string& path) {
  try {
    return read_whole_file(path);
  } catch (const InputError&) {
    return "";
  }
}

// Of this process and call alone.
std::string temporary_name(const std::string& name) {
  static std::atomic<int> count = 0;
  return fmt::format(".{}.sinew-tmp-{}-{}{}", name, ::getpid(), count++, mesh_extension);
}

// Empty when files can be made in the folder, which is made when it is not there; else why they cannot.
std::string why_unwritable(const std::string& folder) {
  if (folder.empty()) return "neither XDG_CACHE_HOME nor HOME is set";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fmt::format("{}: {}", folder, error.message());
  return ::access(folder.c_str(), W_OK) == 0 ? "" : fmt::format("{}: {}", folder, std::strerror(errno));
}

std::string make_temporary_folder() {
  std::string pattern = (fs::temp_directory_path() / "sinew-mesh-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw SimulationError(code::output_write, fmt::format("{}: {}", pattern, std::strerror(errno)));
  return pattern;
}

}  // namespace

MeshCache::~MeshCache() {
  std::error_code ignored;
  if (temporary()) fs::remove_all(temporary_folder_, ignored);
}

std::optional<std::string> MeshCache::find(const std::string& name) const {
  const std::string& folder = temporary() ? temporary_folder_ : folder_;
  const std::string base = folder + "/" + name, path = base + mesh_extension;
  const std::string record = text_of(base + record_extension);
  if (folder.empty() || record.empty()) return {};  // a mesh without its record is one being stored
  if (record_of(path) == record) return path;
  log::warning("{}: the cached mesh is damaged or missing; it is made again", path);
  return {};
}

std::string MeshCache::store(const std::string& name, const std::function<void(const std::string& path)>& make) {
  const std::string base = writable_folder() + "/" + name, path = base + mesh_extension;
  const fs::path temporary = fs::path(path).parent_path() / temporary_name(name);
  std::error_code error;
  try {
    make(temporary.string());
    const std::string record = record_of(temporary.string());
    if (record.empty())
      throw SimulationError(code::output_write, fmt::format("{}: the cached mesh does not exist", temporary.string()));
    fs::rename(temporary, path);
    remove_unless_regular(base + record_extension);
    write_file_atomically(base + record_extension, record);
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
  return path;
}

std::string MeshCache::writable_folder() {
  if (temporary()) return temporary_folder_;
  const std::string reason = why_unwritable(folder_);
  if (reason.empty()) return folder_;
  log::warning("meshes of gallery shapes cannot be cached: {}", reason);
  temporary_folder_ = make_temporary_folder();
  return temporary_folder_;
}

}  // namespace sinew
