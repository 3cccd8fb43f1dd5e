// Sound of a body's own motion, against the sound of the same motion as modes of vibration.
#include "sinew/sound/sounding_body.h"

#include <cmath>
#include <complex>

#include "support/bodies.h"
#include <gmock/gmock.h>

#include "sinew/sound/modal_body.h"
#include "sinew/sound/synthesis.h"

namespace sinew {
namespace {

constexpr double one_sample = 1 / sample_rate;

// A free steel bar along x that vibrates in a mode.
class VibratingBar : public testing::Test {
 protected:
  VibratingBar() {
    sinew::Setup setup;
    setup.bodies.push_back(test::body("bar", make_box(Vec3(0.2, 0.02, 0.03), {16, 2, 2}),
                                      test::material("neo_hookean", 2e11, 0.3, 7800, "steel")));
    system_ = build_system(std::move(setup));
    settings_.listener = Vec3(0.4, 0.5, 0.6);
    modal_ =
        modal_bodies(*system_, std::vector<char>(3 * static_cast<std::size_t>(system_->dynamic_count), 0), settings_)
            .front();
    body_ = sounding_bodies(*system_).front();
    listener_ = make_listener(settings_, *system_);
  }

  static Vec3 point(const SoundRow& row, const Points& x) {
    Vec3 sum = Vec3::Zero();
    for (const auto& [v, weight] : row) sum += weight * x.col(v);
    return sum;
  }

  // x(t) = X + u cos(omega t) at the surface, in steps of h.
  SoundHistory history(Index mode, double omega, double h, int steps) const {
    const TapRows rows = tap_rows(body_, {body_.center, Mat3::Identity()}, listener_);
    Points u = Points::Zero(3, system_->rest.cols());
    for (std::size_t i = 0; i < modal_.surface.size(); ++i)
      u.col(modal_.surface[i]) = modal_.modes.col(mode).segment<3>(3 * static_cast<Eigen::Index>(i));
    VecX flow = VecX::Zero(2 * body_.tap_count());
    for (std::size_t i = 0; i < rows.taps.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) flow[rows.taps[i]] += point(rows.rows[3 * i + axis], u)[axis];
    SoundHistory made;
    made.signals = MatX::Zero(flow.size(), steps + 1);
    const auto q = [&](int n) { return std::cos(omega * n * h); };
    for (int n = 0; n <= steps; ++n) {
      made.times.push_back(n * h);
      made.frames.push_back({body_.center, Mat3::Identity()});
      if (n > 1) made.signals.col(n) = (q(n) - 2 * q(n - 1) + q(n - 2)) / (h * h) * flow;
    }
    return made;
  }

  // Amplitude of a frequency in a window of 0.1 s that begins at `from`.
  static double amplitude(const std::vector<double>& signal, double omega, double from) {
    std::complex<double> sum = 0;
    const int count = static_cast<int>(0.1 * sample_rate), first = static_cast<int>(from * sample_rate);
    double weight = 0;
    for (int k = 0; k < count; ++k) {
      const double window = 0.5 - 0.5 * std::cos(2 * M_PI * k / count);
      sum += window * signal[static_cast<std::size_t>(first + k)] * std::polar(1.0, -omega * k * one_sample);
      weight += window;
    }
    return 2 * std::abs(sum) / weight;
  }

  SoundSettings settings_;
  std::shared_ptr<const System> system_;
  ModalBody modal_;
  SoundingBody body_;
  Listener listener_;
};

TEST_F(VibratingBar, BodiesHaveTheirMassAndSurface) {
  EXPECT_LT((body_.center - modal_.center).norm(), 1e-12);
  EXPECT_EQ(body_.surface, modal_.surface);
  EXPECT_LT(body_.areas.rowwise().sum().norm(), 1e-15);  // closed
  const Mat3 turn = Eigen::AngleAxisd(1.2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Points x = (turn * system_->rest).colwise() + Vec3(3, 2, 1);
  Points points(3, 4);
  const auto rows = pose_rows(body_);
  for (int j = 0; j < 4; ++j) points.col(j) = point(rows[static_cast<std::size_t>(j)], x);
  const BodyFrame frame = pose(points);
  EXPECT_LT((frame.rotation - turn).norm(), 1e-12);
  EXPECT_LT((frame.center - (turn * body_.center + Vec3(3, 2, 1))).norm(), 1e-12);
}

// A harmonic motion of a mode is as loud as the complex gains say: |T| omega^2. Second differences over steps of h take
// the square of sin(w) / w at w = omega h / 2 from it. What else is lost is at most that of two cubic interpolations
// half a sample apart, and with two steps in a sample that of their mean.
TEST_F(VibratingBar, IsAsLoudAsItsMode) {
  for (Index mode = 0; mode < modal_.mode_count() && modal_.omega[static_cast<std::size_t>(mode)] < 2 * M_PI * 8000;
       ++mode)
    for (const double h : {one_sample, one_sample / 2}) {
      const double omega = modal_.omega[static_cast<std::size_t>(mode)];
      const SoundHistory made = history(mode, omega, h, static_cast<int>(0.3 / h));
      StereoSound sound = silence({made}, listener_, 0.01);
      add_motion(body_, made, listener_, sound);
      const double w = omega * one_sample / 2, difference = std::sin(omega * h / 2) / (omega * h / 2);
      const double cubic = 1.125 * std::cos(w) - 0.125 * std::cos(3 * w);
      const double mean = h < one_sample ? std::pow(std::cos(omega * h / 2), 2) : 1;
      for (int ear = 0; ear < 2; ++ear) {
        const ComplexGains gains = pressure_gains(modal_, {body_.center, Mat3::Identity()}, listener_, ear);
        const double expected = std::hypot(gains.re[mode], gains.im[mode]) * omega * omega * difference * difference;
        const double found = amplitude(sound.pressure[static_cast<std::size_t>(ear)], omega, 0.1);
        // The bilinear transform shifts the shadow of the head by up to 1 %.
        EXPECT_LT(found, 1.01 * expected) << omega / (2 * M_PI) << " Hz, ear " << ear << ", step " << h;
        EXPECT_GT(found, 0.99 * cubic * cubic * mean * expected)
            << omega / (2 * M_PI) << " Hz, ear " << ear << ", step " << h;
      }
    }
}

// Falling is not heard: a constant acceleration fades out as exp(-w t / sqrt 2) with w of 20 Hz, to 1e-9 after 0.25 s.
TEST_F(VibratingBar, FallingIsSilent) {
  SoundHistory made = history(0, modal_.omega[0], one_sample, 13230);
  const TapRows rows = tap_rows(body_, {body_.center, Mat3::Identity()}, listener_);
  made.signals.setZero();
  for (std::size_t i = 0; i < rows.taps.size(); ++i) {
    double flow = 0;
    for (const auto& [v, weight] : rows.rows[3 * i + 1]) flow += weight;
    made.signals.row(rows.taps[i]).tail(made.signals.cols() - 2).array() += -9.81 * flow;
  }
  StereoSound sound = silence({made}, listener_, 0.01);
  add_motion(body_, made, listener_, sound);
  for (std::size_t k = 11025; k + 1000 < sound.size(); ++k)
    ASSERT_LT(std::abs(sound.pressure[0][k]), 1e-8 * sound.peak()) << k;
  EXPECT_GT(sound.peak(), 0);
}

}  // namespace
}  // namespace sinew
