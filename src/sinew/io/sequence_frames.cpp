#include "sinew/io/sequence_frames.h"

#include <filesystem>
#include <map>

#include "sinew/core/error.h"
#include "sinew/io/file_stem.h"
#include "sinew/io/requested_fields.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

constexpr int frame_digits = 4;

// The number of a frame of any name in its file name; -1 for other files.
int frame_number(const fs::path& path, const char* extension) {
  if (path.extension() != extension) return -1;
  const std::string stem = path.stem().string();
  const std::size_t mark = stem.rfind('_');
  const std::string digits = mark == stem.npos ? "" : stem.substr(mark + 1);
  if (digits.size() < frame_digits || digits.size() > 9 || digits.find_first_not_of("0123456789") != digits.npos)
    return -1;
  return std::stoi(digits);
}

void remove_numbered(const SequenceKind& kind, const std::string& folder, int first) {
  if (!fs::is_directory(folder)) return;
  remove_leftovers(folder);
  std::vector<std::string> doomed;
  for (const auto& entry : fs::directory_iterator(folder))
    if (frame_number(entry.path(), kind.extension) >= first) doomed.push_back(entry.path().string());
  for (const std::string& path : doomed) remove_file(path);
}

void write_ply_of_sequence(const std::string& path, const SurfaceFrame& frame, const std::string&) {
  write_ply_frame(path, frame);
}

// A number for each component: name, or name_0, name_1, ...
void add_components(const std::string& name, int width, const std::vector<double>& values, SurfaceFrame& surfaces) {
  const Eigen::Map<const Eigen::MatrixXd> all(values.data(), width, static_cast<Eigen::Index>(values.size()) / width);
  for (int k = 0; k < width; ++k)
    surfaces.fields.push_back({width == 1 ? name : fmt::format("{}_{}", name, k), all.row(k).transpose()});
}

}  // namespace

const SequenceKind obj_sequence{"obj", "frames_obj", ".obj", true, false, write_obj_frame},
    ply_sequence{"ply", "frames_ply", ".ply", false, true, write_ply_of_sequence};

std::string sequence_path(const std::string& base, std::size_t frame, const char* extension) {
  return fmt::format("{}_{:0{}}{}", base, frame, frame_digits, extension);
}

bool is_sequence_file(const std::string& path, const std::string& base, const char* extension) {
  const int number = frame_number(path, extension);
  return number >= 0 && fs::path(path).filename() ==
                            fs::path(sequence_path(base, static_cast<std::size_t>(number), extension)).filename();
}

SequenceFrames::SequenceFrames(const SequenceKind& kind, const SinkSettings& settings, const System& system)
    : kind_(kind),
      folder_(settings.folder + "/" + kind.folder),
      name_(file_stem(settings.facts.scene)),
      every_(settings.every),
      parts_(system),
      fields_(settings.fields),
      nodal_fields_(settings.nodal_fields) {}

void SequenceFrames::check_resume(int step) const {
  const int expected = step / every_ + 1;
  for (int k = 0; k < expected; ++k) {
    const std::string path = sequence_path(base(), static_cast<std::size_t>(k), kind_.extension);
    if (fs::exists(path)) continue;
    fail_input(code::resume_output,
               "{}: found no such file, expected frames 0 to {}, one each {} steps up to step {}; continue with the "
               "output.every of the run and without \"{}\" in output.formats, or start again with --overwrite",
               path, expected - 1, every_, step, kind_.name);
  }
}

void SequenceFrames::keep_until(int step, const std::map<int, double>& /*times*/) {
  remove_numbered(kind_, folder_, step < 0 ? 0 : step / every_ + 1);
}

void SequenceFrames::write(Frame& frame) {
  make_folder(folder_);
  const std::string library = name_ + ".mtl";
  if (frame.step() == 0 && kind_.materials) write_mtl(folder_ + "/" + library, parts_);
  SurfaceFrame surfaces{parts_, {}};
  const Points obstacles = parts_.obstacles(frame.state());
  for (std::size_t p = 0; p < parts_.parts().size(); ++p)
    surfaces.positions.push_back(parts_.positions(p, frame.positions(), obstacles));
  if (kind_.fields) add_fields(frame, surfaces);
  kind_.write(sequence_path(base(), static_cast<std::size_t>(frame.step() / every_), kind_.extension), surfaces,
              library);
}

void SequenceFrames::add_fields(Frame& frame, SurfaceFrame& surfaces) const {
  for (const std::string& name : fields_) {
    const FieldInfo& field = find_field(name);
    add_components(name, field.width, vertex_field(field, frame), surfaces);
  }
  for (const std::string& name : nodal_fields_)
    add_components("nodal_" + name, nodal_width(name), nodal_field(name, frame), surfaces);
}

void SequenceFrames::remove_all(const SequenceKind& kind, const std::string& run_folder) {
  const std::string folder = run_folder + "/" + kind.folder;
  if (!fs::is_directory(folder)) return;
  remove_numbered(kind, folder, 0);
  std::vector<std::string> libraries;
  if (kind.materials)
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".mtl" || is_image_copy(entry.path().string(), {".mtl"}))
        libraries.push_back(entry.path().string());
  for (const std::string& path : libraries) remove_file(path);
  std::error_code ignored;
  fs::remove(folder, ignored);  // if nothing else is in it
}

}  // namespace sinew
