// A subspace of all motions gives what full space gives: every term of the potential by every integrator and method,
// against Newton's method with a direct solver. Scenes are small, tolerances tight, and the bounds those of arithmetic.
#include "dynamics/whole_space_runs.h"
#include "support/folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/modes/mode_file.h"

namespace sinew::whole_space_test {

struct Group {
  const char* name;
  std::vector<Term> (*terms)();
  Integrator integrator;
};
void PrintTo(const Group& group, std::ostream* out) {
  *out << group.name;
}

const char* name_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::implicit_euler:
      return "euler";
    case Integrator::bdf2:
      return "bdf2";
    case Integrator::newmark:
      return "newmark";
    default:
      return "statics";
  }
}

std::vector<Group> groups() {
  std::vector<Group> all;
  for (const Integrator integrator :
       {Integrator::implicit_euler, Integrator::bdf2, Integrator::newmark, Integrator::statics}) {
    all.push_back({"materials", material_terms, integrator});
    all.push_back({"loads", load_terms, integrator});
    all.push_back({"springs", spring_terms, integrator});
    all.push_back({"fixes", fix_terms, integrator});
    all.push_back({"contact", contact_terms, integrator});
    all.push_back({"affine", affine_terms, integrator});
    all.push_back({"skins", skin_terms, integrator});
    all.push_back({"ties", tie_terms, integrator});
    if (integrator != Integrator::statics) all.push_back({"free", free_terms, integrator});
  }
  return all;
}

std::string group_name(const ::testing::TestParamInfo<Group>& info) {
  return std::string(info.param.name) + "_" + name_of(info.param.integrator);
}

class WholeSpace : public ::testing::TestWithParam<Group> {
 protected:
  void compare(const std::vector<Method>& methods) {
    const Course course{GetParam().integrator};
    for (const Term& term : GetParam().terms()) {
      if (term.name == "polynomial" && course.is_static()) continue;  // nothing holds it at rest
      SCOPED_TRACE(term.name);
      sinew::Setup newton = scene(term, course);
      newton.solver.method = "newton";
      const Points rest = [&] {
        const auto system = build_system(newton);
        return Points(system->rest.leftCols(system->dynamic_count));
      }();
      std::string failure;
      const std::vector<Sample> expected = run(term, newton, failure);
      ASSERT_EQ(failure, "");
      for (const Method& method : methods) {
        SCOPED_TRACE(method.name);
        sinew::Setup setup = scene(term, course);
        choose(method, setup);
        const std::string refused = refusal(setup, term, method);
        if (!refused.empty()) {
          EXPECT_THAT([&] { run(term, setup, failure); },
                      testing::ThrowsMessage<InputError>(testing::HasSubstr(refused)));
          continue;
        }
        failure.clear();
        const std::vector<Sample> found = run(term, setup, failure);
        EXPECT_EQ(failure, "");
        if (rests_elsewhere(setup, term, method)) {
          EXPECT_LE(distance_to_equilibrium(newton, found, rest), 1e-10);
          continue;
        }
        for (const auto& [quantity, difference] : differences(found, expected, rest))
          EXPECT_LE(difference, bound(setup, term, method)) << quantity;
      }
    }
  }
};

TEST_P(WholeSpace, OfModesAndOfAllVerticesIsFullSpace) {
  compare(reduced_methods());
}
TEST_P(WholeSpace, LongOtherMethodsOfFullSpace) {
  compare(full_methods());
}

INSTANTIATE_TEST_SUITE_P(Terms, WholeSpace, ::testing::ValuesIn(groups()), group_name);

// Handles have no frames; in statics forces of their dependent coordinates do not come to balance as far.
std::vector<Group> groups_of_handles() {
  std::vector<Group> all = groups();
  std::erase_if(all, [](const Group& group) {
    return group.integrator == Integrator::statics || group.name == std::string("free") ||
           group.name == std::string("affine") || group.name == std::string("skins") ||
           group.name == std::string("ties");
  });
  return all;
}

class HandlesAsModes : public ::testing::TestWithParam<Group> {};

// Handles and the modes that move vertices as they do are one subspace, written in two ways.
TEST_P(HandlesAsModes, AreTheSame) {
  const Course course{GetParam().integrator};
  const test::Folder folder;
  for (const Term& term : GetParam().terms()) {
    // Without stiffness at rest there are no handles; those of what is released are others; scaled motions are refused.
    if (term.name == "polynomial" || term.name.ends_with("_until") || term.name == "motion_scaling") continue;
    SCOPED_TRACE(term.name);
    for (const char* method : {"reduced", "mixed"}) {
      SCOPED_TRACE(method);
      sinew::Setup handles = scene(term, course);
      choose({method, method, "eigenmodes", Kind::modes}, handles);
      handles.solver.handles = 3;
      if (!refusal(handles, term, {method, method, "eigenmodes", Kind::modes}).empty()) continue;
      sinew::Setup alone = handles;
      alone.contact.enabled = false;
      const auto system = build_system(std::move(alone));
      Simulation simulation(system);
      const Points rest = simulation.state().x;
      VecX q = VecX::Zero(simulation.coordinates().size());
      ModeSet columns{"handles", VecX::Zero(q.size()), MatX(3 * system->dynamic_count, q.size())};
      for (Index i = 0; i < q.size(); ++i) {
        q[i] = 1;
        simulation.set_coordinates(q);
        q[i] = 0;
        columns.vectors.col(i) = (simulation.state().x - rest).leftCols(system->dynamic_count).reshaped();
      }
      const std::string path = (folder.path / "modes.npz").string();
      write_modes(path, *system, columns);
      sinew::Setup modes = handles;
      modes.solver.subspace = path;
      modes.solver.handles = 100000;
      std::string failure;
      const std::vector<Sample> expected = run(term, handles, failure), found = run(term, modes, failure);
      EXPECT_EQ(failure, "");
      for (const auto& [quantity, difference] : differences(found, expected, rest.leftCols(system->dynamic_count)))
        EXPECT_LE(difference, 1e-9) << quantity;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, HandlesAsModes, ::testing::ValuesIn(groups_of_handles()), group_name);

}  // namespace sinew::whole_space_test
