#include "sinew/io/vtu_series.h"

#include <filesystem>
#include <vector>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

constexpr int step_digits = 6;

// The step in a frame's file name, or -1 for other files.
int step_of(const std::string& file_name, const std::string& stem) {
  const std::string prefix = stem + "_", suffix = ".vtu";
  if (!file_name.starts_with(prefix) || !file_name.ends_with(suffix)) return -1;
  const std::string digits = file_name.substr(prefix.size(), file_name.size() - prefix.size() - suffix.size());
  if (digits.size() < step_digits || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  return std::stoi(digits);
}

}  // namespace

std::string VtuSeries::file_name(int step) const {
  return fmt::format("{}_{:0{}}.vtu", stem_, step, step_digits);
}

std::vector<std::string> VtuSeries::files() const {
  std::map<int, std::string> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder_, none)) {
    const int step = step_of(entry.path().filename().string(), stem_);
    if (step >= 0) found[step] = entry.path().string();
  }
  std::vector<std::string> paths;
  for (const auto& [step, path] : found) paths.push_back(path);
  return paths;
}

void VtuSeries::add(int step, double time) {
  frames_[step] = time;
  write_list();
}

void VtuSeries::keep_until(int step, const std::map<int, double>& times) {
  frames_.clear();
  if (!fs::is_directory(folder_)) return;
  std::vector<fs::path> doomed{list_path()};
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const int found = step_of(entry.path().filename().string(), stem_);
    if (found < 0) continue;
    const auto time = times.find(found);
    if (found <= step && time != times.end()) {
      frames_[found] = time->second;
    } else {
      doomed.push_back(entry.path());
    }
  }
  for (const fs::path& path : doomed) {
    std::error_code error;
    fs::remove(path, error);
    if (error)
      throw SimulationError(code::output_write, fmt::format("{}: cannot remove: {}", path.string(), error.message()));
  }
  if (!frames_.empty()) write_list();
}

void VtuSeries::write_list() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const auto& [step, time] : frames_) {
    text += fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", time, file_name(step));
  }
  text += "</Collection>\n</VTKFile>\n";
  write_file_atomically(list_path(), text);
}

}  // namespace sinew
