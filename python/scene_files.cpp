// What python/sinew/scene.py needs of the engine: scene files, and scenes as plain values.
#include "module.h"
#include "warnings.h"

#include "sinew/core/atomic_file.h"
#include "sinew/scene/json_file.h"
#include "sinew/scene/json_text.h"

namespace sinew::python {

void add_scene_files(py::module_& m) {
  m.def(
      "_plain_scene", [](const py::object& scene) { return to_python(ordered_scene(scene)); }, py::arg("scene"));
  m.def(
      "_read_scene",
      [](const py::object& file) {
        const std::string path = path_text(file, "Scene");
        return to_python(call_engine([&] { return nlohmann::ordered_json(read_json_file(path)); }));
      },
      py::arg("path"));
  m.def(
      "_write_scene",
      [](const py::object& file, const py::object& scene) {
        const std::string path = path_text(file, "save");
        const nlohmann::ordered_json json = ordered_scene(scene);
        call_engine([&] {
          require_folder_of(path);
          write_file_atomically(path, json_text(json) + "\n");
        });
      },
      py::arg("path"), py::arg("scene"));
}

}  // namespace sinew::python
