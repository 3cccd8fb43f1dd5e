// The methods of whole_space_test: how they run a scene, how two runs are compared, and what is expected of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dynamics/whole_space_scenes.h"

namespace sinew::whole_space_test {

enum class Kind { full_space, all_vertices, modes };

struct Method {
  const char* name;
  const char* method;
  const char* subspace;
  Kind kind;

  bool is(const char* other) const { return std::string(method) == other; }
  bool is_reduced() const { return kind != Kind::full_space; }
};

// The points of the unknowns themselves, in a basis of modes or not; and methods of full space.
const std::vector<Method>& reduced_methods();
const std::vector<Method>& full_methods();

// Has the scene solved by the method, as far as the method can.
void choose(const Method& method, sinew::Setup& setup);

struct Sample {
  State start, end;  // of the step
  Points x, v;       // 3 x dynamic_count, at its end
  NodalForces forces;
  Energies energies;
};

// failure: of the first step that did not converge.
std::vector<Sample> run(const Term& term, sinew::Setup setup, std::string& failure);

// The worst difference of each quantity, over the largest of its kind in the reference.
std::map<std::string, double> differences(const std::vector<Sample>& found, const std::vector<Sample>& expected,
                                          const Points& rest);

// How far Newton's method goes from where a run ended each of its load steps, under the load of that step, over the
// largest motion: nothing from an equilibrium.
double distance_to_equilibrium(const sinew::Setup& newton, const std::vector<Sample>& found, const Points& rest);

// Why a method does not take a scene; empty: it does.
std::string refusal(const sinew::Setup& setup, const Term& term, const Method& method);

// Whether a method comes to rest in another equilibrium than Newton's method does: it must be one.
bool rests_elsewhere(const sinew::Setup& setup, const Term& term, const Method& method);

// What arithmetic leaves, unless a method leaves more.
double bound(const sinew::Setup& setup, const Term& term, const Method& method);

}  // namespace sinew::whole_space_test
