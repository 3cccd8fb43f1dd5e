#include "sinew/scene/mesher_program.h"

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>

#include "sinew/core/error.h"
#include "sinew/core/program.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

constexpr const char* program_name = "sinew-mesh";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// In the folder of a file, or in bin/ beside that folder or a folder above it.
std::string find_beside(const std::string& file) {
  if (file.empty()) return "";
  fs::path folder = fs::path(file).parent_path();
  if (const fs::path program = folder / program_name; is_program(program.string())) return program.string();
  for (folder = folder.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (const fs::path program = folder / "bin" / program_name; is_program(program.string())) return program.string();
  }
  return "";
}

}  // namespace

MesherSearch MesherSearch::of_this_process() {
  MesherSearch search;
  search.named = environment("SINEW_MESH");
  search.path = environment("PATH");
  std::error_code ignored;
  search.executable = fs::read_symlink("/proc/self/exe", ignored).string();
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&mesher_program), &info) != 0 && info.dli_fname)
    search.library = fs::absolute(info.dli_fname, ignored).string();
  return search;
}

std::string mesher_program(const MesherSearch& search) {
  if (!search.named.empty()) {
    if (is_program(search.named)) return search.named;
    fail_input(code::mesher, "SINEW_MESH: found {}, expected the path of the program {}; correct or unset the variable",
               search.named, program_name);
  }
  for (const std::string& found :
       {find_beside(search.executable), find_beside(search.library), find_program(program_name, search.path)}) {
    if (!found.empty()) return found;
  }
  fail_input(
      code::mesher,
      "the mesher {} is missing beside this program and on the PATH. Install libcgal-dev and build it with "
      "scripts/build release --target sinew_mesh_cli, or use a mesh file or a primitive (sphere, box, cylinder, torus)",
      program_name);
}

}  // namespace sinew
