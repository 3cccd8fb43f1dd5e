// Pictures of a simulation: sinew.Camera, Simulation.render() and its like, write_frame().
#include <filesystem>

#include "module.h"
#include "py_simulation.h"
#include <pybind11/stl.h>

#include "sinew/formats/byte_reader.h"
#include "sinew/io/picture_scene.h"
#include "sinew/io/state_file.h"
#include "sinew/render/camera.h"
#include "sinew/render/png.h"
#include "sinew/render/renderer.h"

namespace sinew::python {
namespace {

Vec3 camera_vector(const py::handle& value, const char* what) {
  const DoubleArray array = real_array(value, what);
  if (array.ndim() != 1 || array.size() != 3)
    fail_input(code::argument, "{}: found shape {}, expected (3,)", what, shape_text(array));
  return {array.at(0), array.at(1), array.at(2)};
}

Camera make_camera(const py::object& position, const py::object& target, const py::object& up, double fov,
                   std::optional<double> orthographic) {
  Camera camera{camera_vector(position, "position"), camera_vector(target, "target"), camera_vector(up, "up"), fov,
                orthographic};
  camera.check();
  return camera;
}

// Surfaces and creases are found once for a simulation; with no other thread inside.
const PictureScene& picture_scene(const PySimulation& self, const Simulation& simulation) {
  if (!self.picture) self.picture = std::make_shared<const PictureScene>(simulation.system());
  return *self.picture;
}

Camera fit_camera(const PySimulation& self, const Simulation& simulation, const std::optional<Vec3>& direction,
                  const std::optional<Vec3>& up, double fov, double aspect) {
  Frame frame(simulation);
  const PictureScene& scene = picture_scene(self, simulation);
  const Vec3 over = up.value_or(scene.at(frame).up);
  return Camera::fit(scene.framed(frame), direction.value_or(Camera::usual_direction(over)), over, fov, aspect);
}

Camera fit(const PySimulation& simulation, const py::object& direction, const py::object& up, double fov,
           double aspect) {
  std::optional<Vec3> from, over;
  if (!direction.is_none()) from = camera_vector(direction, "direction");
  if (!up.is_none()) over = camera_vector(up, "up");
  for (const auto& vector : {from, over})
    if (vector && !(vector->norm() > 0 && vector->allFinite()))
      fail_input(code::argument, "camera: found a direction of length 0 or that is not finite, expected another");
  if (!(aspect > 0 && std::isfinite(aspect)))
    fail_input(code::argument, "camera: aspect: found {}, expected a positive number", aspect);
  if (!(fov > 0 && fov < 180))
    fail_input(code::argument, "camera: fov: found {}, expected degrees between 0 and 180", fov);
  Camera camera =
      simulation.alone([&](const Simulation& s) { return fit_camera(simulation, s, from, over, fov, aspect); });
  camera.check();
  return camera;
}

py::array_t<double> project(const Camera& camera, const py::object& points, int width, int height) {
  const Eigen::Matrix2Xd pixels = camera.project(from_numpy(real_array(points, "points"), -1, "points"), width, height);
  py::array_t<double> result({static_cast<py::ssize_t>(pixels.cols()), py::ssize_t{2}});
  std::copy(pixels.data(), pixels.data() + pixels.size(), result.mutable_data());
  return result;
}

py::array_t<double> vector_array(const Vec3& value) {
  return py::array_t<double>(3, value.data());
}

// What a picture is to show, from arguments.
struct Request {
  int width = 0, height = 0;
  std::optional<Camera> camera;
  std::optional<PictureField> field;
};

std::optional<PictureField> field_of(const System& system, const py::object& field, const py::object& range) {
  if (field.is_none()) {
    if (!range.is_none()) fail_input(code::argument, "range: expected it with a field alone");
    return {};
  }
  const DoubleArray values = real_array(field, "field");
  if (values.ndim() != 1 || values.size() != system.user_vertex_count)
    fail_input(code::argument, "field: found shape {}, expected ({},), a number for each vertex", shape_text(values),
               system.user_vertex_count);
  PictureField result{VecX::Map(values.data(), values.size()), 0, 0};
  if (!range.is_none()) {
    const DoubleArray ends = real_array(range, "range");
    if (ends.size() != 2 || !(ends.data()[0] <= ends.data()[1]) || !std::isfinite(ends.data()[1] - ends.data()[0]))
      fail_input(code::argument, "range: found {}, expected (low, high) with low <= high", text_of(range));
    result.low = ends.data()[0];
    result.high = ends.data()[1];
    return result;
  }
  bool first = true;
  for (const double value : result.values) {
    if (!std::isfinite(value)) continue;
    result.low = first ? value : std::min(result.low, value);
    result.high = first ? value : std::max(result.high, value);
    first = false;
  }
  return result;
}

Request request_of(const PySimulation& self, int width, int height, const py::object& camera, const py::object& field,
                   const py::object& range) {
  for (const int side : {width, height})
    if (side < 1 || side > largest_picture)
      fail_input(code::argument, "render: found {} x {} pixels, expected 1 to {} along each side", width, height,
                 largest_picture);
  if (!camera.is_none() && !py::isinstance<Camera>(camera))
    throw py::type_error("camera: found " + text_of(camera) + ", expected a sinew.Camera or None");
  Request request{width, height, {}, field_of(self.system(), field, range)};
  if (!camera.is_none()) request.camera = camera.cast<Camera>();
  return request;
}

// draw(renderer, scene, camera) without the GIL. Meanwhile the simulation may go on.
template <class Draw>
auto drawn(const PySimulation& self, const Request& request, Draw&& draw) {
  Camera camera;
  const RenderScene scene = self.alone([&](const Simulation& simulation) {
    Frame frame(simulation);
    const double aspect = static_cast<double>(request.width) / request.height;
    camera = request.camera ? *request.camera : fit_camera(self, simulation, {}, {}, Camera().fov, aspect);
    return picture_scene(self, simulation).at(frame, request.field ? &*request.field : nullptr);
  });
  return call_engine([&] {
    LentRenderer renderer;
    return draw(renderer, scene, camera);
  });
}

ColorImage color_image(const PySimulation& self, const Request& request) {
  return drawn(self, request, [&](LentRenderer& renderer, const RenderScene& scene, const Camera& camera) {
    return renderer->color(scene, camera, request.width, request.height);
  });
}

template <class Value, int channels>
py::array_t<Value> image_array(const Image<Value, channels>& image) {
  std::vector<py::ssize_t> shape = {image.height, image.width};
  if (channels > 1) shape.push_back(channels);
  return py::array_t<Value>(shape, image.values.data());
}

py::array_t<std::uint8_t> render(const PySimulation& self, int width, int height, const py::object& camera,
                                 const py::object& field, const py::object& range) {
  return image_array(color_image(self, request_of(self, width, height, camera, field, range)));
}

py::array_t<float> render_depth(const PySimulation& self, int width, int height, const py::object& camera) {
  const Request request = request_of(self, width, height, camera, py::none(), py::none());
  return image_array(drawn(self, request, [&](LentRenderer& renderer, const RenderScene& scene, const Camera& own) {
    return renderer->depth(scene, own, width, height);
  }));
}

py::array_t<std::int32_t> render_segmentation(const PySimulation& self, int width, int height,
                                              const py::object& camera) {
  const Request request = request_of(self, width, height, camera, py::none(), py::none());
  return image_array(drawn(self, request, [&](LentRenderer& renderer, const RenderScene& scene, const Camera& own) {
    return renderer->segmentation(scene, own, width, height);
  }));
}

void write_frame(const PySimulation& self, const py::object& file, std::optional<int> width, std::optional<int> height,
                 const py::object& camera, const py::object& field, const py::object& range) {
  const std::string path = path_text(file, "path");
  const std::string extension = lower_case(fs::path(path).extension().string());
  if (extension == ".png") {
    require_folder_of(path);
    const Request request = request_of(self, width.value_or(960), height.value_or(720), camera, field, range);
    const ColorImage image = color_image(self, request);
    call_engine([&] { write_file_atomically(path, png_bytes(image.values, image.width, image.height)); });
    return;
  }
  const auto& known = state_file_extensions();
  if (std::ranges::find(known, extension) == known.end())
    fail_input(code::file_type, "{}: found \"{}\", expected one of: .png, .vtu, .obj, .ply", path, extension);
  if (width || height || !camera.is_none() || !field.is_none() || !range.is_none())
    fail_input(code::argument, "{}: width, height, camera, field and range are for .png alone", path);
  self.alone([&](const Simulation& simulation) {
    Frame frame(simulation);
    write_state_file(path, frame);
  });
}

}  // namespace

void add_camera(py::module_& m) {
  py::class_<Camera>(
      m, "Camera",
      R"(The place and direction of a picture. The middle of the picture shows `target`. fov is the vertical field of view [degrees].

orthographic is the height of a view without perspective [m], for which fov has no effect.)")
      .def(py::init(&make_camera), py::arg("position"), py::arg("target"), py::arg("up") = py::make_tuple(0, 1, 0),
           py::arg("fov") = 40.0, py::arg("orthographic") = py::none(),
           "Raises InputError if position and target are equal, or if `up` lies along the view.")
      .def_static("fit", &fit, py::arg("simulation"), py::arg("direction") = py::none(), py::arg("up") = py::none(),
                  py::arg("fov") = 40.0, py::arg("aspect") = 4.0 / 3,
                  R"(Returns a camera that frames a simulation as it is now and as it is at rest.

direction points from the simulation to the camera, by default to the front, the right and above. `up` is by
default against gravity. aspect is width over height of the picture. Large obstacles are not framed as a whole.)")
      .def_property_readonly(
          "position", [](const Camera& self) { return vector_array(self.position); }, "Position (3,) [m].")
      .def_property_readonly(
          "target", [](const Camera& self) { return vector_array(self.target); }, "Target (3,) [m].")
      .def_property_readonly(
          "up", [](const Camera& self) { return vector_array(self.up); }, "Direction (3,) that is upwards in pictures.")
      .def_readonly("fov", &Camera::fov, "Vertical field of view [degrees].")
      .def_readonly("orthographic", &Camera::orthographic, "Height of a view without perspective [m], or None.")
      .def_property_readonly(
          "matrix",
          [](const Camera& self) {
            const Eigen::Matrix<double, 4, 4, Eigen::RowMajor> m = self.matrix();
            return py::array_t<double>({4, 4}, m.data());
          },
          "Matrix (4, 4) from world to camera coordinates [m]: x to the right, y down, z along the view.")
      .def("project", &project, py::arg("points"), py::arg("width") = 640, py::arg("height") = 480,
           R"(Returns where a picture shows points (n, 3): (n, 2) pixels from its upper left corner, right and down.

The centre of the pixel image[row, column] is (column + 0.5, row + 0.5). Points behind the camera become NaN.)");
}

void add_render(py::class_<PySimulation>& simulation) {
  simulation
      .def(
          "render", &render, py::arg("width") = 640, py::arg("height") = 480, py::arg("camera") = py::none(),
          py::arg("field") = py::none(), py::arg("range") = py::none(),
          R"(Returns a picture (height, width, 3) of 8-bit colours. It needs no display, but Debian's package libosmesa6.

The camera is by default that of Camera.fit(). field (n,) has a number for each vertex, shown by the colours of
viridis. They span range[0] to range[1], by default all values. Vertices with NaN have the body's colour.
Raises SimulationError if the library is missing.)")
      .def("render_depth", &render_depth, py::arg("width") = 640, py::arg("height") = 480,
           py::arg("camera") = py::none(),
           "Returns depths (height, width) along the view axis at the centres of pixels, float32 [m]. Infinite where "
           "nothing is.")
      .def("render_segmentation", &render_segmentation, py::arg("width") = 640, py::arg("height") = 480,
           py::arg("camera") = py::none(),
           R"(Returns what is at the centres of pixels: (height, width, 2) of int32, an object and its triangle.

Objects count bodies, then obstacles. Triangles are rows of body.surface, or those of the obstacle or of the
render surface. A plane has triangle 0. Both are -1 where nothing is.)")
      .def("write_frame", &write_frame, py::arg("path"), py::arg("width") = py::none(), py::arg("height") = py::none(),
           py::arg("camera") = py::none(), py::arg("field") = py::none(), py::arg("range") = py::none(),
           R"(Writes the present state by the extension: .png, .vtu (bodies with their fields), .obj or .ply (surfaces).

A .png is that of render(), by default with 960 x 720 pixels. The other arguments are for .png alone.)");
}

}  // namespace sinew::python
