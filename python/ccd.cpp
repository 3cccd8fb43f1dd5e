// sinew.ccd: times of impact of single pairs.
#include "sinew/contact/ccd.h"

#include <optional>

#include "module.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"

namespace sinew::python {
namespace {

Vec3 point(const py::object& value, const char* function, const char* name) {
  const DoubleArray array = real_array(value, fmt::format("ccd.{}: {}", function, name));
  if (array.size() != 3) {
    fail_input(code::argument, "ccd.{}: {}: found an array of shape {}, expected (3,)", function, name,
               shape_text(array));
  }
  const Vec3 p(array.data()[0], array.data()[1], array.data()[2]);
  if (!p.allFinite()) {
    fail_input(code::argument, "ccd.{}: {}: found [{}, {}, {}], expected finite coordinates", function, name, p[0],
               p[1], p[2]);
  }
  return p;
}

using A = const py::object&;

}  // namespace

void add_ccd(py::module_& m) {
  py::module_ ccd =
      m.def_submodule("ccd", R"(Conservative times of impact of vertex-face and edge-edge pairs on straight paths.

Each argument is a point, (3,) [m]. The first four are the positions at the start, the last four those at the
end.)");
  ccd.def(
      "vertex_face",
      [](A v0, A a0, A b0, A c0, A v1, A a1, A b1, A c1) {
        const auto p = [](A array, const char* name) { return point(array, "vertex_face", name); };
        return ccd::vertex_face(p(v0, "v0"), p(a0, "f0a"), p(b0, "f0b"), p(c0, "f0c"), p(v1, "v1"), p(a1, "f1a"),
                                p(b1, "f1b"), p(c1, "f1c"));
      },
      py::arg("v0"), py::arg("f0a"), py::arg("f0b"), py::arg("f0c"), py::arg("v1"), py::arg("f1a"), py::arg("f1b"),
      py::arg("f1c"),
      R"(Returns the time in [0, 1] at which a vertex and a triangle meet, or None if they do not.

The time is never after the first contact. Raises InputError for coordinates that are not finite.)");
  ccd.def(
      "edge_edge",
      [](A a0, A a1, A b0, A b1, A a0_1, A a1_1, A b0_1, A b1_1) {
        const auto p = [](A array, const char* name) { return point(array, "edge_edge", name); };
        return ccd::edge_edge(p(a0, "ea0"), p(a1, "ea1"), p(b0, "eb0"), p(b1, "eb1"), p(a0_1, "ea0_1"),
                              p(a1_1, "ea1_1"), p(b0_1, "eb0_1"), p(b1_1, "eb1_1"));
      },
      py::arg("ea0"), py::arg("ea1"), py::arg("eb0"), py::arg("eb1"), py::arg("ea0_1"), py::arg("ea1_1"),
      py::arg("eb0_1"), py::arg("eb1_1"),
      R"(Returns the time in [0, 1] at which two edges meet, or None if they do not.

The time is never after the first contact. Raises InputError for coordinates that are not finite.)");
}

}  // namespace sinew::python
