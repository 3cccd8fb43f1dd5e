// Reads and writes NumPy .npz files: named arrays of numbers, as a ZIP archive of .npy files.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "sinew/formats/npy.h"

namespace sinew {

class NpzWriter {
 public:
  void add(const std::string& name, Eigen::Ref<const MatX> values) { entries_[name] = npy_bytes(values); }
  void add_vector(const std::string& name, Eigen::Ref<const VecX> values) { entries_[name] = npy_bytes(values, true); }
  void add_text(const std::string& name, const std::string& ascii);  // stored as an array without dimensions

  // Writes the file, whole or not at all; the same arrays give the same bytes. Throws SimulationError naming the path.
  void write(const std::string& path) const;

 private:
  std::map<std::string, std::string> entries_;
};

class NpzReader {
 public:
  // Opens a file. Throws InputError naming the file and the reason.
  explicit NpzReader(std::string path);
  ~NpzReader();
  NpzReader(const NpzReader&) = delete;
  NpzReader& operator=(const NpzReader&) = delete;

  bool has(const std::string& name) const;
  // Throw InputError naming the file and the array if there is no array of that name, or if it is of another type.
  NumberArray array(const std::string& name) const;
  std::string text(const std::string& name) const;

 private:
  struct Archive;
  std::string entry(const std::string& name) const;

  std::string path_;
  std::unique_ptr<Archive> archive_;
};

}  // namespace sinew
