// Small scenes, in each of which one term of the potential acts: what whole_space_test runs by all methods.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/dynamics/simulation.h"

namespace sinew::whole_space_test {

constexpr double step_size = 0.01;  // [s]
constexpr int steps = 4;

// What a term needs to know of the integrator: statics ends at time 1.
struct Course {
  Integrator integrator;
  double end() const { return integrator == Integrator::statics ? 1 : steps * step_size; }
  bool is_static() const { return integrator == Integrator::statics; }
};

// A scene that one term acts in.
struct Term {
  std::string name;
  std::function<void(sinew::Setup&, const Course&)> add;
  std::function<void(Simulation&)> edit = nullptr;  // after the first step
  bool moves = false;                               // obstacles do
};

std::vector<Term> material_terms();
std::vector<Term> load_terms();
std::vector<Term> spring_terms();
std::vector<Term> fix_terms();
std::vector<Term> contact_terms();
std::vector<Term> free_terms();
std::vector<Term> affine_terms();
std::vector<Term> skin_terms();
std::vector<Term> tie_terms();

// Tolerances are tight: what is left between two methods is arithmetic.
sinew::Setup scene(const Term& term, const Course& course);

}  // namespace sinew::whole_space_test
