// The inside of a body of tets as a page stores it, for cuts that show a field: tets, and values at the vertices
// inside. The drawn surface has the values of all others.
//
// Values are predicted from vertices known before, and only differences are stored. The order goes from coarse to fine:
// first vertices far from the surface and from each other, last those between. So predictions mostly interpolate, and a
// body with many vertices stores the first ones only; the others keep their predictions.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/io/report_encoding.h"
#include "sinew/io/report_rows.h"

namespace sinew {

// Most tets of a body whose cuts show fields: the page cuts all of them in each frame.
inline constexpr Index most_inside_tets = 250'000;

class BodyInside {
 public:
  // tets: of the body, by number of user vertices. materials: by tet. surface: vertices of the drawn surface,
  // ascending. rest: positions of all user vertices [m].
  BodyInside(const Tets& tets, std::span<const Index> materials, std::vector<Index> surface, const Points& rest);

  // User numbers of the vertices inside, in the order of the data, and the material of each.
  const std::vector<Index>& vertices() const { return vertices_; }
  const std::vector<Index>& vertex_materials() const { return vertex_materials_; }

  // {"vertices", "stored", "tets": [[material, count], ...]}
  Json facts() const;

  // Appends tets, order and predictions.
  void add_mesh(ReportEncoder& encoder) const;

  // Appends positions. all: of all user vertices. box: of the surface's positions, as it is stored.
  void add_positions(ReportEncoder& encoder, const Points& all, const std::array<ValueRange, 3>& box) const;

  // Appends a field. all: by user vertex. range: as it is stored for the surface.
  void add_field(ReportEncoder& encoder, const VecX& all, const ValueRange& range) const;

 private:
  static constexpr int parent_count = 6;

  // The prediction of a vertex: the mean of parents with these weights, whose sum is `whole_weight`.
  struct Prediction {
    std::array<Index, parent_count> parents{}, weights{};  // parents: places in surface_, then those in vertices_
  };

  void order_vertices(const std::vector<std::vector<Index>>& neighbours);
  void find_predictions(const std::vector<std::vector<Index>>& neighbours, const Points& rest);
  Prediction prediction(Index place, std::vector<Index> candidates, const Points& rest) const;
  void add_residuals(ReportEncoder& encoder, std::vector<std::int32_t> levels, int unit, std::int32_t most) const;
  Index user(Index place) const;

  std::vector<Index> surface_;                   // user numbers
  std::vector<Index> vertices_;                  // user numbers
  std::vector<Index> vertex_materials_;          // by vertex inside
  std::vector<Index> ranks_;                     // of the vertices inside among all of the body in user numbering
  std::size_t stored_ = 0;                       // vertices inside with stored differences
  std::vector<Prediction> predictions_;          // by vertex inside
  std::vector<std::pair<Index, Index>> groups_;  // material, number of tets
  std::vector<std::array<Index, 4>> tets_;       // ranks, ascending; by material
};

}  // namespace sinew
