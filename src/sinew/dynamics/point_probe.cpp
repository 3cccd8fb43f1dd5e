#include "sinew/dynamics/point_probe.h"

#include <utility>

namespace sinew {
namespace {

class VertexProbe final : public PointProbe {
 public:
  explicit VertexProbe(std::vector<PointRow> rows) : rows_(std::move(rows)) {}

  void positions(const Points& q, Points& out) override {
    out.setZero(3, static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const auto& [vertex, weight] : rows_[i]) out.col(static_cast<Eigen::Index>(i)) += weight * q.col(vertex);
  }

 private:
  std::vector<PointRow> rows_;
};

class SubspaceProbe final : public PointProbe {
 public:
  SubspaceProbe(const ReducedPotential& potential, std::vector<PointRow> rows) : potential_(potential) {
    resolve_followers(potential.system().embedding, rows);
    points_ = potential.kinematics().make_points(rows, nullptr);
  }

  void positions(const Points& q, Points& out) override {
    y_ = potential_.packed().y_of(q);
    out.resize(3, points_->count());
    points_->positions(y_, out);
  }

 private:
  const ReducedPotential& potential_;
  std::unique_ptr<PointSet> points_;
  MatX y_;
};

}  // namespace

std::unique_ptr<PointProbe> make_vertex_probe(std::vector<PointRow> rows) {
  return std::make_unique<VertexProbe>(std::move(rows));
}

std::unique_ptr<PointProbe> make_subspace_probe(const ReducedPotential& potential, std::vector<PointRow> rows) {
  return std::make_unique<SubspaceProbe>(potential, std::move(rows));
}

}  // namespace sinew
