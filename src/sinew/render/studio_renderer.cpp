#include "sinew/render/studio_renderer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>

#include "sinew/core/error.h"
#include "sinew/render/gl_images.h"
#include "sinew/render/gl_program.h"
#include "sinew/render/gl_surfaces.h"
#include "sinew/render/gl_target.h"
#include "sinew/render/offscreen_context.h"
#include "sinew/render/shaders.h"
#include "sinew/render/studio_light.h"
#include "sinew/render/studio_shaders.h"
#include "sinew/render/studio_texture.h"
#include "sinew/render/view.h"

namespace sinew {
namespace {

constexpr int tiles = 4, lamps_at_once = tiles * tiles, studio_samples = 4;
constexpr int mirror_size = 64, mirror_levels = 6;
constexpr double plane_reach = 7;      // of planes, in diagonals of the room
constexpr double key_angle = 0.06;     // of half the key light's disk [rad]
constexpr double blur_reach = 0.02;    // of the room: depths within which pixels are of one surface
constexpr double map_spread = 0.014;   // of a shadow map: what neighbouring pixels average
constexpr double ground_height = 0.1;  // of the room: below it the ground is dark

// As on the page: of the studio and of the key light. Colours that tell a value are lit more evenly.
struct Lights {
  double studio, sun, edge;
};
constexpr Lights color_lights = {0.62, 2.1, 0.5}, field_lights = {0.85, 1.1, 0.75};

// Directions of light from around, and pixels along a shadow map.
int lamps_of(StudioQuality quality) {
  return quality == StudioQuality::draft ? 16 : quality == StudioQuality::good ? 64 : 160;
}
int map_size_of(StudioQuality quality) {
  return quality == StudioQuality::draft ? 512 : 1024;
}

// A round spacing of grid lines: 1, 2 or 5 times a power of ten.
double studio_grid(double size) {
  const double wanted = size / 8, power = std::pow(10, std::floor(std::log10(wanted)));
  return (wanted / power >= 5 ? 5 : wanted / power >= 2 ? 2 : 1) * power;
}

Points corners_of(const RenderBox& box) {
  Points corners(3, 8);
  for (int k = 0; k < 8; ++k)
    for (int axis = 0; axis < 3; ++axis) corners(axis, k) = (k >> axis & 1) ? box.high[axis] : box.low[axis];
  return corners;
}

// From the world to the room of the studio, whose y axis points up.
Mat3 room_axes(const Vec3& up) {
  return Eigen::Quaterniond::FromTwoVectors(up, Vec3(0, 1, 0)).toRotationMatrix();
}

// From above, from the left of the usual camera and a little from its side.
Vec3 key_direction(const StudioScene& scene) {
  const Vec3 up = scene.scene.up.normalized(), right = up.cross(scene.front).normalized();
  return (1.5 * up - 0.75 * right + 0.55 * scene.front).normalized();
}

// Points of the key light's disk: the first five far apart (H. Vogel, A better way to construct the sunflower head,
// 1979).
std::vector<Vec3> key_points(const Vec3& direction) {
  const Vec3 a = direction.unitOrthogonal(), b = direction.cross(a);
  std::vector<Vec3> points;
  for (const int k : {15, 14, 13, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
    const double radius = std::tan(key_angle) * std::sqrt((k + 0.5) / lamps_at_once), angle = 2.399963 * k;
    points.push_back((direction + radius * (std::cos(angle) * a + std::sin(angle) * b)).normalized());
  }
  return points;
}

Vec3 linear(const Rgb& color) {
  return linear_color(color).cast<double>();
}

template <class Value>
void flip_rows(Value& image) {
  const std::size_t row = static_cast<std::size_t>(image.width) * 3;
  for (int y = 0; y < image.height / 2; ++y) {
    auto* upper = image.values.data() + row * static_cast<std::size_t>(y);
    auto* lower = image.values.data() + row * static_cast<std::size_t>(image.height - 1 - y);
    std::swap_ranges(upper, upper + row, lower);
  }
}

bool is_clear(const StudioGroup& group) {
  return group.look.opacity < 1;
}

}  // namespace

class StudioRenderer::Device {
 public:
  explicit Device(StudioQuality quality) : lamp_count_(lamps_of(quality)), map_size_(map_size_of(quality)) {}
  void draw(const StudioScene& scene, const Camera& camera, ColorImage& image);

  OffscreenContext context_;

 private:
  using Target = std::unique_ptr<GlTarget>;

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
  void prepare_light();
  View view_of(const StudioScene& scene, const Camera& camera, int width, int height) const;
  void draw_visible(const StudioScene& scene, const View& view);
  void draw_planes(const StudioScene& scene, const View& view);
  void set_look(const GlProgram& own, const StudioLook& look, int unit);
  void draw_maps(const StudioScene& scene, const View& view, std::span<const Vec3> directions, std::size_t first);
  void set_maps(const GlProgram& own) const;
  void draw_lamps(const StudioScene& scene, const View& view);
  void shade(const StudioScene& scene, const View& view);
  void draw_clear(const StudioScene& scene, const View& view);
  void draw_clear_object(const StudioScene& scene, std::size_t object, const View& view, const GlProgram& own);
  void finish(const View& view, bool several);
  void set_eye(const GlProgram& own, const View& view) const;
  void set_light(const GlProgram& own, const StudioScene& scene, int unit) const;
  void draw_screen() {
    if (empty_array_ == 0) gl_.make_vertex_arrays(1, &empty_array_);
    gl_.bind_vertex_array(empty_array_);
    gl_.draw_arrays(GL_TRIANGLES, 0, 3);
  }

  const GlFunctions& gl_ = context_.gl();
  int lamp_count_, map_size_;
  GlSurfaces surfaces_{gl_};
  GlImages images_{gl_};
  Target visible_, atlas_, sums_, opens_, lit_, clear_, picture_;
  std::optional<GlProgram> surface_, plane_, map_, lamps_program_, blur_, shade_, fill_, depth_, clear_program_,
      finish_;
  GLuint empty_array_ = 0, mirror_ = 0;
  std::vector<StudioLamp> lamps_;
  std::vector<Vec3> harmonics_;
  std::vector<Eigen::Matrix4d> to_light_;  // of the maps in the atlas
  double map_width_ = 1;                   // the largest of them [m]
};

void StudioRenderer::Device::prepare_light() {
  if (mirror_ != 0) return;
  lamps_ = studio_lamps(lamp_count_);
  harmonics_ = studio_harmonics();
  const StudioMirror mirror = studio_mirror(mirror_size, mirror_levels);
  gl_.make_textures(1, &mirror_);
  gl_.bind_texture(GL_TEXTURE_2D, mirror_);
  gl_.texture_image(GL_TEXTURE_2D, 0, GL_RGB32F, mirror.size, mirror.size * mirror.levels, 0, GL_RGB, GL_FLOAT,
                    mirror.pixels.data());
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    gl_.texture_parameter(GL_TEXTURE_2D, filter, GL_LINEAR);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    gl_.texture_parameter(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
}

// Near and far enclose all vertices in front of the camera.
View StudioRenderer::Device::view_of(const StudioScene& scene, const Camera& camera, int width, int height) const {
  const Vec3 axis = (camera.target - camera.position).normalized();
  const double size = scene.room.diagonal();
  double nearest = std::numeric_limits<double>::infinity(),
         farthest = axis.dot(scene.room.center() - camera.position) + plane_reach * 1.5 * size;
  for (const RenderObject& object : scene.scene.objects) {
    if (object.positions.cols() == 0) continue;
    const auto depths = (axis.transpose() * (object.positions.colwise() - camera.position)).eval();
    nearest = std::min(nearest, depths.minCoeff());
    farthest = std::max(farthest, depths.maxCoeff());
  }
  for (const RenderPlane& plane : scene.scene.planes) {
    const double above = plane.normal.dot(camera.position - plane.point);
    const double slope =
        std::tan(0.5 * camera.fov * std::numbers::pi / 180) * (1 + static_cast<double>(width) / height);
    nearest = std::min(nearest, camera.orthographic ? 0 : std::max(above, 0.0) / (1 + slope));
  }
  const double least = 1e-4 * size;
  const double near = camera.orthographic ? std::max(0.0, nearest - least) : std::max(least, 0.98 * nearest);
  return {camera, width, height, scene.room.center(), near, std::max(1.01 * farthest, near + size)};
}

void StudioRenderer::Device::draw_visible(const StudioScene& scene, const View& view) {
  require(visible_, view.width, view.height, {GL_R32F, GL_RGB10_A2, GL_RGBA8, GL_RGBA8}, GL_DEPTH_COMPONENT32F,
          studio_samples);
  visible_->bind();
  gl_.enable(GL_DEPTH_TEST);
  gl_.depth_func(GL_LESS);
  const float infinite[] = {std::numeric_limits<float>::infinity(), 0, 0, 0}, nothing[] = {0, 0, 0, 0}, one = 1;
  gl_.clear_floats(GL_COLOR, 0, infinite);
  for (GLint k = 1; k < 4; ++k) gl_.clear_floats(GL_COLOR, k, nothing);
  gl_.clear_floats(GL_DEPTH, 0, &one);
  const GlProgram& own =
      program(surface_, shaders::textured_vertex,
              std::string("#version 330 core\n") + shaders::texture_factor + shaders::studio_surface_fragment);
  own.set("to_camera", view.to_camera);
  own.set("to_clip", view.to_clip);
  for (std::size_t k = 0; k < surfaces_.count(); ++k) {
    for (const StudioGroup& group : scene.groups[k]) {
      if (is_clear(group)) continue;
      set_look(own, group.look, 0);
      own.set("metalness", group.look.metalness);
      surfaces_.draw(k, group.first, group.count);
    }
  }
  draw_planes(scene, view);
  gl_.disable(GL_DEPTH_TEST);
}

// unit: of the texture.
void StudioRenderer::Device::set_look(const GlProgram& own, const StudioLook& look, int unit) {
  own.set("color", linear(look.color));
  own.set("roughness", look.roughness);
  own.set("textured", !look.texture ? 0 : look.has_coordinates ? 1 : 2);
  if (!look.texture) return;
  own.set_texture("image", unit, images_.texture(look.texture));
  own.set("image_width", look.texture_width);
}

void StudioRenderer::Device::draw_planes(const StudioScene& scene, const View& view) {
  const double size = scene.room.diagonal(), extent = plane_reach * size;
  const GlProgram& own = program(plane_, shaders::surface_vertex, shaders::studio_plane_fragment);
  own.set("to_camera", view.to_camera);
  own.set("to_clip", view.to_clip);
  own.set("up", scene.scene.up);
  own.set("cell", studio_grid(size));
  own.set("extent", extent);
  for (std::size_t p = 0; p < scene.scene.planes.size(); ++p) {
    const RenderPlane& plane = scene.scene.planes[p];
    const double above = plane.normal.dot(view.camera.position - plane.point);
    if (view.orthographic() ? plane.normal.dot(view.direction()) >= 0 : above <= 0) continue;
    const Vec3 center = scene.room.center();
    const Vec3 middle = center - plane.normal.dot(center - plane.point) * plane.normal;
    own.set("origin", Vec3(plane.point - view.origin));
    own.set("axis", plane.tangent);
    own.set("center", Vec3(middle - view.origin));
    own.set("grid", scene.grids[p] ? 1.0 : 0.0);
    surfaces_.draw_square(middle - view.origin, plane.normal, extent);
  }
}

// Clear bodies throw shadows in a part of the directions.
void StudioRenderer::Device::draw_maps(const StudioScene& scene, const View& view, std::span<const Vec3> directions,
                                       std::size_t first) {
  const int size = map_size_;
  require(atlas_, tiles * size, tiles * size, {}, GL_DEPTH_COMPONENT24);
  atlas_->bind();
  gl_.enable(GL_DEPTH_TEST);
  gl_.depth_func(GL_LESS);
  gl_.enable(GL_DEPTH_CLAMP);
  gl_.enable(GL_POLYGON_OFFSET_FILL);
  gl_.polygon_offset(1.5f, 4);
  const float one = 1;
  gl_.clear_floats(GL_DEPTH, 0, &one);
  const GlProgram& own = program(map_, shaders::surface_vertex, shaders::shadow_fragment);
  Eigen::Matrix4d to_clip = 2 * Eigen::Matrix4d::Identity();
  to_clip.topRightCorner<3, 1>().setConstant(-1);
  to_clip(3, 3) = 1;
  own.set("to_clip", to_clip);
  const Points corners = corners_of(scene.room);
  to_light_.clear();
  map_width_ = 0;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    const LightView light(corners, view.origin, directions[k]);
    map_width_ = std::max(map_width_, light.width);
    to_light_.push_back(light.to_light);
    own.set("to_camera", light.to_light);
    gl_.viewport(static_cast<int>(k) % tiles * size, static_cast<int>(k) / tiles * size, size, size);
    const double turn = std::fmod(0.618034 * static_cast<double>(first + k), 1.0);
    for (std::size_t object = 0; object < surfaces_.count(); ++object)
      for (const StudioGroup& group : scene.groups[object])
        if (!is_clear(group) || turn < 0.25 + 0.6 * group.look.opacity)
          surfaces_.draw(object, group.first, group.count);
  }
  gl_.disable(GL_POLYGON_OFFSET_FILL);
  gl_.disable(GL_DEPTH_CLAMP);
  gl_.disable(GL_DEPTH_TEST);
}

void StudioRenderer::Device::set_maps(const GlProgram& own) const {
  for (std::size_t k = 0; k < to_light_.size(); ++k) own.set(fmt::format("to_light[{}]", k).c_str(), to_light_[k]);
}

void StudioRenderer::Device::set_eye(const GlProgram& own, const View& view) const {
  own.set("eye", Vec3(view.camera.position - view.origin));
  const Eigen::Matrix4d axes = view.camera.matrix();
  own.set("right", Vec3(axes.block<1, 3>(0, 0).transpose()));
  own.set("down", Vec3(axes.block<1, 3>(1, 0).transpose()));
  own.set("forward", Vec3(axes.block<1, 3>(2, 0).transpose()));
  own.set("middle", view.middle());
  own.set("scale", view.scale());
  own.set("orthographic", static_cast<int>(view.orthographic()));
}

// Light from around: shadow maps in all directions, a few at a time.
void StudioRenderer::Device::draw_lamps(const StudioScene& scene, const View& view) {
  const int width = (view.width + 1) / 2, height = (view.height + 1) / 2;
  require(sums_, width, height, {GL_RG32F}, 0);
  require(opens_, width, height, {GL_RG32F}, 0);
  const double size = scene.room.diagonal();
  const Vec3 up = scene.scene.up.normalized();
  const Mat3 from_room = room_axes(up).transpose();
  double ground = -1e9;  // the height of the ground: light from below comes from it
  for (const RenderPlane& plane : scene.scene.planes)
    if (plane.normal.dot(up) > 0.9) ground = std::max(ground, up.dot(plane.point - view.origin));
  sums_->bind();
  const float nothing[] = {0, 0, 0, 0};
  gl_.clear_floats(GL_COLOR, 0, nothing);
  for (std::size_t first = 0; first < lamps_.size(); first += lamps_at_once) {
    const std::size_t count = std::min<std::size_t>(lamps_at_once, lamps_.size() - first);
    std::vector<Vec3> directions;
    for (std::size_t k = 0; k < count; ++k) directions.emplace_back(from_room * lamps_[first + k].direction);
    draw_maps(scene, view, directions, first);
    sums_->bind();
    gl_.enable(GL_BLEND);
    gl_.blend_func(GL_ONE, GL_ONE);
    const GlProgram& own = program(lamps_program_, shaders::screen_vertex, shaders::lamps_fragment);
    own.set_texture("depths", 0, visible_->color(0), GL_TEXTURE_2D_MULTISAMPLE);
    own.set_texture("normals", 1, visible_->color(1), GL_TEXTURE_2D_MULTISAMPLE);
    own.set_texture("shadows", 2, atlas_->depth());
    set_maps(own);
    for (std::size_t k = 0; k < count; ++k)
      own.set(fmt::format("lamps[{}]", k).c_str(), Vec3(lamps_[first + k].weight * directions[k]));
    own.set("count", static_cast<int>(count));
    set_eye(own, view);
    own.set("up", up);
    own.set("lift", 1.6 * map_width_ / map_size_ + 0.2 * map_spread * map_width_);
    own.set("spread", map_spread);
    own.set("ground", ground);
    own.set("height_scale", ground_height * size);
    draw_screen();
    gl_.disable(GL_BLEND);
  }
  opens_->bind();
  const GlProgram& own = program(blur_, shaders::screen_vertex, shaders::lamps_blur_fragment);
  own.set_texture("depths", 0, visible_->color(0), GL_TEXTURE_2D_MULTISAMPLE);
  own.set_texture("normals", 1, visible_->color(1), GL_TEXTURE_2D_MULTISAMPLE);
  own.set_texture("sums", 2, sums_->color(0));
  own.set("reach", blur_reach * size);
  draw_screen();
}

void StudioRenderer::Device::set_light(const GlProgram& own, const StudioScene& scene, int unit) const {
  const Lights& lights = scene.field ? field_lights : color_lights;
  Eigen::Matrix4d to_room = Eigen::Matrix4d::Identity();
  to_room.topLeftCorner<3, 3>() = room_axes(scene.scene.up.normalized());
  own.set_texture("mirror", unit, mirror_);
  own.set("to_room", to_room);
  own.set("levels", mirror_levels);
  for (std::size_t k = 0; k < harmonics_.size(); ++k) own.set(fmt::format("harmonics[{}]", k).c_str(), harmonics_[k]);
  own.set("sun", key_direction(scene));
  own.set("sun_light", Vec3(lights.sun * Vec3(1, 0.905, 0.791)));  // #fff4e6
  own.set("studio", lights.studio);
  own.set("ground_light", Vec3(1.05 * linear(scene.middle)));
  own.set("has_ground", scene.scene.planes.empty() ? 0.0 : 1.0);
  own.set("edge", lights.edge);
}

void StudioRenderer::Device::shade(const StudioScene& scene, const View& view) {
  const std::vector<Vec3> directions = key_points(key_direction(scene));
  draw_maps(scene, view, directions, 0);
  require(lit_, view.width, view.height, {GL_RGBA16F}, 0);
  lit_->bind();
  const std::string fragment =
      std::string("#version 330 core\n") + shaders::studio_light + shaders::studio_shade_fragment;
  const GlProgram& own = program(shade_, shaders::screen_vertex, fragment);
  const char* const names[] = {"depths", "normals", "colors", "finishes"};
  for (int k = 0; k < 4; ++k)
    own.set_texture(names[k], k, visible_->color(static_cast<std::size_t>(k)), GL_TEXTURE_2D_MULTISAMPLE);
  own.set_texture("opens", 4, opens_->color(0));
  own.set_texture("shadows", 5, atlas_->depth());
  set_light(own, scene, 6);
  set_maps(own);
  set_eye(own, view);
  own.set("up", scene.scene.up);
  own.set("back_middle", linear(scene.middle));
  own.set("back_border", linear(scene.border));
  own.set("size", Eigen::Vector2d(view.width, view.height));
  own.set("lift", 1.6 * map_width_ / map_size_);
  own.set("reach", blur_reach * scene.room.diagonal());
  own.set("spread", 2.5 / map_size_);
  draw_screen();
}

// From the back to the front: objects by their middles, triangles by theirs.
void StudioRenderer::Device::draw_clear_object(const StudioScene& scene, std::size_t object, const View& view,
                                               const GlProgram& own) {
  const RenderObject& shown = scene.scene.objects[object];
  const Triangles& corners = shown.mesh->corners();
  const std::vector<Index>& vertices = shown.mesh->vertices();
  const Vec3 axis = view.direction();
  for (const StudioGroup& group : scene.groups[object]) {
    if (!is_clear(group)) continue;
    std::vector<double> depth(static_cast<std::size_t>(group.count));
    for (Index t = 0; t < group.count; ++t)
      for (const Index v : corners.col(group.first + t)) depth[t] += axis.dot(shown.positions.col(vertices[v]));
    std::vector<Index> order(depth.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, [&](Index a, Index b) { return depth[a] > depth[b]; });
    std::vector<Index> list;
    list.reserve(3 * order.size());
    for (const Index t : order)
      for (const Index v : corners.col(group.first + t)) list.push_back(v);
    set_look(own, group.look, 2);
    own.set("opacity", group.look.opacity);
    surfaces_.draw_triangles(object, list);
  }
}

void StudioRenderer::Device::draw_clear(const StudioScene& scene, const View& view) {
  require(clear_, view.width, view.height, {GL_RGBA16F}, GL_DEPTH_COMPONENT32F, studio_samples);
  clear_->bind();
  const float one = 1;
  gl_.clear_floats(GL_DEPTH, 0, &one);
  program(fill_, shaders::screen_vertex, shaders::fill_fragment).set_texture("behind", 0, lit_->color(0));
  draw_screen();
  gl_.enable(GL_DEPTH_TEST);
  gl_.depth_func(GL_LESS);
  gl_.color_mask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  const GlProgram& depth = program(depth_, shaders::surface_vertex, shaders::depth_fragment);
  depth.set("to_camera", view.to_camera);
  depth.set("to_clip", view.to_clip);
  for (std::size_t k = 0; k < surfaces_.count(); ++k)
    for (const StudioGroup& group : scene.groups[k])
      if (!is_clear(group)) surfaces_.draw(k, group.first, group.count);
  gl_.color_mask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl_.depth_mask(GL_FALSE);
  gl_.enable(GL_BLEND);
  gl_.blend_func(GL_ONE, GL_SRC1_COLOR);
  const std::string fragment =
      std::string("#version 330 core\n") + shaders::studio_light + shaders::texture_factor + shaders::clear_fragment;
  const GlProgram& own = program(clear_program_, shaders::textured_vertex, fragment);
  own.set("to_camera", view.to_camera);
  own.set("to_clip", view.to_clip);
  set_light(own, scene, 0);
  own.set("has_ground", 0.0);
  own.set_texture("shadows", 1, atlas_->depth());
  set_maps(own);
  own.set("lift", 1.6 * map_width_ / map_size_);
  set_eye(own, view);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < surfaces_.count(); ++k)
    if (std::ranges::any_of(scene.groups[k], is_clear))
      order.emplace_back(-view.direction().dot(box_of(scene.scene.objects[k].positions).center()), k);
  std::ranges::sort(order);
  for (const auto& [depth_of, k] : order) draw_clear_object(scene, k, view, own);
  gl_.disable(GL_BLEND);
  // Mesa refuses draws to several colours while the second source is set, even if nothing is blended.
  gl_.blend_func(GL_ONE, GL_ZERO);
  gl_.depth_mask(GL_TRUE);
  gl_.disable(GL_DEPTH_TEST);
}

void StudioRenderer::Device::finish(const View& view, bool several) {
  require(picture_, view.width, view.height, {GL_RGBA8}, 0);
  picture_->bind();
  const GlProgram& own = program(finish_, shaders::screen_vertex, shaders::finish_fragment);
  own.set_texture("plain", 0, lit_->color(0));
  own.set_texture("several", 1, several ? clear_->color(0) : visible_->color(0), GL_TEXTURE_2D_MULTISAMPLE);
  own.set("samples", several ? studio_samples : 0);
  draw_screen();
}

void StudioRenderer::Device::draw(const StudioScene& scene, const Camera& camera, ColorImage& image) {
  prepare_light();
  const View view = view_of(scene, camera, image.width, image.height);
  surfaces_.send(scene.scene, view.origin, true);
  for (std::size_t k = 0; k < surfaces_.count(); ++k)
    surfaces_.set_places(k, k < scene.places.size() ? scene.places[k] : nullptr);
  draw_visible(scene, view);
  draw_lamps(scene, view);
  shade(scene, view);
  const bool clear = std::ranges::any_of(
      scene.groups, [](const std::vector<StudioGroup>& groups) { return std::ranges::any_of(groups, is_clear); });
  if (clear) draw_clear(scene, view);
  finish(view, clear);
  image.values.resize(3 * static_cast<std::size_t>(image.width) * image.height);
  gl_.bind_framebuffer(GL_FRAMEBUFFER, picture_->framebuffer());
  gl_.read_buffer(GL_COLOR_ATTACHMENT0);
  gl_.pixel_store(GL_PACK_ALIGNMENT, 1);
  gl_.read_pixels(0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, image.values.data());
  flip_rows(image);
}

StudioRenderer::StudioRenderer(StudioQuality quality) : device_(std::make_unique<Device>(quality)) {}

StudioRenderer::~StudioRenderer() {
  const OffscreenContext::Use use(device_->context_);
  device_.reset();
}

ColorImage StudioRenderer::draw(const StudioScene& scene, const Camera& camera, int width, int height) {
  for (const int side : {width, height})
    if (side < 1 || side > largest_picture)
      fail_input(code::argument, "picture: found {} x {} pixels, expected 1 to {} along each side", width, height,
                 largest_picture);
  camera.check();
  const OffscreenContext::Use use(device_->context_);
  ColorImage image{width, height, {}};
  device_->draw(scene, camera, image);
  return image;
}

}  // namespace sinew
