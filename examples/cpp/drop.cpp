// A rubber ball falls onto the ground: where its lowest point is after each step.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/scene/scene.h"

constexpr const char* scene_text = R"({
  "sinew": 1,
  "time": {"step": 0.01, "steps": 20},
  "materials": {"rubber": {"model": "neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000}},
  "bodies": [{"mesh": {"sphere": {"radius": 0.1, "size": 0.05}}, "material": "rubber",
              "transform": {"translate": [0, 0.15, 0]}, "velocity": [0, -1, 0]}],
  "obstacles": [{"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]
})";

int main() {
  try {
    sinew::Scene scene = sinew::parse_scene(nlohmann::json::parse(scene_text), ".");
    sinew::Simulation simulation(sinew::build_system(scene));
    for (int step = 0; step < 20; ++step) {
      const sinew::StepReport report = simulation.step();
      const double lowest = simulation.state().x.row(1).minCoeff();
      std::printf("%.2f s: lowest point %.4f m, %ld contacts\n", report.time, lowest, report.contacts);
    }
  } catch (const sinew::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
