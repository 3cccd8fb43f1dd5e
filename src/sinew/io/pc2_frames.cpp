#include "sinew/io/pc2_frames.h"

#include <algorithm>
#include <filesystem>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/formats/obj.h"
#include "sinew/io/blender_script.h"
#include "sinew/io/file_stem.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

constexpr const char* script_name = "/import.py";

Points rows(const Points& all, const std::vector<Index>& vertices) {
  Points x(3, static_cast<Eigen::Index>(vertices.size()));
  for (std::size_t v = 0; v < vertices.size(); ++v) x.col(static_cast<Eigen::Index>(v)) = all.col(vertices[v]);
  return x;
}

}  // namespace

Pc2Frames::Pc2Frames(const SinkSettings& settings, const System& system)
    : folder_(settings.folder + "/" + folder_name), every_(settings.every), obstacle_surface_(system) {
  for (const SystemBody& body : system.bodies) {
    if (body.render) {
      bodies_.push_back(render_part(body));
      continue;
    }
    const Tets tets = system.user_tets.middleCols(body.tet_user_begin, body.tet_count);
    const Triangles cloth = system.user_triangles.middleCols(body.triangle_begin, body.triangle_count);
    bodies_.push_back(part(body.name, cloth.cols() > 0 ? cloth : boundary_triangles(tets)));
  }
  const std::vector<Index>& ids = obstacle_surface_.ids();
  for (std::size_t first = 0; first < ids.size();) {
    std::size_t last = first;
    while (last < ids.size() && ids[last] == ids[first]) ++last;
    const Triangles triangles = obstacle_surface_.triangles().middleCols(static_cast<Eigen::Index>(first),
                                                                         static_cast<Eigen::Index>(last - first));
    obstacles_.push_back(part(system.setup.obstacles[ids[first]].name, triangles));
    first = last;
  }
}

// Names may differ only in characters no file name should have.
std::string Pc2Frames::path_of(const std::string& name) {
  const std::string stem = file_stem(name);
  std::string free = stem;
  for (int k = 2; std::ranges::find(stems_, free) != stems_.end(); ++k) free = fmt::format("{}_{}", stem, k);
  stems_.push_back(free);
  return folder_ + "/" + free;
}

Pc2Frames::Part Pc2Frames::render_part(const SystemBody& body) {
  const std::string path = path_of(body.name);
  const auto count = static_cast<Index>(body.render->mesh.vertices.cols());
  return {path + ".obj", Pc2File(path + ".pc2", count), {}, {}, body.render, body.user_begin};
}

Points Pc2Frames::positions(const Part& part, const Points& all) {
  return part.render ? part.render->positions(all, part.first) : rows(all, part.vertices);
}

Pc2Frames::Part Pc2Frames::part(const std::string& name, const Triangles& triangles) {
  std::vector<Index> vertices = used_vertices(triangles);
  Triangles local = triangles;
  for (Index& v : local.reshaped()) {
    v = static_cast<Index>(std::ranges::lower_bound(vertices, v) - vertices.begin());
  }
  const std::string path = path_of(name);
  const auto count = static_cast<Index>(vertices.size());
  return {path + ".obj", Pc2File(path + ".pc2", count), std::move(vertices), std::move(local), nullptr, 0};
}

void Pc2Frames::check_resume(int step) const {
  const int expected = step / every_ + 1;
  for (const std::vector<Part>* parts : {&bodies_, &obstacles_}) {
    for (const Part& part : *parts) {
      const int found = part.cache.samples();
      if (found >= expected) continue;
      fail_input(code::resume_output,
                 "{}: expected at least {} samples, one each {} steps up to step {}, found {}; continue with the "
                 "output.every of the run and without \"pc2\" in output.formats, or start again with --overwrite",
                 part.cache.path(), expected, every_, step, found);
    }
  }
}

void Pc2Frames::keep_until(int step, const std::map<int, double>& /*times*/) {
  if (!fs::is_directory(folder_)) return;
  remove_leftovers(folder_);
  const int count = step < 0 ? 0 : step / every_ + 1;
  for (std::vector<Part>* parts : {&bodies_, &obstacles_}) {
    for (Part& part : *parts) {
      if (fs::exists(part.cache.path())) part.cache.truncate(count);
    }
  }
}

void Pc2Frames::write(Frame& frame) {
  make_folder(folder_);
  const System& system = frame.system();
  if (frame.step() == 0) write_file_atomically(folder_ + script_name, blender_script(stems_, system.setup.gravity));
  const Points obstacles = obstacle_surface_.positions(frame.state());
  for (std::vector<Part>* parts : {&bodies_, &obstacles_}) {
    const bool of_bodies = parts == &bodies_;
    for (Part& part : *parts) {
      if (frame.step() == 0) {
        const Points rest = positions(part, of_bodies ? system.user_rest : obstacles);
        if (part.render && !part.render->layout.empty()) {
          write_obj(part.obj_path, rest, part.render->layout);
        } else {
          write_obj(part.obj_path, {rest, part.render ? part.render->mesh.triangles : part.triangles});
        }
      }
      part.cache.append(positions(part, of_bodies ? frame.positions() : obstacles));
    }
  }
}

void Pc2Frames::remove_all(const std::string& run_folder) {
  const std::string folder = run_folder + "/" + folder_name;
  if (!fs::is_directory(folder)) return;
  remove_leftovers(folder);
  std::vector<std::string> doomed{folder + script_name};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".pc2") continue;
    doomed.push_back(entry.path().string());
    doomed.push_back(fs::path(entry.path()).replace_extension(".obj").string());
  }
  for (const std::string& path : doomed) remove_file(path);
  std::error_code ignored;
  fs::remove(folder, ignored);  // if nothing else is in it
}

}  // namespace sinew
