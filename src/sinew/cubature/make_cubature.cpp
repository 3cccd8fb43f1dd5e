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
  const MomentFittingOptions& options;
};

struct Method {
  const char* name;
  int least_degree, most_degree;
  Cubature (*make)(const Inputs&, MomentFittingReport&);
};

constexpr Method methods[] = {
    {"modal", 1, 2,
     [](const Inputs& in, MomentFittingReport& report) {
       return modal_moment_fitting(in.domain, in.partition, in.basis, in.options, report);
     }},
    {"polynomial", 0, 20,
     [](const Inputs& in, MomentFittingReport& report) {
       return polynomial_moment_fitting(in.domain, in.partition, in.options, report);
     }},
    {"all", 0, 20, [](const Inputs& in, MomentFittingReport&) { return full_cubature(in.domain.tet_count()); }},
};

const Method& find_method(const std::string& name) {
  for (const Method& method : methods) {
    if (name == method.name) return method;
  }
  fail_input("cubature method \"{}\" is not known{}use one of {}", name, did_you_mean_then(name, cubature_methods()),
             quoted_list(cubature_methods()));
}

void check(const Method& method, const MomentFittingOptions& options) {
  if (options.degree < method.least_degree || options.degree > method.most_degree) {
    fail_input("cubature degree {} is not one of method \"{}\"; use {} to {}", options.degree, method.name,
               method.least_degree, method.most_degree);
  }
  if (!(options.tolerance > 0 && options.tolerance < 1)) {
    fail_input("cubature tolerance {} is not between 0 and 1; use 1e-9, say", options.tolerance);
  }
  if (!(options.rank_tolerance >= 0 && options.rank_tolerance < 1)) {
    fail_input("cubature rank_tolerance {} is not in [0, 1); use 1e-9, say", options.rank_tolerance);
  }
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
  check(method, options.fitting);
  MomentFittingReport fitting;
  Cubature cubature = method.make({domain, partition, basis, options.fitting}, fitting);
  if (report) *report = {cubature.point_count(), domain.tet_count(), watch.seconds(), std::move(fitting)};
  return cubature;
}

Cubature full_cubature(Index tet_count) {
  Cubature cubature;
  cubature.tets.resize(tet_count);
  std::iota(cubature.tets.begin(), cubature.tets.end(), 0);
  cubature.weights.assign(tet_count, 1.0);
  return cubature;
}

}  // namespace sinew
