// Viscous, plastic, heated and strained materials, and those in the cuts of bolts, at the points of one elastic energy.
// When a step begins, the history gives the states of the points (potential/point_states.h). The step's end gives the
// new history.
//
// A record of history by point, in the order of the groups:
//
//   viscous  S0, the stress without viscosity, and Q of each branch, second Piola [Pa], 00 11 22 12 02 01
//   plastic  Fp^-1, row-major, and the equivalent plastic strain p
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"
#include "sinew/potential/point_states.h"

namespace sinew {

// The first body with bolts, interference over several steps, fiber families, viscosity, plasticity, initial strain,
// swelling or heat, and which of them; body -1: none.
struct InelasticBody {
  Index body = -1;
  std::string_view what;
};
InelasticBody inelastic_body(const System& system);

// Whether a body grows into others over several steps.
bool grows_into_others(const System& system, Index body);

class InelasticStrain {
 public:
  // groups: of the energy. tet: of the system, by tet of the energy. points: of each tet.
  InelasticStrain(const System& system, std::span<const ElasticGroup> groups, std::vector<Index> tet, int points);

  // F, by point, of the start of bodies that overlap at rest (System::interference_start). Until their interference has
  // grown to its full size, their shape without stress is between that of the start and that of the mesh.
  void set_start(std::vector<double> F) { start_ = std::move(F); }

  std::size_t history_size() const { return history_size_; }
  const PointStates& states() const { return states_; }
  void set_history(bool with) { states_.with_history = with; }

  // The history of points at rest until now, which have the gradients F of the motion at the start of the step.
  // pressures: of mixed elements, by point; empty: none.
  std::vector<double> initial_history(const StepContext& context, std::span<const ElasticGroup> groups,
                                      std::span<const double> F, std::span<const double> pressures);
  void begin_step(const StepContext& context, std::span<const ElasticGroup> groups, std::span<const double> history);
  // next: the history at the end of the step, where the gradients are F.
  void end_step(std::span<const ElasticGroup> groups, std::span<const double> F, std::span<const double> pressures,
                std::span<double> next) const;
  // out: p of a history, by point; 0 where nothing flows.
  void plastic_strain(std::span<const ElasticGroup> groups, std::span<const double> history,
                      std::span<double> out) const;

 private:
  struct Record {
    std::size_t begin = 0;  // into the history
    int width = 0;          // numbers for each point
  };
  std::size_t first_point(const ElasticGroup& group) const {
    return static_cast<std::size_t>(group.tet_begin) * points_;
  }
  std::size_t end_point(const ElasticGroup& group) const { return static_cast<std::size_t>(group.tet_end) * points_; }
  struct CutTet {
    std::size_t tet = 0;      // of the energy
    Index bolt = 0, cut = 0;  // into System::bolts, and into the bolt's tets
  };
  void find_cuts(std::span<const ElasticGroup> groups);
  bool grows(const ElasticGroup& group) const;
  void release_start(double time, const ElasticGroup& group);
  void set_release(const StepContext& context, double time, std::span<const double> shortening,
                   std::span<const ElasticGroup> groups);
  void relax(const ElasticGroup& group, std::size_t number, std::span<const double> F,
             std::span<const double> pressures, std::span<double> next) const;
  void flow(const ElasticGroup& group, const Record& record, std::span<const double> F, std::span<double> next) const;
  void elastic_stress(const ElasticGroup& group, bool has_release, std::size_t first, int used,
                      std::span<const double> F, std::span<const double> pressures, Lanes* stress) const;

  const System& system_;
  std::vector<Index> tet_;
  int points_;
  std::vector<Record> records_;  // by group
  std::vector<CutTet> cuts_;
  std::vector<double> start_;  // see set_start(); empty: nothing overlaps, or not for several steps
  std::size_t history_size_ = 0;
  std::span<const double> history_;  // at the start of the step
  double step_ = 0;                  // [s]; 0 in statics
  PointStates states_;
};

}  // namespace sinew
