// From forces on a bar to what two ears hear.
#include "sinew/sound/synthesis.h"

#include <cmath>
#include <complex>
#include <utility>

#include "support/bodies.h"
#include "support/folder.h"
#include <gmock/gmock.h>

#include "sinew/core/activity.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double sample = 1 / sample_rate;

// A free steel bar along x, and what it does when it is struck at an end.
class StruckBar : public testing::Test {
 protected:
  explicit StruckBar() {
    sinew::Setup setup;
    setup.bodies.push_back(test::body("bar", make_box(Vec3(0.2, 0.02, 0.03), {16, 2, 2}),
                                      test::material("neo_hookean", 2e11, 0.3, 7800, "steel")));
    system_ = build_system(std::move(setup));
    bodies_ =
        modal_bodies(*system_, std::vector<char>(3 * static_cast<std::size_t>(system_->dynamic_count), 0), settings_);
  }

  const ModalBody& bar() const { return bodies_.front(); }

  // A blow of 1 Ns in step 2 of 5 at the surface vertex of largest x.
  SoundHistory struck(const Vec3& place, const Vec3& direction = Vec3(0, 1, 0.3), double h = 1e-3) const {
    Points forces = Points::Zero(3, system_->dynamic_count);
    Eigen::Index end = 0;
    system_->rest.row(0).leftCols(system_->dynamic_count).maxCoeff(&end);
    forces.col(end) = direction / h;
    BodyFrame frame;
    frame.center = place;
    SoundHistory history;
    history.signals = MatX::Zero(bar().mode_count(), 6);
    history.signals.col(2) = bar().modal_forces(frame, forces);
    for (int n = 0; n <= 5; ++n) {
      history.times.push_back(n * h);
      history.frames.push_back(frame);
    }
    return history;
  }

  StereoSound sound_of(const SoundHistory& history, double tail = 0.5) const {
    const Listener listener = make_listener(settings_, *system_);
    StereoSound sound = silence({history}, listener, tail);
    add_sound(bar(), history, listener, settings_.impact_time, sound);
    return sound;
  }

  static double amplitude(const std::vector<double>& signal, double frequency) {
    std::complex<double> sum = 0;
    const std::size_t n = signal.size();
    for (std::size_t k = 0; k < n; ++k) {
      const double window = 0.5 - 0.5 * std::cos(2 * M_PI * static_cast<double>(k) / static_cast<double>(n));
      sum += window * signal[k] * std::polar(1.0, -2 * M_PI * frequency * static_cast<double>(k) * sample);
    }
    return std::abs(sum) / static_cast<double>(n);
  }

  static double energy(const std::vector<double>& signal) {
    double sum = 0;
    for (const double p : signal) sum += p * p;
    return sum;
  }

  SoundSettings settings_;
  std::shared_ptr<const System> system_;
  std::vector<ModalBody> bodies_;
};

TEST_F(StruckBar, ModesAreThoseThatAreHeard) {
  ASSERT_GE(bar().mode_count(), 8);
  for (Index i = 0; i < bar().mode_count(); ++i) {
    const double f = bar().omega[i] / (2 * M_PI);
    EXPECT_TRUE(f >= 20 && f <= 20000) << f;
    EXPECT_DOUBLE_EQ(bar().damping[i], 2 * settings_.damping_ratio * bar().omega[i]);
  }
  // Euler and Bernoulli: 4.73^2 / (2 pi L^2) sqrt(E h^2 / 12 rho); two linear tets across are a good deal too stiff.
  const double bending = 4.73 * 4.73 / (2 * M_PI * 0.04) * std::sqrt(2e11 * 4e-4 / 12 / 7800);
  EXPECT_GT(bar().omega[0] / (2 * M_PI) / bending, 0.95);
  EXPECT_LT(bar().omega[0] / (2 * M_PI) / bending, 1.6);
  EXPECT_NEAR(bar().center.norm(), 0, 1e-12);
}

// The spectrum has its peak at each mode, and none in between is larger.
TEST_F(StruckBar, TheSpectrumHasItsPeaksAtTheModes) {
  const StereoSound sound = sound_of(struck(Vec3::Zero()));
  EXPECT_GT(sound.peak(), 0);
  for (Index i = 0; i < 6; ++i) {
    const double f = bar().omega[i] / (2 * M_PI);
    if ((i > 0 && bar().omega[i - 1] > 0.96 * bar().omega[i]) || bar().omega[i + 1] < 1.04 * bar().omega[i]) continue;
    double best = 0, at = 0;
    for (double share = 0.97; share <= 1.03; share += 0.0005) {
      const double a = amplitude(sound.pressure[0], share * f);
      if (a > best) best = a, at = share;
    }
    EXPECT_NEAR(at, 1, 0.01) << f;
  }
}

TEST_F(StruckBar, OnTheLeftItIsLouderAndEarlierThere) {
  const StereoSound sound = sound_of(struck(Vec3(-1, 0, 0)));
  EXPECT_GT(energy(sound.pressure[0]), 1.5 * energy(sound.pressure[1]));
  const auto onset = [&](const std::vector<double>& signal) {
    return std::ranges::find_if(signal, [&](double p) { return std::abs(p) > 1e-3 * sound.peak(); }) - signal.begin();
  };
  // sqrt(2) m and 0.18 m sin 45 degrees: 4.1 ms, and 0.37 ms later.
  EXPECT_NEAR(static_cast<double>(onset(sound.pressure[0])) * sample, 1.4e-3 + 1.35 / speed_of_sound, 3e-4);
  EXPECT_NEAR(static_cast<double>(onset(sound.pressure[1]) - onset(sound.pressure[0])) * sample, 0.37e-3, 1.2e-4);
  const StereoSound right = sound_of(struck(Vec3(1, 0, 0)));
  EXPECT_GT(energy(right.pressure[1]), 1.5 * energy(right.pressure[0]));
}

TEST_F(StruckBar, FarAwayItIsQuieter) {
  settings_.listener = Vec3(2, 3, 3);
  const StereoSound near = sound_of(struck(Vec3::Zero()));
  const StereoSound far = sound_of(struck(Vec3(-2, -3, -3)));
  EXPECT_NEAR(far.peak() / near.peak(), 0.5, 0.05);
}

// A blow that turns with the body excites the same vibrations.
TEST_F(StruckBar, TurnsWithItsForces) {
  const SoundHistory straight = struck(Vec3::Zero());
  BodyFrame turned;
  turned.rotation = Eigen::AngleAxisd(1.2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  Points x = turned.rotation * system_->rest, forces = Points::Zero(3, system_->dynamic_count);
  Eigen::Index end = 0;
  system_->rest.row(0).leftCols(system_->dynamic_count).maxCoeff(&end);
  forces.col(end) = turned.rotation * Vec3(0, 1, 0.3) / 1e-3;
  const BodyFrame frame = bar().frame(*system_, x);
  EXPECT_LT((frame.rotation - turned.rotation).norm(), 1e-12);
  EXPECT_LT((bar().modal_forces(frame, forces) - straight.signals.col(2)).norm(), 1e-9 * straight.signals.norm());
}

TEST_F(StruckBar, UnderForcesThatStandStillIsSilent) {
  SoundHistory history = struck(Vec3::Zero());
  const double struck_peak = sound_of(history).peak();
  history.signals = history.signals.col(2).replicate(1, 6).eval();
  EXPECT_LT(sound_of(history).peak(), 1e-9 * struck_peak);
}

TEST_F(StruckBar, FadesAsItsDampingSays) {
  settings_.damping_ratio = 0.01;
  const auto damped =
      modal_bodies(*system_, std::vector<char>(3 * static_cast<std::size_t>(system_->dynamic_count), 0), settings_);
  const Listener listener = make_listener(settings_, *system_);
  const SoundHistory history = struck(Vec3::Zero());
  StereoSound sound = silence({history}, listener, 0.5);
  add_sound(damped.front(), history, listener, settings_.impact_time, sound);
  const auto part = [&](double from) {
    const auto begin = sound.pressure[0].begin() + static_cast<std::ptrdiff_t>(from * sample_rate);
    return amplitude({begin, begin + 4410}, damped[0].omega[0] / (2 * M_PI));
  };
  EXPECT_NEAR(part(0.15) / part(0.05), std::exp(-0.01 * damped[0].omega[0] * 0.1), 0.02);
}

TEST_F(StruckBar, IsTheSameForAnyNumberOfThreads) {
  const SoundHistory history = struck(Vec3(0.3, 0, 0));
  StereoSound one, more;
  {
    const ThreadLimit limit(1);
    one = sound_of(history);
  }
  more = sound_of(history);
  EXPECT_EQ(one.pressure, more.pressure);
}

// A simple source: a sphere that breathes causes rho a R^2 / r (Rayleigh).
TEST(Radiation, ABreathingSphereIsAMonopole) {
  sinew::Setup setup;
  setup.bodies.push_back(test::body("ball", make_sphere(0.05, 0.012), test::material("neo_hookean", 1e9, 0.3, 1000)));
  const auto system = build_system(std::move(setup));
  ModalBody ball = modal_bodies(*system, std::vector<char>(3 * static_cast<std::size_t>(system->dynamic_count), 0),
                                SoundSettings{.modes = 1})
                       .front();
  ASSERT_EQ(ball.mode_count(), 1);
  // Every vertex moves outwards by 1: the flow is the area.
  ball.omega[0] = 2 * M_PI * 20;
  ASSERT_EQ(ball.flow.rows(), ball.places.cols());
  const CollisionMesh& mesh = system->collision;
  ball.flow.setZero();
  double area = 0;
  for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
    Mat3 corners;
    for (int k = 0; k < 3; ++k) corners.col(k) = system->rest.col(mesh.triangles(k, t));
    const Vec3 vector = (corners.col(1) - corners.col(0)).cross(corners.col(2) - corners.col(0)) / 2;
    area += vector.norm();
    for (int k = 0; k < 3; ++k) {
      const auto row = std::ranges::lower_bound(ball.surface, mesh.triangles(k, t)) - ball.surface.begin();
      ball.flow(row, 0) += vector.norm() / 3;
    }
  }
  Listener listener;
  listener.head = Vec3(0, 0, 2);
  const double r = listener.distance(1, Vec3::Zero());
  const ComplexGains gains = pressure_gains(ball, {}, listener, 1);
  EXPECT_NEAR(gains.re[0], air_density * area / (4 * M_PI * r), 0.01 * gains.re[0]);
}

TEST(Radiation, TheListenerLooksAtTheScene) {
  sinew::Setup setup;
  setup.gravity = Vec3(0, 0, -9.81);
  setup.bodies.push_back(test::body("cube", make_box(Vec3(2, 2, 2), {1, 1, 1}),
                                    test::material("neo_hookean", 1e9, 0.3, 1000), Vec3(5, 0, 0)));
  const auto system = build_system(std::move(setup));
  const Listener front = make_listener({}, *system);
  EXPECT_LT((front.head - Vec3(5, -3, std::sqrt(3.0))).norm(), 1e-12);
  EXPECT_LT((front.right - Vec3::UnitX()).norm(), 1e-12);
  const Listener behind = make_listener({.listener = Vec3(5, 9, 0)}, *system);
  EXPECT_LT((behind.right + Vec3::UnitX()).norm(), 1e-12);
  const Listener above = make_listener({.listener = Vec3(5, 0, 9), .ears = 0.2}, *system);
  EXPECT_LT((above.right - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_EQ(above.radius, 0.1);
}

// A run that goes on finds its modes in the cache folder.
TEST(ModalBodies, AreMadeOfModesThatAreKept) {
  const test::Folder folder;
  const test::Variable cache("XDG_CACHE_HOME", folder.path.string());
  sinew::Setup setup;
  setup.bodies.push_back(test::body("block", make_box(Vec3(1, 1, 1), {16, 16, 16}), test::material("stvk", 1e9, 0.3)));
  const auto system = build_system(std::move(setup));
  const std::vector<char> fixed(3 * static_cast<std::size_t>(system->dynamic_count), 0);
  SoundSettings settings;
  settings.modes = 2;
  long made = 0;
  const activity::Listening listening({.interrupted = {}, .progress = [&](const std::string&) { ++made; }});
  const std::vector<ModalBody> first = modal_bodies(*system, fixed, settings);
  EXPECT_GT(std::exchange(made, 0), 0);
  const std::vector<ModalBody> again = modal_bodies(*system, fixed, settings);
  EXPECT_EQ(made, 0);
  ASSERT_EQ(first[0].mode_count(), 2);
  EXPECT_EQ(again[0].modes, first[0].modes);
  EXPECT_EQ(again[0].omega, first[0].omega);
}

}  // namespace
}  // namespace sinew
