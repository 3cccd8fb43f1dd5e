#include "sinew/cubature/make_cubature.h"

#include <numeric>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/core/timer.h"

namespace sinew {
namespace {

struct Inputs {
  const Domain& domain;
  const Partition& partition;
  const HandleBasis& basis;
  const CubatureOptions& options;
};

struct Method {
  const char* name;
  void (*check)(const CubatureOptions&);
  Cubature (*make)(const Inputs&, FittingReport&);
};

// Ranges of the options of moment fitting.
void check_fitting(const CubatureOptions& options, int least_degree, int most_degree) {
  const auto& [degree, tolerance, rank_tolerance, seed] = options.fitting;
  if (degree < least_degree || degree > most_degree) {
    fail_input(code::cubature, "cubature degree {} is not one of method \"{}\"; use {} to {}", degree, options.method,
               least_degree, most_degree);
  }
  if (!(tolerance > 0 && tolerance < 1)) {
    fail_input(code::cubature, "cubature tolerance {} is not between 0 and 1; use, for example, 1e-9", tolerance);
  }
  if (!(rank_tolerance >= 0 && rank_tolerance < 1)) {
    fail_input(code::cubature, "cubature rank_tolerance {} is not in [0, 1); use, for example, 1e-4", rank_tolerance);
  }
}

void check_stiffness(const CubatureOptions& options) {
  const double density = options.stiffness.density;
  if (!(density >= 1 && density <= 1e6)) {
    fail_input(code::cubature, "cubature density {} is not between 1 and 1e6; use, for example, 6", density);
  }
}

constexpr Method methods[] = {
    {"modal", [](const CubatureOptions& options) { check_fitting(options, 1, 2); },
     [](const Inputs& in, FittingReport& report) {
       return modal_moment_fitting(in.domain, in.partition, in.basis, in.options.fitting, report);
     }},
    {"polynomial", [](const CubatureOptions& options) { check_fitting(options, 0, 20); },
     [](const Inputs& in, FittingReport& report) {
       return polynomial_moment_fitting(in.domain, in.partition, in.options.fitting, report);
     }},
    {"stiffness", check_stiffness,
     [](const Inputs& in, FittingReport& report) {
       return stiffness_fitting(in.domain, in.partition, in.basis, in.options.stiffness, report);
     }},
    {"all", [](const CubatureOptions&) {},
     [](const Inputs& in, FittingReport&) { return full_cubature(in.domain.tet_count()); }},
};

const Method& find_method(const std::string& name) {
  for (const Method& method : methods) {
    if (name == method.name) return method;
  }
  fail_input(code::cubature, "cubature method \"{}\" is not known{}use one of {}", name,
             did_you_mean_then(name, cubature_methods()), quoted_list(cubature_methods()));
}

}  // namespace

std::vector<std::string> cubature_methods() {
  std::vector<std::string> names;
  for (const Method& method : methods) names.emplace_back(method.name);
  return names;
}

Cubature make_cubature(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                       const CubatureOptions& options, CubatureReport* report) {
  const Stopwatch watch;
  const Method& method = find_method(options.method);
  method.check(options);
  FittingReport fitting;
  Cubature cubature = method.make({domain, partition, basis, options}, fitting);
  if (report) *report = {cubature.point_count(), domain.tet_count(), watch.seconds(), std::move(fitting)};
  return cubature;
}

// Every tet with weight 1.
Cubature full_cubature(Index tet_count) {
  Cubature cubature;
  cubature.tets.resize(tet_count);
  std::iota(cubature.tets.begin(), cubature.tets.end(), 0);
  cubature.weights.assign(tet_count, 1.0);
  return cubature;
}

}  // namespace sinew
