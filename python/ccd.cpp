// sinew.ccd: times of impact of single pairs.
#include "sinew/contact/ccd.h"

#include <optional>

#include "module.h"
#include <pybind11/stl.h>

#include "sinew/core/error.h"

namespace sinew::python {
namespace {

Vec3 vector(const DoubleArray& array) {
  if (array.size() != 3) fail_input("a point: found an array of shape {}, expected (3,)", shape_text(array));
  return Vec3(array.data()[0], array.data()[1], array.data()[2]);
}

using A = const DoubleArray&;

}  // namespace

void add_ccd(py::module_& m) {
  py::module_ ccd = m.def_submodule("ccd", "Conservative times of impact of pairs of primitives on straight paths.");
  ccd.def(
      "vertex_face",
      [](A v0, A a0, A b0, A c0, A v1, A a1, A b1, A c1) {
        return ccd::vertex_face(vector(v0), vector(a0), vector(b0), vector(c0), vector(v1), vector(a1), vector(b1),
                                vector(c1));
      },
      py::arg("v0"), py::arg("f0a"), py::arg("f0b"), py::arg("f0c"), py::arg("v1"), py::arg("f1a"), py::arg("f1b"),
      py::arg("f1c"),
      "Time of impact in [0, 1], never after the first contact, of a vertex and a triangle given by their points at "
      "the "
      "start and at the end; None when they do not meet.");
  ccd.def(
      "edge_edge",
      [](A a0, A a1, A b0, A b1, A a0_1, A a1_1, A b0_1, A b1_1) {
        return ccd::edge_edge(vector(a0), vector(a1), vector(b0), vector(b1), vector(a0_1), vector(a1_1), vector(b0_1),
                              vector(b1_1));
      },
      py::arg("ea0"), py::arg("ea1"), py::arg("eb0"), py::arg("eb1"), py::arg("ea0_1"), py::arg("ea1_1"),
      py::arg("eb0_1"), py::arg("eb1_1"), "The same of two edges.");
}

}  // namespace sinew::python
