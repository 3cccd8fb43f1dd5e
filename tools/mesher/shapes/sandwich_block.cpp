#include "shapes/features.h"
#include "shapes/shapes.h"

namespace sinew::mesher {
namespace {

// Layers alternate from the bottom: stiff, soft, ..., stiff.
ShapeSolid make(const Values& values) {
  const Vec3 size(values.at("width"), values.at("height"), values.at("depth"));
  const int soft_layers = static_cast<int>(values.at("soft_layers"));
  const double stiff = values.at("stiff_part") * size.y() / (soft_layers + 1);
  const double soft = (1 - values.at("stiff_part")) * size.y() / soft_layers;
  const Eigen::AlignedBox3d box = centred_box(size);
  std::vector<double> levels;
  for (int i = 0; i < soft_layers; ++i) {
    levels.push_back(box.min().y() + (i + 1) * stiff + i * soft);
    levels.push_back(levels.back() + soft);
  }
  ShapeSolid made;
  made.solid.label = [half = Vec3(0.5 * size), stiff, period = stiff + soft](const Vec3& p) {
    if (!(p.cwiseAbs().array() < half.array()).all()) return 0;
    const double layers = (p.y() + half.y()) / period;
    return (layers - std::floor(layers)) * period < stiff ? 2 : 1;
  };
  made.solid.regions = {"soft", "stiff"};
  made.solid.bounds = with_margin(box);
  add_box_edges(box, made.solid.features, levels);
  set_finest_detail(made, {{stiff, "stiff_part"}, {soft, "stiff_part"}, {size.x(), "width"}, {size.z(), "depth"}});
  made.solid.thickness = made.finest_detail;
  return made;
}

}  // namespace

Shape sandwich_block_shape() {
  return {"sandwich_block",
          "A box of horizontal layers, stiff at bottom and top and soft between (regions soft, stiff)",
          {{"edge", "m", "edge length", {0.021, 0.0055, 0.0042}, 1e-6, 1e3},
           {"width", "m", "extent along x", {0.2, 0.2, 0.2}, 1e-6, 1e3},
           {"height", "m", "extent along y", {0.2, 0.2, 0.2}, 1e-6, 1e3},
           {"depth", "m", "extent along z", {0.2, 0.2, 0.2}, 1e-6, 1e3},
           {"soft_layers", "", "number of soft layers", {1, 1, 1}, 1, 50, true},
           {"stiff_part", "", "part of the height that is stiff", {0.3, 0.3, 0.3}, 0.01, 0.99}},
          make};
}

}  // namespace sinew::mesher
