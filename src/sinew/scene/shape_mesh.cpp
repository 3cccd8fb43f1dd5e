#include "sinew/scene/shape_mesh.h"

#include <algorithm>
#include <cctype>

#include "sinew/core/archive.h"
#include "sinew/core/cache_folder.h"
#include "sinew/core/input_file.h"
#include "sinew/formats/read.h"
#include "sinew/mesh/validate.h"
#include "sinew/scene/mesher_program.h"
#include "sinew/scene/mesher_run.h"

namespace sinew {
namespace {

constexpr int cache_version = 1;  // of the names of files

std::string mesh_folder() {
  const std::string folder = cache_folder();
  return folder.empty() ? "" : folder + "/meshes";
}

// As sinew-mesh reads it: text without quotes, numbers with all digits.
std::string argument_text(const Node& value) {
  return value.json().is_string() ? value.text() : value.json().dump();
}

// A name that is no option and no path.
std::string name_of(const Node& node) {
  const std::string name = node.text();
  const bool good = std::isalpha(static_cast<unsigned char>(name[0])) &&
                    std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!good)
    node.fail(code::scene_value, "found {}, expected a name such as \"lattice_ball\"", found_text(node.json()));
  return name;
}

// The arguments behind "sinew-mesh" but the file. Parameters are sorted: the same mesh however they are written.
std::vector<std::string> request_of(const Node& mesh, const std::string& size) {
  std::vector<std::string> request{"shape", name_of(mesh["shape"]), "--size=" + size};
  if (!mesh.has("set")) return request;
  std::vector<std::string> parameters;
  for (const auto& [name, value] : mesh["set"].json().items()) {
    const Node parameter = mesh["set"][name];
    if (name.empty() || name.find('=') != std::string::npos)
      parameter.fail(code::scene_value, "found {}, expected the name of a parameter", nlohmann::json(name).dump());
    parameters.push_back(fmt::format("--set={}={}", name, argument_text(parameter)));
  }
  std::sort(parameters.begin(), parameters.end());
  request.insert(request.end(), parameters.begin(), parameters.end());
  return request;
}

std::string hash_of(const std::string& bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.hex();
}

// The file of a mesh: a new mesher, or another request, has another.
std::string cache_name(const std::vector<std::string>& request, const std::string& program_hash) {
  const std::string key = nlohmann::json{cache_version, request, program_hash}.dump();
  return fmt::format("{}-{}", request[1], hash_of(key));
}

// Throws where the program did not do what it was asked for.
void check_result(const Node& mesh, const ProgramResult& result) {
  if (result.exit_code == 0) return;
  const std::string text = "sinew-mesh: " + mesher_complaint(result);
  if (result.exit_code == mesher_bad_input) mesh.fail(code::shape_parameter, "{}", text);
  throw SimulationError(code::mesher, mesh.place() + ": " + text);
}

}  // namespace

ShapeMesher::ShapeMesher(const Node& default_size, ReadingHooks hooks)
    : default_size_(argument_text(default_size)), hooks_(std::move(hooks)), cache_(mesh_folder()) {}

TetMesh ShapeMesher::tets(const Node& mesh) {
  const std::string path = file_of(mesh);
  TetMesh result = read_tet_mesh(path);
  validate(result, path);
  files_.back().vertices = result.vertex_count();
  files_.back().tets = result.tet_count();
  return result;
}

TriMesh ShapeMesher::surface(const Node& mesh) {
  const std::string path = file_of(mesh);
  TriMesh result = read_tri_mesh(path);
  validate(result, path);
  files_.back().vertices = static_cast<Index>(result.vertices.cols());
  files_.back().triangles = static_cast<Index>(result.triangles.cols());
  return result;
}

std::string ShapeMesher::file_of(const Node& mesh) {
  const std::string size = mesh.has("size") ? argument_text(mesh["size"]) : default_size_;
  const std::vector<std::string> request = request_of(mesh, size);
  if (program_.empty()) {
    try {
      program_ = mesher_program();
    } catch (const InputError& error) {
      mesh["shape"].fail(error.code(), "gallery shape {}: {}", found_text(mesh["shape"].json()), error.what());
    }
    program_hash_ = hash_of(read_whole_file(program_));
  }
  const std::string name = cache_name(request, program_hash_);
  const auto cached = cache_.find(name);
  const std::string path =
      cached ? *cached : cache_.store(name, [&](const std::string& file) { make(mesh, request, file); });
  files_.push_back({mesh.path(), request[1], size, cache_.temporary() ? "" : path});
  return path;
}

void ShapeMesher::make(const Node& mesh, const std::vector<std::string>& request, const std::string& path) {
  std::vector<std::string> arguments{program_};
  arguments.insert(arguments.end(), request.begin(), request.end());
  arguments.insert(arguments.end(), {"-o", path});
  const std::string what =
      fmt::format("meshing {} ({})", request[1], request[2].substr(std::string_view("--size=").size()));
  check_result(mesh, run_mesher(arguments, mesh.place(), what, hooks_));
}

}  // namespace sinew
