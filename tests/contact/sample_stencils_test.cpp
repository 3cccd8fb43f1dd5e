// Convergent contact counts a surface once, wherever a sample is over it.
#include "sinew/contact/sample_stencils.h"

#include <random>

#include "contact/contact_meshes.h"
#include <gtest/gtest.h>

#include "sinew/contact/barrier.h"
#include "sinew/contact/stencil_build.h"
#include "sinew/contact/stencil_energy.h"
#include "sinew/contact/surface_distance.h"
#include "sinew/model/surface_samples.h"

namespace sinew::sample_stencils_test {

constexpr double dhat = 0.05;

// A lone sample, the last vertex, beside a surface of another owner.
struct Scene {
  CollisionMesh mesh;
  Points x;
  Index sample = 0;  // into mesh.vertices

  explicit Scene(const std::pair<Points, Triangles>& surface) {
    test::SceneBuilder builder;
    builder.add(surface.first, surface.second);
    Points corner(3, 3);
    corner << 0, 1, 0, 0, 0, 1, 9, 9, 9;
    builder.add(corner, Triangles{{0}, {1}, {2}});
    test::ContactScene scene = builder.finish();
    mesh = std::move(scene.mesh);
    x.resize(3, scene.x.cols() + 1);
    x << scene.x, Vec3::Zero();
    const auto id = static_cast<Index>(scene.x.cols());
    mesh.sample_begin = id;
    mesh.samples_of_triangle = 1;
    mesh.sample_corners = Triangles{{id - 3}, {id - 2}, {id - 1}};
    sample = static_cast<Index>(mesh.vertices.size());
    mesh.vertices.push_back(id);
    mesh.vertex_area.push_back(0);
    mesh.vertex_owner.push_back(1);
    mesh.vertex_material.push_back(0);
    mesh.dynamic_count = id + 1;
    measure_samples(x, mesh);
    mesh.sample_share[2] = 1;  // of owner 1 against owner 0
  }

  std::vector<ContactStencil> at(const Vec3& place) {
    x.col(x.cols() - 1) = place;
    std::vector<ContactStencil> stencils;
    for (Index t = 0; t + 1 < mesh.triangles.cols(); ++t) sample_stencils(mesh, sample, t, x, dhat, dhat, stencils);
    merge_equal(stencils);
    return stencils;
  }
  double energy(const Vec3& place) {
    const auto stencils = at(place);
    double sum = 0;
    for (const ContactStencil& s : stencils) sum += stencil_energy(s, x, {}, {1, dhat});
    return sum / (mesh.vertex_area[sample] / std::pow(dhat, 3));
  }
};

std::pair<Points, Triangles> field(double slope_of_half) {
  auto surface = test::height_field(6, 1, [&](double u, double) { return slope_of_half * std::abs(u - 0.5); });
  // Vertices off the grid, on the same planes.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shift(-0.04, 0.04);
  for (Index v = 0; v < surface.first.cols(); ++v) {
    Vec3 p = surface.first.col(v);
    if (p.head<2>().minCoeff() < 1e-9 || p.head<2>().maxCoeff() > 1 - 1e-9) continue;
    if (std::abs(p[0] - 0.5) > 1e-9) p[0] += shift(random);
    p[1] += shift(random);
    p[2] = slope_of_half * std::abs(p[0] - 0.5);
    surface.first.col(v) = p;
  }
  return surface;
}

// Places over the inside, over edges and over vertices.
std::vector<Vec3> places(const Scene& scene, double height) {
  std::vector<Vec3> all;
  for (Index t = 0; t + 1 < scene.mesh.triangles.cols(); ++t) {
    Vec3 a = scene.x.col(scene.mesh.triangles(0, t)), b = scene.x.col(scene.mesh.triangles(1, t)),
         c = scene.x.col(scene.mesh.triangles(2, t));
    for (const Vec3& w : {Vec3(1, 0, 0), Vec3(0.5, 0.5, 0), Vec3(0.98, 0.01, 0.01), Vec3(0.3, 0.3, 0.4),
                          Vec3(0.49, 0.49, 0.02), Vec3(0.01, 0, 0.99)}) {
      const Vec3 p = w[0] * a + w[1] * b + w[2] * c;
      if (p.head<2>().minCoeff() > dhat && p.head<2>().maxCoeff() < 1 - dhat) all.push_back(p + Vec3(0, 0, height));
    }
  }
  return all;
}

TEST(SampleStencils, AFlatSurfaceCountsOnce) {
  Scene scene(field(0));
  for (const double height : {0.01, 0.03, 0.049}) {
    const double expected = barrier(height * height, dhat * dhat);
    for (const Vec3& p : places(scene, height)) EXPECT_NEAR(scene.energy(p), expected, 1e-12 * expected) << p;
  }
}

// Of the two sides of a ridge only the nearest point counts, which is the triangle's, the edge's or the corner's.
TEST(SampleStencils, ARidgeCountsAtItsNearestPoint) {
  Scene scene(field(-0.8));
  for (const Vec3& p : places(scene, 0.02)) {
    double least = std::numeric_limits<double>::infinity();
    for (Index t = 0; t + 1 < scene.mesh.triangles.cols(); ++t)
      least = std::min(least, point_triangle_closest(p, scene.x.col(scene.mesh.triangles(0, t)),
                                                     scene.x.col(scene.mesh.triangles(1, t)),
                                                     scene.x.col(scene.mesh.triangles(2, t)))
                                  .distance2);
    const double expected = barrier(least, dhat * dhat);
    EXPECT_NEAR(scene.energy(p), expected, 1e-11 * expected) << p;
  }
}

// In a valley both sides count. A sample that moves across sees no kink: its force changes by no more than a hundredth
// within 1e-6 of its way.
TEST(SampleStencils, AValleyIsSmooth) {
  for (const double slope : {0.02, 0.8}) {
    Scene scene(field(slope));
    const auto energy = [&](double u) { return scene.energy({u, 0.503, 0.035}); };
    constexpr double step = 1e-6;
    double largest = 0, kink = 0;
    for (double u = 0.47; u < 0.53; u += 1e-4) {
      const double ahead = energy(u + step) - energy(u), behind = energy(u) - energy(u - step);
      largest = std::max(largest, std::abs(ahead));
      kink = std::max(kink, std::abs(ahead - behind));
    }
    EXPECT_LE(kink, 1e-2 * largest) << slope;
    EXPECT_GE(energy(0.5), barrier(0.035 * 0.035, dhat * dhat));
  }
}

TEST(SampleStencils, GradientsMatchDifferences) {
  for (const double slope : {0.0, -0.8, 0.8}) {
    Scene scene(field(slope));
    for (const Vec3& p : places(scene, 0.03)) {
      const auto stencils = scene.at(p);
      Vec3 force = Vec3::Zero();
      for (const ContactStencil& s : stencils) {
        Vec12 g;
        stencil_gradient(s, scene.x, {}, {1, dhat}, g);
        for (int i = 0; i < s.vertex_count(); ++i)
          if (scene.mesh.is_sample(s.v[i])) force += g.segment<3>(3 * i);
      }
      force /= scene.mesh.vertex_area[scene.sample] / std::pow(dhat, 3);
      for (int k = 0; k < 3; ++k) {
        const double h = 1e-7;
        const double slope_k = (scene.energy(p + h * Vec3::Unit(k)) - scene.energy(p - h * Vec3::Unit(k))) / (2 * h);
        EXPECT_NEAR(force[k], slope_k, 2e-5 * (1e-6 + force.norm()));
      }
    }
  }
}

// At the border of an open surface nothing is subtracted.
TEST(SampleStencils, BordersOfOpenSurfacesCountOnce) {
  Scene scene(field(0));
  for (const Vec3& p : {Vec3(-0.01, 0.5, 0.02), Vec3(-0.01, -0.02, 0.01), Vec3(0.003, 0.4, 0.02), Vec3(0, 0, 0.01)}) {
    const Vec3 nearest(std::max(0.0, p[0]), std::max(0.0, p[1]), 0);
    const double expected = barrier((p - nearest).squaredNorm(), dhat * dhat);
    EXPECT_NEAR(scene.energy(p), expected, 1e-12 * expected);
  }
}

}  // namespace sinew::sample_stencils_test
