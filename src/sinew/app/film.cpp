#include "sinew/app/film.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/core/error.h"

namespace sinew::app {
namespace {

constexpr double view_angle = 32, usual_elevation = 21;  // [degrees], as on the page
constexpr double static_rate = 10;                       // frames of a static run a second
constexpr double follow_time = 0.25,
                 follow_share = 0.06;  // [s] and of the duration: over which a camera's way is smooth

Points box_corners(const RenderBox& box) {
  Points corners(3, 8);
  for (int k = 0; k < 8; ++k)
    for (int axis = 0; axis < 3; ++axis) corners(axis, k) = (k >> axis & 1) ? box.high[axis] : box.low[axis];
  return corners;
}

std::string words_of(const std::string& field) {
  if (field == "von_mises") return "von Mises stress";
  if (field == "strain") return "equivalent strain";
  std::string words = field;
  std::ranges::replace(words, '_', ' ');
  return words;
}

}  // namespace

Film::Film(const RecordedRun& run, FilmSettings settings)
    : run_(run),
      settings_(std::move(settings)),
      picture_(run.system(), settings_.colors),
      renderer_(settings_.quality) {
  if (!settings_.field.empty()) find_range();
  extent_ = picture_.extent(run);
  times_ = extent_.times;
  const TimeSetup& time = run.system().setup.time;
  if (time.integrator == Integrator::statics)
    for (std::size_t k = 0; k < times_.size(); ++k) times_[k] = static_cast<double>(k) / static_rate;
}

// Most of the values of all frames, as on the page: single peaks do not set the range.
void Film::find_range() {
  if (settings_.range) {
    run_.field(0, settings_.field);  // whether there is one
    range_ = *settings_.range;
    return;
  }
  std::vector<Spread> spreads;
  for (std::size_t k = 0; k < run_.size(); ++k) spreads.push_back(picture_.spread(run_.field(k, settings_.field)));
  const ValueRange usual = usual_range(spreads);
  range_ = {usual.low < 0.5 * usual.high ? std::min(0.0, usual.low) : usual.low, usual.high};
}

const Film::Loaded& Film::load(std::size_t k) {
  for (const std::optional<Loaded>& slot : loaded_)
    if (slot && slot->number == k) return *slot;
  std::optional<Loaded>& slot = loaded_[k % loaded_.size()];
  slot = Loaded{k, run_.frame(k), settings_.field.empty() ? VecX() : run_.field(k, settings_.field)};
  return *slot;
}

// The box of most of the bodies at the frame from a time on.
const RenderBox& Film::focus_at(double time) const {
  const auto k = static_cast<std::size_t>(std::ranges::lower_bound(times_, time) - times_.begin());
  return extent_.focus[std::min(k, times_.size() - 1)];
}

// The box of most of the bodies, whose middle moves smoothly and whose size is the largest of the run.
RenderBox Film::followed_box(double time) const {
  const double width = std::max(follow_time, follow_share * (end() - begin()));
  Vec3 middle = Vec3::Zero(), half = Vec3::Zero();
  double weights = 0;
  for (std::size_t k = 0; k < times_.size(); ++k) {
    const double away = (times_[k] - time) / width, weight = std::exp(-0.5 * away * away);
    middle += weight * extent_.focus[k].center();
    weights += weight;
    half = half.cwiseMax(0.5 * (extent_.focus[k].high - extent_.focus[k].low));
  }
  middle /= std::max(weights, 1e-300);
  return {middle - half, middle + half};
}

Camera Film::camera_at(double time) const {
  Camera camera;
  camera.up = extent_.up;
  camera.fov = view_angle;
  if (settings_.place) {
    std::tie(camera.position, camera.target) = *settings_.place;
    // From straight above or below, the picture's top is what lies behind the scene.
    const Vec3 forward = (camera.target - camera.position).normalized();
    if (forward.cross(extent_.up).norm() < 1e-6) camera.up = -view_direction(extent_.up, 0, 0);
    return camera;
  }
  const double aspect = static_cast<double>(settings_.width) / settings_.height;
  const double azimuth = settings_.azimuth.value_or(extent_.azimuth);
  const double elevation = settings_.elevation.value_or(usual_elevation);
  const auto fitted = [&](const RenderBox& box, double at) {
    return Camera::fit(box_corners(box), view_direction(extent_.up, at, elevation), extent_.up, view_angle, aspect);
  };
  if (settings_.motion == CameraMotion::orbit) {
    // At one distance, from which all of the box is seen all around.
    const Vec3 center = extent_.action.center();
    double distance = 0;
    for (int k = 0; k < 24; ++k)
      distance = std::max(distance, (fitted(extent_.action, 15.0 * k).position - center).norm());
    const double share = end() > begin() ? (time - begin()) / (end() - begin()) : 0;
    const Vec3 direction = view_direction(extent_.up, azimuth + settings_.turn * share, elevation);
    camera.target = center;
    camera.position = center + distance / settings_.zoom * direction;
    return camera;
  }
  camera = fitted(settings_.motion == CameraMotion::follow ? followed_box(time)
                  : settings_.single                       ? focus_at(time)
                                                           : extent_.action,
                  azimuth);
  camera.position = camera.target + (camera.position - camera.target) / settings_.zoom;
  return camera;
}

bool Film::is_dark() const {
  return settings_.background && settings_.background->second.mean() < 0.45f;
}

ColorImage Film::draw(double time) {
  const auto later = std::ranges::upper_bound(times_, time);
  const auto next = std::min<std::size_t>(static_cast<std::size_t>(later - times_.begin()), times_.size() - 1);
  const std::size_t first = next > 0 && times_[next] > time ? next - 1 : next;
  const double gap = times_[next] - times_[first];
  const double share = gap > 0 ? std::clamp((time - times_[first]) / gap, 0.0, 1.0) : 0;
  load(first);
  load(next);
  const Loaded &a = load(first), &b = load(next);
  const RecordedFrame frame = between(a.frame, b.frame, share);
  std::optional<PictureField> field;
  if (!settings_.field.empty())
    field = PictureField{(1 - share) * a.values + share * b.values, range_.first, range_.second};
  StudioScene scene = picture_.at(frame, extent_, field ? &*field : nullptr, settings_.map);
  if (settings_.background) std::tie(scene.middle, scene.border) = *settings_.background;
  ColorImage image = renderer_.draw(scene, camera_at(time), settings_.width, settings_.height);
  if (field && settings_.legend) {
    std::string unit;
    for (const RecordedField& known : run_.fields())
      if (known.name == settings_.field) unit = known.unit;
    draw_color_bar(image, {words_of(settings_.field), unit, range_.first, range_.second, settings_.map, is_dark()});
  }
  return image;
}

}  // namespace sinew::app
