#include "sinew/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <optional>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/render/gl_program.h"
#include "sinew/render/gl_surfaces.h"
#include "sinew/render/gl_target.h"
#include "sinew/render/offscreen_context.h"
#include "sinew/render/shaders.h"
#include "sinew/render/view.h"

namespace sinew {
namespace {

// Lengths in diagonals of what is framed: of occlusion, of the blur of shadows, and how far planes are drawn.
constexpr double occlusion_reach = 0.07, shadow_blur = 0.006, plane_extent = 7;
constexpr int shadow_size = 1024, samples = 4;
constexpr int background_id = -1;

// From above, to the left of the usual camera and a little to its front.
Vec3 light_direction(const Vec3& up) {
  const Vec3 left = Camera::usual_direction(up).cross(up).normalized(), towards = up.cross(left).normalized();
  return (up + 0.5 * left + 0.4 * towards).normalized();
}

// A round spacing of grid lines: 1, 2 or 5 times a power of ten, about a fifteenth of `size`.
double grid_cell(double size) {
  const double wanted = size / 15, power = std::pow(10, std::floor(std::log10(wanted)));
  return (wanted / power >= 5 ? 5 : wanted / power >= 2 ? 2 : 1) * power;
}

Mat3 linear_part(const Eigen::Matrix4d& m) {
  return m.topLeftCorner<3, 3>();
}

template <class Value, int channels>
void flip(Image<Value, channels>& image) {
  const std::size_t row = static_cast<std::size_t>(image.width) * channels;
  for (int y = 0; y < image.height / 2; ++y) {
    auto* upper = image.values.data() + row * static_cast<std::size_t>(y);
    auto* lower = image.values.data() + row * static_cast<std::size_t>(image.height - 1 - y);
    std::swap_ranges(upper, upper + row, lower);
  }
}

}  // namespace

class Renderer::Device {
 public:
  void color(const RenderScene& scene, const Camera& camera, ColorImage& image);
  // Draws depths and numbers; read one of both.
  void measure(const RenderScene& scene, const Camera& camera, int width, int height);
  void read(DepthImage& image) const { read(image, *measured_, GL_COLOR_ATTACHMENT0, GL_RED, GL_FLOAT); }
  void read(SegmentationImage& image) const { read(image, *measured_, GL_COLOR_ATTACHMENT1, GL_RG_INTEGER, GL_INT); }

  OffscreenContext context_;

 private:
  using Target = std::unique_ptr<GlTarget>;

  template <class Value, int channels>
  void read(Image<Value, channels>& image, const GlTarget& target, GLenum place, GLenum format, GLenum type) const {
    image.values.resize(static_cast<std::size_t>(image.width) * image.height * channels);
    gl_.bind_framebuffer(GL_FRAMEBUFFER, target.framebuffer());
    gl_.read_buffer(place);
    gl_.pixel_store(GL_PACK_ALIGNMENT, 1);
    gl_.read_pixels(0, 0, image.width, image.height, format, type, image.values.data());
    flip(image);
  }

  View view_of(const RenderScene& scene, const Camera& camera, int width, int height);
  void require(Target& target, int width, int height, std::initializer_list<GLenum> colors, GLenum depth,
               int sample_count = 1) {
    if (!target || target->width() != width || target->height() != height)
      target = std::make_unique<GlTarget>(gl_, width, height, colors, depth, sample_count);
  }
  const GlProgram& program(std::optional<GlProgram>& own, const char* vertex, const std::string& fragment) {
    if (!own) own.emplace(gl_, vertex, fragment);
    own->use();
    return *own;
  }
  void draw_measures(const RenderScene& scene, const View& view);
  void draw_shadows(const LightView& light);
  void draw_surfaces(const RenderScene& scene, const View& view, const RenderBox& box);
  void draw_planes(const RenderScene& scene, const View& view, const RenderBox& box);
  void draw_occlusion(const View& view, double reach);
  void shade(const RenderScene& scene, const View& view, const LightView& light, double size);
  void draw_screen() {
    gl_.bind_vertex_array(empty_array());
    gl_.draw_arrays(GL_TRIANGLES, 0, 3);
  }
  GLuint empty_array() {
    if (empty_array_ == 0) gl_.make_vertex_arrays(1, &empty_array_);
    return empty_array_;
  }
  const GlFunctions& gl_ = context_.gl();
  GlSurfaces surfaces_{gl_};
  Target measured_, shadows_, seen_, opens_, blurred_, picture_;
  std::optional<GlProgram> measure_, measure_plane_, shadow_, surface_, plane_, occlusion_, blur_, shade_;
  GLuint empty_array_ = 0;
};

// Relative to the middle of the scene. Near and far enclose all vertices in front of the camera.
View Renderer::Device::view_of(const RenderScene& scene, const Camera& camera, int width, int height) {
  const RenderBox box = box_of(framed_points(scene));
  const Vec3 axis = (camera.target - camera.position).normalized();
  const double size = std::max(box.diagonal(), 1e-12), inf = std::numeric_limits<double>::infinity();
  double nearest = inf, farthest = axis.dot(box.center() - camera.position) + plane_extent * 1.5 * size;
  for (const RenderObject& object : scene.objects) {
    const Points& x = object.positions;
    const auto depth = [&](std::size_t v) { return axis.dot(x.col(static_cast<Index>(v)) - camera.position); };
    const auto count = static_cast<std::size_t>(x.cols());
    nearest = std::min(nearest, parallel_min(count, inf, depth));
    farthest = std::max(farthest, parallel_max(count, -inf, depth));
  }
  for (const RenderPlane& plane : scene.planes) {  // the corners of the picture at depth 1, and its middle
    const double height_above = plane.normal.dot(camera.position - plane.point);
    const double slope =
        std::tan(0.5 * camera.fov * std::numbers::pi / 180) * (1 + static_cast<double>(width) / height);
    nearest = std::min(nearest, camera.orthographic ? 0 : std::max(height_above, 0.0) / (1 + slope));
  }
  const double least = 1e-4 * size;
  const double near = camera.orthographic ? std::max(0.0, nearest - least) : std::max(least, 0.98 * nearest);
  return {camera, width, height, box.center(), near, std::max(1.01 * farthest, near + size)};
}

void Renderer::Device::draw_measures(const RenderScene& scene, const View& view) {
  measured_->bind();
  gl_.enable(GL_DEPTH_TEST);
  gl_.depth_func(GL_LESS);
  const float infinite[] = {std::numeric_limits<float>::infinity(), 0, 0, 0}, one = 1;
  const GLint none[] = {background_id, background_id, 0, 0};
  gl_.clear_floats(GL_COLOR, 0, infinite);
  gl_.clear_integers(GL_COLOR, 1, none);
  gl_.clear_floats(GL_DEPTH, 0, &one);
  const GlProgram& surface = program(measure_, shaders::surface_vertex, shaders::measure_fragment);
  surface.set("to_camera", view.to_camera);
  surface.set("to_clip", view.to_clip);
  for (std::size_t k = 0; k < surfaces_.count(); ++k) {
    surface.set("id", static_cast<int>(scene.objects[k].id));
    surfaces_.draw(k);
  }
  if (scene.planes.empty()) return;
  const GlProgram& planes = program(measure_plane_, shaders::screen_vertex, shaders::measure_plane_fragment);
  planes.set("scale", view.scale());
  planes.set("middle", view.middle());
  planes.set("depth_map", view.depth_map());
  planes.set("farthest", view.far);
  planes.set("orthographic", static_cast<int>(view.orthographic()));
  for (const RenderPlane& plane : scene.planes) {
    const Vec3 normal = linear_part(view.camera.matrix()) * plane.normal;
    const double offset = plane.normal.dot(plane.point - view.camera.position);
    if (view.orthographic() ? plane.normal.dot(view.direction()) >= 0 : offset >= 0) continue;  // from behind
    planes.set("plane_normal", normal);
    planes.set("plane_offset", offset);
    planes.set("id", static_cast<int>(plane.id));
    draw_screen();
  }
}

void Renderer::Device::measure(const RenderScene& scene, const Camera& camera, int width, int height) {
  const View view = view_of(scene, camera, width, height);
  require(measured_, width, height, {GL_R32F, GL_RG32I}, GL_DEPTH_COMPONENT32F);
  surfaces_.send(scene, view.origin, false);
  draw_measures(scene, view);
}

void Renderer::Device::draw_shadows(const LightView& light) {
  require(shadows_, shadow_size, shadow_size, {}, GL_DEPTH_COMPONENT24);
  shadows_->bind();
  gl_.enable(GL_DEPTH_TEST);
  gl_.enable(GL_DEPTH_CLAMP);  // what lies between the light and the lit box throws a shadow, too
  gl_.enable(GL_POLYGON_OFFSET_FILL);
  gl_.polygon_offset(1.5f, 4);
  const float one = 1;
  gl_.clear_floats(GL_DEPTH, 0, &one);
  const GlProgram& shadow = program(shadow_, shaders::surface_vertex, shaders::shadow_fragment);
  Eigen::Matrix4d to_clip = 2 * Eigen::Matrix4d::Identity();
  to_clip.topRightCorner<3, 1>().setConstant(-1);
  to_clip(3, 3) = 1;
  shadow.set("to_camera", light.to_light);
  shadow.set("to_clip", to_clip);
  for (std::size_t k = 0; k < surfaces_.count(); ++k) surfaces_.draw(k);
  gl_.disable(GL_POLYGON_OFFSET_FILL);
  gl_.disable(GL_DEPTH_CLAMP);
}

void Renderer::Device::draw_surfaces(const RenderScene& scene, const View& view, const RenderBox& box) {
  require(seen_, view.width, view.height, {GL_R32F, GL_RGB10_A2, GL_RGBA8}, GL_DEPTH_COMPONENT32F, samples);
  seen_->bind();
  gl_.enable(GL_DEPTH_TEST);
  const float infinite[] = {std::numeric_limits<float>::infinity(), 0, 0, 0}, nothing[] = {0, 0, 0, 0}, one = 1;
  gl_.clear_floats(GL_COLOR, 0, infinite);
  gl_.clear_floats(GL_COLOR, 1, nothing);
  gl_.clear_floats(GL_COLOR, 2, nothing);
  gl_.clear_floats(GL_DEPTH, 0, &one);
  const GlProgram& surface = program(surface_, shaders::surface_vertex, shaders::surface_fragment);
  surface.set("to_camera", view.to_camera);
  surface.set("to_clip", view.to_clip);
  for (std::size_t k = 0; k < surfaces_.count(); ++k) {
    surface.set("color", Vec3(linear_color(scene.objects[k].color).cast<double>()));
    surfaces_.draw(k);
  }
  draw_planes(scene, view, box);
  gl_.disable(GL_DEPTH_TEST);
}

void Renderer::Device::draw_planes(const RenderScene& scene, const View& view, const RenderBox& box) {
  const double extent = plane_extent * box.diagonal();
  const GlProgram& own = program(plane_, shaders::surface_vertex, shaders::plane_fragment);
  own.set("to_camera", view.to_camera);
  own.set("to_clip", view.to_clip);
  own.set("up", scene.up);
  own.set("cell", grid_cell(box.diagonal()));
  own.set("extent", extent);
  for (const RenderPlane& plane : scene.planes) {
    const double above = plane.normal.dot(view.camera.position - plane.point);
    if (view.orthographic() ? plane.normal.dot(view.direction()) >= 0 : above <= 0) continue;
    const Vec3 middle = box.center() - plane.normal.dot(box.center() - plane.point) * plane.normal;
    own.set("origin", Vec3(plane.point - view.origin));
    own.set("axis", plane.tangent);
    own.set("center", Vec3(middle - view.origin));
    surfaces_.draw_square(middle - view.origin, plane.normal, extent);
  }
}

void Renderer::Device::draw_occlusion(const View& view, double reach) {
  const int width = (view.width + 1) / 2, height = (view.height + 1) / 2;
  require(opens_, width, height, {GL_R32F}, 0);
  require(blurred_, width, height, {GL_RG32F}, 0);
  opens_->bind();
  const GlProgram& occlusion = program(occlusion_, shaders::screen_vertex, shaders::occlusion_fragment);
  occlusion.set_texture("depths", 0, seen_->color(0), GL_TEXTURE_2D_MULTISAMPLE);
  occlusion.set("scale", view.scale());
  occlusion.set("reach", reach);
  occlusion.set("middle", view.middle());
  occlusion.set("orthographic", static_cast<int>(view.orthographic()));
  draw_screen();
  blurred_->bind();
  const GlProgram& blur = program(blur_, shaders::screen_vertex, shaders::blur_fragment);
  blur.set_texture("depths", 0, seen_->color(0), GL_TEXTURE_2D_MULTISAMPLE);
  blur.set_texture("opens", 1, opens_->color(0));
  blur.set("reach", reach);
  draw_screen();
}

void Renderer::Device::shade(const RenderScene& scene, const View& view, const LightView& light, double size) {
  require(picture_, view.width, view.height, {GL_RGBA8}, 0);
  picture_->bind();
  const GlProgram& own = program(shade_, shaders::screen_vertex, shaders::shade_fragment);
  const char* const names[] = {"depths", "normals", "colors"};
  for (int k = 0; k < 3; ++k)
    own.set_texture(names[k], k, seen_->color(static_cast<std::size_t>(k)), GL_TEXTURE_2D_MULTISAMPLE);
  own.set_texture("opens", 3, blurred_->color(0));
  own.set_texture("shadows", 4, shadows_->depth());
  own.set("to_light", light.to_light);
  own.set("light", light_direction(scene.up));
  own.set("up", scene.up);
  own.set("eye", Vec3(view.camera.position - view.origin));
  const Mat3 axes = linear_part(view.camera.matrix());
  own.set("right", Vec3(axes.row(0)));
  own.set("down", Vec3(axes.row(1)));
  own.set("forward", Vec3(axes.row(2)));
  own.set("middle", view.middle());
  own.set("scale", view.scale());
  own.set("spread", std::max(shadow_blur * size / light.width, 1.5 / shadow_size));
  own.set("lift", 1.5 * light.width / shadow_size + 0.5 * shadow_blur * size);
  own.set("reach", occlusion_reach * size);
  own.set("height", static_cast<double>(view.height));
  own.set("orthographic", static_cast<int>(view.orthographic()));
  draw_screen();
}

// Deferred shading: light is computed for what is visible alone, however small the triangles are.
void Renderer::Device::color(const RenderScene& scene, const Camera& camera, ColorImage& image) {
  const Points framed = framed_points(scene);
  const RenderBox box = box_of(framed);
  const double size = std::max(box.diagonal(), 1e-12);
  const View view = view_of(scene, camera, image.width, image.height);
  const LightView light(framed.cols() > 0 ? framed : Points(Points::Zero(3, 1)), view.origin,
                        light_direction(scene.up));
  surfaces_.send(scene, view.origin, true);
  draw_shadows(light);
  draw_surfaces(scene, view, box);
  draw_occlusion(view, occlusion_reach * size);
  shade(scene, view, light, size);
  read(image, *picture_, GL_COLOR_ATTACHMENT0, GL_RGB, GL_UNSIGNED_BYTE);
}

namespace {

void check_size(int width, int height) {
  for (const int side : {width, height})
    if (side < 1 || side > largest_picture)
      fail_input(code::argument, "picture: found {} x {} pixels, expected 1 to {} along each side", width, height,
                 largest_picture);
}

}  // namespace

Renderer::Renderer() : device_(std::make_unique<Device>()) {}

Renderer::~Renderer() {
  const OffscreenContext::Use use(device_->context_);
  device_.reset();
}

ColorImage Renderer::color(const RenderScene& scene, const Camera& camera, int width, int height) {
  check_size(width, height);
  camera.check();
  const OffscreenContext::Use use(device_->context_);
  ColorImage image{width, height, {}};
  device_->color(scene, camera, image);
  return image;
}

DepthImage Renderer::depth(const RenderScene& scene, const Camera& camera, int width, int height) {
  check_size(width, height);
  camera.check();
  const OffscreenContext::Use use(device_->context_);
  DepthImage image{width, height, {}};
  device_->measure(scene, camera, width, height);
  device_->read(image);
  return image;
}

SegmentationImage Renderer::segmentation(const RenderScene& scene, const Camera& camera, int width, int height) {
  check_size(width, height);
  camera.check();
  const OffscreenContext::Use use(device_->context_);
  SegmentationImage image{width, height, {}};
  device_->measure(scene, camera, width, height);
  device_->read(image);
  return image;
}

namespace {

struct IdleRenderers {
  std::mutex mutex;
  std::vector<std::unique_ptr<Renderer>> list;
};

IdleRenderers& idle_renderers() {
  static IdleRenderers& instance = *new IdleRenderers;  // never destroyed: their library may end first
  return instance;
}

}  // namespace

LentRenderer::LentRenderer() {
  {
    IdleRenderers& idle = idle_renderers();
    const std::lock_guard<std::mutex> lock(idle.mutex);
    if (!idle.list.empty()) {
      renderer_ = std::move(idle.list.back());
      idle.list.pop_back();
    }
  }
  if (!renderer_) renderer_ = std::make_unique<Renderer>();
}

LentRenderer::~LentRenderer() {
  IdleRenderers& idle = idle_renderers();
  const std::lock_guard<std::mutex> lock(idle.mutex);
  idle.list.push_back(std::move(renderer_));
}

}  // namespace sinew
