// The elastic energy at cubature points as a function of their deformation gradients: standard finite elements, W(F),
// or mixed ones, with an independent stretch s per point (theory, section 6).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/cubature/cubature.h"
#include "sinew/material/fiber.h"
#include "sinew/material/model.h"
#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

// Points are sorted by material model into packs of lane_count slots. A pack that is not full repeats its last point
// with zero volume. Arrays over slots are stored pack by pack, each entry of a matrix as a vector of lanes. Entry k of
// the matrix of slot i is values[(size * (i / lane_count) + k) * lane_count + i % lane_count]. Results are the same,
// bit for bit, for any number of threads. Nothing is allocated after construction.
class ElasticPoints {
 public:
  // volumes: rest volume of each tet of the system [m^3]. part: by point, its part; points of different parts never
  // share a pack. Empty: all points are one part.
  ElasticPoints(const System& system, const Cubature& cubature, std::span<const double> volumes,
                std::span<const Index> part = {});

  // Replaces the parameters; materials stay at the same points. Fibers are those of a time [s], 0 at the start.
  void set_parameters(const System& system, double time = 0);

  Index slot_count() const { return static_cast<Index>(tet_.size()); }
  Index pack_count() const { return static_cast<Index>(packs_.size()); }
  Index point_count() const { return point_count_; }
  Index tet(Index slot) const { return tet_[slot]; }
  Index point(Index slot) const { return point_[slot]; }     // index into Cubature::tets
  double volume(Index slot) const { return volume_[slot]; }  // times cubature weight [m^3]; 0: only fills a pack

  // ---- standard elements: scale sum_c w_c W(F_c). Each F and P has 9 entries, row-major.

  // Returns the sum; +infinity outside the domain.
  double value(const double* F, double scale) const;
  // Returns w W of each slot [J]; +infinity outside the domain.
  std::vector<double> energies(const double* F) const;
  // Sets P = scale w dW/dF for each slot.
  void stress(const double* F, double scale, double* P) const;
  // Sets P = scale w dW/dF and H = scale w d2W/dF2 (45 entries, lower triangle by rows) for each slot. projection:
  // whether H becomes positive semidefinite. Returns value(F, scale).
  double linearize(const double* F, double scale, double* P, double* H, Projection projection = Projection::psd) const;

  // ---- mixed elements: scale sum_c w_c (psi(s_c) + l_c : (S(F_c) - s_c)), with stretch s and multiplier l. s and l
  // are symmetric, 6 entries (00 11 22 12 02 01).

  // Sets s = S(F). If psi needs positive eigenvalues, they are at least `least_stretch`.
  static constexpr double least_stretch = 0.1;
  void stretches(const double* F, double* s) const;

  // Begins one step of the condensed system. Sets its right-hand side P = scale w (dS/dF)^T : (psi'(s) + psi''(s) : (S
  // - s)) and its matrix H = scale w (dS/dF)^T : psi''(s) : dS/dF, with psi'' projected. Keeps the data that
  // finish_step() needs. Returns scale sum_c w_c psi(s_c).
  double begin_step(const double* F, const double* s, double scale, double* P, double* H);

  // Computes, from the displacement of positions, ds = S - s + dS/dF : dF and the new multipliers l = psi' + psi'' :
  // ds. With dS = dS/dF : dF, returns
  //
  //   scale sum_c w_c (dS : psi'' : dS - ds : psi'' : ds).
  //
  // This plus the gradient of the condensed system times the displacement is the slope of the merit function. Sets
  // `constraint` = scale sum_c w_c l : (S - s), so that mixed_value() at (F, s) needs no further evaluation.
  double finish_step(const double* dF, double scale, double* ds, double* l, double& constraint) const;

  // Returns sum_c w_c psi(s_c) [J].
  double stretch_energy(const double* s) const;
  // The smallest det F_c.
  double min_jacobian(const double* F) const;

  // Returns scale sum_c w_c (psi(s_c) + l_c : (S(F_c) - s_c)), the elastic part of the merit function, for given
  // multipliers l.
  double mixed_value(const double* F, const double* s, const double* l, double scale) const;

 private:
  struct Pack {
    SharedModel model;
    bool fiber;
    Lanes kernel[MaterialModel::max_kernel_parameters];
    Fiber<Lanes> fibers;
  };
  struct StepPack;  // data that begin_step() keeps

  template <class F>
  auto sum_packs(F&& f) const;
  static Lanes density(const Pack& pack, const Lanes* f);
  static Lanes stretch_density(const Pack& pack, const Lanes* s, const Lanes* frame);

  Index point_count_ = 0;
  std::vector<Index> tet_, point_;
  std::vector<double> volume_;
  std::vector<Pack> packs_;
  std::vector<StepPack> step_;
  mutable std::vector<std::array<double, 2>> partial_;  // partial sums, by chunk

 public:
  ~ElasticPoints();
  ElasticPoints(ElasticPoints&&) noexcept;
};

}  // namespace sinew
