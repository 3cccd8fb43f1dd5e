#include "sinew/modes/mode_union.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/model/naming.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/mode_cache.h"
#include "sinew/modes/mode_file.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

VecX mass_by_coordinate(const System& system) {
  VecX mass(3 * system.dynamic_count);
  for (Index i = 0; i < mass.size(); ++i) mass[i] = system.mass[i / 3];
  return mass;
}

// The columns that span what all do, orthonormal in the mass.
MatX independent(const System& system, const MatX& all) {
  const VecX mass = mass_by_coordinate(system);
  MatX U(all.rows(), 0);
  const auto most = static_cast<Index>(all.cols());
  MassGramSchmidt(system.rest.leftCols(system.dynamic_count), mass, most).append(all, most, U);
  return U;
}

}  // namespace

ModeSet modes_of_file(const std::string& path, const System& system, const std::vector<char>& fixed,
                      const ModeCount& count) {
  ModeSet modes = read_modes(path, system);
  const auto there = static_cast<Index>(modes.vectors.cols());
  if (!count.key.empty() && count.number > there)
    fail_input(code::modes,
               "{}: found {}, expected at most {}, the modes of {}; ask for fewer, or make more with `sinew modes`",
               count.key, count.number, there, path);
  for (std::size_t c = 0; c < fixed.size(); ++c)
    if (fixed[c] && !modes.vectors.row(static_cast<Index>(c)).isZero(0))
      fail_input(code::modes,
                 "{}: its modes move {}, which is prescribed along {}; make modes of this scene with `sinew modes`, or "
                 "use another kind",
                 path, vertex_text(system, static_cast<Index>(c) / 3), "xyz"[c % 3]);
  if (!count.key.empty() && count.number < there)
    modes = {modes.kind, modes.values.head(count.number).eval(), modes.vectors.leftCols(count.number).eval()};
  const auto wanted = modes.vectors.cols(), remaining = independent(system, modes.vectors).cols();
  if (remaining < wanted)
    log::warning("{}: found {} modes; {} of them are linear combinations of the others and are left out", path, wanted,
                 wanted - remaining);
  return modes;
}

ModeSet straining_modes(const std::string& kind, const System& system, const std::vector<char>& fixed,
                        const ModeCount& count) {
  ModeOptions options;
  options.count = count;
  options.rigid = false;
  return kept_modes(*find_mode_kind(kind), system, fixed, options);
}

ModeSet joined_modes(const System& system, std::vector<ModeSet> sets) {
  if (sets.size() == 1) return std::move(sets[0]);
  ModeSet all;
  MatX vectors(3 * system.dynamic_count, 0);
  for (const ModeSet& set : sets) {
    all.kind += (all.kind.empty() ? "" : " + ") + set.kind;
    vectors.conservativeResize(Eigen::NoChange, vectors.cols() + set.vectors.cols());
    vectors.rightCols(set.vectors.cols()) = set.vectors;
  }
  all.vectors = independent(system, vectors);
  const SymBlockMatrix K = stiffness_at_rest(system);
  all.values.resize(all.vectors.cols());
  VecX f(all.vectors.rows());
  for (Eigen::Index i = 0; i < all.values.size(); ++i) {
    K.multiply(all.vectors.col(i).data(), f.data());
    all.values[i] = all.vectors.col(i).dot(f);
  }
  return all;
}

ModeSet modes_of_kinds(const System& system, const std::vector<char>& fixed, const std::vector<std::string>& names,
                       const ModeCount& count) {
  std::vector<ModeSet> sets;
  for (const std::string& name : names)
    sets.push_back(is_mode_file(name) ? modes_of_file(name, system, fixed, count)
                                      : straining_modes(name, system, fixed, count));
  return joined_modes(system, std::move(sets));
}

void add_kinds(const System& system, const std::vector<std::string>& names, ContentHash& hash) {
  for (const std::string& name : names) {
    if (!is_mode_file(name)) {
      hash.add(name + "\n");
      continue;
    }
    const ModeSet modes = read_modes(name, system);
    hash.add_values(std::span(modes.vectors.data(), static_cast<std::size_t>(modes.vectors.size())));
  }
}

}  // namespace sinew
