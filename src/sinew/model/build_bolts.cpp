#include <algorithm>

#include <Eigen/LU>

#include "sinew/core/error.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/model/bolt.h"
#include "sinew/model/build_parts.h"

namespace sinew {
namespace {

template <class... Args>
[[noreturn]] void refuse(const Bolt& bolt, const System& s, fmt::format_string<Args...> format, Args&&... args) {
  fail_input(code::bolt, "body '{}': bolt '{}': {}", s.bodies[bolt.body].name, bolt.setup.name,
             fmt::format(format, std::forward<Args>(args)...));
}

// grad H in a tet with corners at x, where H is `behind`; edges e_k = x_k - x_0: e_k . grad H = H_k - H_0.
Vec3 gradient_of(const Eigen::Matrix<double, 3, 4>& x, const std::array<double, 4>& behind) {
  Mat3 edges;
  Vec3 rise;
  for (int k = 0; k < 3; ++k) {
    edges.row(k) = (x.col(k + 1) - x.col(0)).transpose();
    rise[k] = behind[k + 1] - behind[0];
  }
  return edges.inverse() * rise;
}

// The tets with corners on both sides of the plane. A corner on the plane is before it.
void cut(const System& s, const std::vector<char>& listed, Bolt& bolt) {
  const double rounding = 1e-9 * s.diagonal;
  std::vector<Vec3> gradients;
  for (Index t = 0; t < s.tet_count(); ++t) {
    if (!listed[t]) continue;
    const Index quadratic = s.quadratic_of(t);
    const Index* corners = quadratic < 0 ? s.tets.col(t).data() : s.quadratic_tets.col(quadratic).data();
    Eigen::Matrix<double, 3, 4> x;
    std::array<double, 4> behind{};
    for (int k = 0; k < 4; ++k) {
      x.col(k) = s.rest.col(corners[k]);
      behind[k] = bolt.setup.normal.dot(x.col(k) - bolt.setup.point) > rounding ? 1 : 0;
    }
    if (std::ranges::count(behind, behind[0]) == 4) continue;
    const Vec3 gradient = gradient_of(x, behind);
    bolt.tets.push_back(t);
    gradients.push_back(gradient);
    const double parts = quadratic < 0 ? 1 : parts_of_quadratic;
    Mat3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = x.col(k + 1) - x.col(0);
    // The cut's area is the flux of grad H through its tets: int n . grad H dV.
    bolt.area += std::abs(edges.determinant()) / 6 / parts * bolt.setup.normal.dot(gradient);
  }
  bolt.gradient.resize(3, static_cast<Index>(gradients.size()));
  for (std::size_t k = 0; k < gradients.size(); ++k) bolt.gradient.col(static_cast<Index>(k)) = gradients[k];
}

// By tet of the system: whether the cut may cross it. Ten-node tets count as a whole.
std::vector<char> listed_tets(const BodySetup& body, const Bolt& bolt, const System& s) {
  const std::vector<Index>& chosen = bolt.setup.tets;
  std::vector<char> of_body(static_cast<std::size_t>(body.mesh.tet_count()), chosen.empty() ? 1 : 0);
  for (const Index t : chosen) {
    if (t < 0 || t >= body.mesh.tet_count())
      refuse(bolt, s, "names tet {}, but the mesh has {}", t, body.mesh.tet_count());
    const Index first = is_quadratic(body.elements) ? t / parts_of_quadratic * parts_of_quadratic : t;
    std::fill_n(of_body.begin() + first, is_quadratic(body.elements) ? parts_of_quadratic : 1, char{1});
  }
  std::vector<char> listed(static_cast<std::size_t>(s.elastic_tet_count()), 0);
  listed.resize(static_cast<std::size_t>(s.tet_count()), 0);
  for (Index t = 0; t < s.elastic_tet_count(); ++t)
    if (s.tet_body[t] == bolt.body && s.tet_to_user[t] >= 0)
      listed[t] = of_body[s.tet_to_user[t] - s.bodies[bolt.body].tet_user_begin];
  return listed;
}

}  // namespace

void build_bolts(const Setup& setup, System& s) {
  for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
    const BodySetup& body = setup.bodies[b];
    for (std::size_t i = 0; i < body.bolts.size(); ++i) {
      Bolt bolt;
      bolt.body = static_cast<Index>(b);
      bolt.entry = static_cast<Index>(i);
      bolt.setup = body.bolts[i];
      if (body.affine || body.mesh.is_cloth() || body.follower)
        refuse(bolt, s, "the body is not elastic by itself, so that no tension can be in it; remove the bolt");
      cut(s, listed_tets(body, bolt, s), bolt);
      if (!(bolt.area > 0))
        refuse(bolt, s, "the plane through ({:g}, {:g}, {:g}) m does not cut {}; move it", bolt.setup.point.x(),
               bolt.setup.point.y(), bolt.setup.point.z(), bolt.setup.tets.empty() ? "the body" : "the selected tets");
      for (const Bolt& other : s.bolts)
        if (std::ranges::find_first_of(bolt.tets, other.tets) != bolt.tets.end())
          refuse(bolt, s, "cuts a tet that bolt '{}' of body '{}' cuts, too; move one of them or select tets",
                 other.setup.name, s.bodies[other.body].name);
      const auto check = [&](double shortening) {
        const double least = smallest_shortening(bolt), most = largest_shortening(bolt);
        if (shortening < least || shortening > most)
          refuse(bolt, s,
                 "the shortening {:g} m is not between {:g} and {:g} m, which leave its tets a tenth of their "
                 "height; use larger tets there, or two bolts behind each other",
                 shortening, least, most);
      };
      if (!bolt.setup.by_force && bolt.setup.keys.empty()) check(bolt.setup.value);
      for (Index k = 0; !bolt.setup.by_force && k < bolt.setup.keys.values.cols(); ++k)
        check(bolt.setup.keys.values(0, k));
      bolt.setup.tets.clear();
      s.bolts.push_back(std::move(bolt));
    }
  }
}

}  // namespace sinew
