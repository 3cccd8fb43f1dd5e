#include "sinew/io/studio_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sinew/formats/image_file.h"
#include "sinew/io/action_box.h"
#include "sinew/io/focus_box.h"
#include "sinew/io/surface_parts.h"
#include "sinew/render/decode_image.h"

namespace sinew {
namespace {

const Rgb studio_obstacle(0.604f, 0.639f, 0.678f);
constexpr double near_action = 0.1, near_room = 0.5;  // of a size: obstacles so far around are shown
constexpr double floor_gap = 0.004;                   // below all motion, where a scene has no plane
constexpr std::size_t palette_size = 8;

// The colour of the k-th of some kinds: later rounds of the palette are darker, then lighter.
Rgb kind_color(std::size_t k) {
  constexpr float shades[] = {1, 0.5f, 1.5f};
  const float shade = shades[k / palette_size % std::size(shades)];
  const Rgb light = (linear_color(body_color(k)) * shade).cwiseMin(1);
  return light.unaryExpr(
      [](float c) { return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f; });
}

Vec3 up_in(const System& system) {
  const Vec3& gravity = system.setup.gravity;
  return gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3(0, 1, 0);
}

RenderBox united(const RenderBox& a, const RenderBox& b) {
  return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
}

// A box with the parts of others that lie within `reach` of it.
RenderBox with_near(const RenderBox& box, const std::vector<RenderBox>& others, double reach) {
  const RenderBox near{box.low.array() - reach, box.high.array() + reach};
  RenderBox result = box;
  for (const RenderBox& other : others) {
    const RenderBox there{other.low.cwiseMax(near.low), other.high.cwiseMin(near.high)};
    if ((there.high - there.low).minCoeff() >= 0) result = united(result, there);
  }
  return result;
}

RenderBox box_of_ranges(const std::array<ValueRange, 3>& ranges) {
  RenderBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.low[axis] = ranges[static_cast<std::size_t>(axis)].low;
    box.high[axis] = ranges[static_cast<std::size_t>(axis)].high;
  }
  return box;
}

Vec3 tangent_of_plane(const Vec3& normal) {
  Eigen::Index axis = 0;
  normal.cwiseAbs().minCoeff(&axis);
  return normal.cross(Vec3::Unit(axis)).normalized();
}

using Images = std::map<std::string, std::shared_ptr<const ColorImage>>;  // by path

std::shared_ptr<const ColorImage> image_of(const std::string& path, Images& images) {
  std::shared_ptr<const ColorImage>& image = images[path];
  if (!image) image = std::make_shared<const ColorImage>(decode_image(read_image_file(path).bytes, path));
  return image;
}

// Of a box across a view from an azimuth.
double width_across(const RenderBox& box, const Vec3& up, double azimuth) {
  return view_direction(up, azimuth + 90, 0).cwiseAbs().dot(box.high - box.low);
}

}  // namespace

Vec3 view_direction(const Vec3& up, double azimuth, double elevation) {
  const double a = azimuth * std::numbers::pi / 180, e = elevation * std::numbers::pi / 180;
  const Vec3 over = up.normalized(), side = std::abs(over[0]) < 0.9 ? Vec3(1, 0, 0) : Vec3(0, 0, -1);
  const Vec3 right = (side - side.dot(over) * over).normalized(), front = right.cross(over);
  return std::cos(e) * (std::cos(a) * front + std::sin(a) * right) + std::sin(e) * over;
}

StudioPicture::StudioPicture(const System& system, ColorBy colors)
    : system_(system), surface_(system), up_(up_in(system)) {
  const Json objects = surface_.objects();
  const auto& looks = system.material_looks;
  const bool natural = std::ranges::any_of(looks, [](const Look& look) { return !look.color.empty(); });
  const bool by_material =
      colors == ColorBy::material || (colors == ColorBy::automatic && (natural || system.material_names.size() > 1));
  const Mat3 to_y = turn_to_y(up_axis(system.setup.gravity)).toRotationMatrix();
  Images images;
  std::size_t bodies = 0;
  for (std::size_t k = 0; k < surface_.object_count(); ++k) {
    Part part;
    part.body = surface_.is_body(k);
    const Points rest = surface_.positions(k, system.user_rest, system.rest);
    Index first = 0;
    for (const Json& group : objects[k]["groups"]) {
      if (group.size() > 2) break;  // between materials: seen in cuts alone
      StudioGroup own{first, group[1].get<Index>(), {studio_obstacle, 0.7, 0, 1}};
      first += own.count;
      if (part.body) {
        const auto material = group[0].get<std::size_t>();
        const Look look = material < looks.size() ? looks[material] : Look{};
        const bool colored = by_material && !look.color.empty();
        own.look = {colored ? color_of_hex(look.color, "look.color") : kind_color(by_material ? material : bodies),
                    look.roughness, look.metalness, look.opacity};
        if (by_material && !look.texture.empty()) {
          own.look.texture = image_of(look.texture, images);
          own.look.has_coordinates = !surface_.texture(k).corners.empty();
          own.look.texture_width = BoxProjection(rest, to_y, look.texture_size).width();
        }
      }
      if (own.count > 0) part.groups.push_back(own);
    }
    bodies += part.body ? 1 : 0;
    const ReportSurface::TextureCorners& texture = surface_.texture(k);
    part.mesh =
        std::make_shared<const RenderMesh>(rest, Triangles(surface_.triangles(k).leftCols(first)), texture.corners);
    if (std::ranges::any_of(part.groups, [](const StudioGroup& group) { return group.look.texture != nullptr; }))
      part.places = texture_places(*part.mesh, rest, BoxProjection(rest, to_y, 0), texture.coordinates);
    parts_.push_back(std::move(part));
  }
}

Points StudioPicture::positions(std::size_t object, const RecordedFrame& frame) const {
  if (surface_.is_body(object)) return surface_.positions(object, frame.user, Points());
  const Index first = system_.body_vertex_count();
  const std::vector<Index>& vertices = surface_.vertices(object);
  Points x(3, static_cast<Index>(vertices.size()));
  for (std::size_t v = 0; v < vertices.size(); ++v)
    x.col(static_cast<Index>(v)) = frame.obstacles.col(vertices[v] - first);
  return x;
}

RunExtent StudioPicture::extent(const RecordedRun& run) const {
  RunExtent extent;
  extent.up = up_;
  extent.lowest = std::numeric_limits<double>::infinity();
  std::vector<RenderBox> obstacles;
  for (std::size_t k = 0; k < run.size(); ++k) {
    const RecordedFrame frame = run.frame(k);
    extent.times.push_back(frame.time);
    std::vector<WeightedBox> boxes;
    std::size_t obstacle = 0;
    for (std::size_t object = 0; object < parts_.size(); ++object) {
      const Points x = positions(object, frame);
      if (x.cols() == 0) continue;
      const RenderBox box = box_of(x);
      if (parts_[object].body) {
        extent.lowest = std::min(extent.lowest, (up_.transpose() * x).minCoeff());
        boxes.push_back({ReportEncoder::box(x), static_cast<double>(x.cols())});
      } else if (obstacle == obstacles.size()) {
        obstacles.push_back(box);
        ++obstacle;
      } else {
        obstacles[obstacle] = united(obstacles[obstacle], box);
        ++obstacle;
      }
    }
    extent.focus.push_back(boxes.empty() ? RenderBox{Vec3::Constant(-0.5), Vec3::Constant(0.5)}
                                         : box_of_ranges(focus_box(boxes)));
  }
  RenderBox all = extent.focus.front();
  for (const RenderBox& box : extent.focus) all = united(all, box);
  // Nothing flies off in statics, and the last load step, often the picture, is the widest.
  const bool statics = system_.setup.time.integrator == Integrator::statics;
  const RenderBox motion = statics ? all : action_box(extent.focus);
  // What flies far away throws no shadow, so that the others have a fine one.
  const double size = std::max(motion.diagonal(), 1e-9);
  const RenderBox limit{motion.low.array() - size, motion.high.array() + size};
  all = {all.low.cwiseMax(limit.low), all.high.cwiseMin(limit.high)};
  extent.action = with_near(motion, obstacles, near_action * size);
  extent.room = with_near(all, obstacles, near_room * std::max(all.diagonal(), 1e-9));
  extent.azimuth = width_across(motion, up_, -59) > 1.05 * width_across(motion, up_, 31) ? -59 : 31;
  return extent;
}

StudioScene StudioPicture::at(const RecordedFrame& frame, const RunExtent& extent, const PictureField* field,
                              ColorMap map) const {
  StudioScene studio;
  studio.scene.up = up_;
  studio.room = extent.room;
  studio.front = view_direction(up_, extent.azimuth, 21);
  studio.field = field != nullptr;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    RenderObject object;
    object.mesh = parts_[k].mesh;
    object.id = static_cast<Index>(k);
    object.main = parts_[k].body;
    object.positions = positions(k, frame);
    object.map = map;
    std::vector<StudioGroup> groups = parts_[k].groups;
    if (field && parts_[k].body) {
      const double width = field->high - field->low;
      object.values = surface_.field(k, field->values);
      object.values = width > 0 ? VecX((object.values.array() - field->low) / width) : VecX(0 * object.values);
      for (StudioGroup& group : groups) group.look.opacity = 1;
    }
    studio.scene.objects.push_back(std::move(object));
    studio.groups.push_back(std::move(groups));
    studio.places.push_back(parts_[k].places);
  }
  for (std::size_t p = 0; p < frame.planes.size(); ++p) {
    const PlaneState& plane = frame.planes[p];
    studio.scene.planes.push_back({plane.point, plane.normal, tangent_of_plane(plane.normal), 0});
    studio.grids.push_back(true);
  }
  if (frame.planes.empty() && system_.setup.gravity.norm() > 0 && std::isfinite(extent.lowest)) {
    // Where a scene has no plane a shadow below all motion tells which way is down.
    double lowest = extent.lowest;
    const RenderBox& room = extent.room;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 at;
      for (int axis = 0; axis < 3; ++axis) at[axis] = (corner >> axis & 1) ? room.high[axis] : room.low[axis];
      lowest = std::min(lowest, up_.dot(at));
    }
    lowest = std::max(lowest, up_.dot(room.center()) - room.diagonal()) - floor_gap * room.diagonal();
    studio.scene.planes.push_back({lowest * up_, up_, tangent_of_plane(up_), 0});
    studio.grids.push_back(false);
  }
  return studio;
}

Spread StudioPicture::spread(const VecX& field) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (!parts_[k].body) continue;
    const VecX own = surface_.field(k, field);
    values.insert(values.end(), own.begin(), own.end());
  }
  return spread_of(std::move(values));
}

RecordedFrame between(const RecordedFrame& first, const RecordedFrame& second, double share) {
  if (share <= 0) return first;
  if (share >= 1) return second;
  RecordedFrame frame = first;
  frame.time = (1 - share) * first.time + share * second.time;
  frame.user = (1 - share) * first.user + share * second.user;
  frame.obstacles = (1 - share) * first.obstacles + share * second.obstacles;
  for (std::size_t p = 0; p < frame.planes.size(); ++p) {
    const PlaneState &a = first.planes[p], &b = second.planes[p];
    frame.planes[p].point = (1 - share) * a.point + share * b.point;
    frame.planes[p].normal = ((1 - share) * a.normal + share * b.normal).normalized();
  }
  return frame;
}

std::size_t best_moment(const RecordedRun& run) {
  for (const char* name : {"strain", "displacement"}) {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t k = 0; k < run.size(); ++k) {
      const double mean = run.field(k, name).squaredNorm();
      if (mean <= most * (1 + 1e-9)) continue;
      most = mean;
      best = k;
    }
    if (most > 1e-12 * static_cast<double>(run.system().user_vertex_count)) return best;
  }
  return run.size() - 1;
}

}  // namespace sinew
