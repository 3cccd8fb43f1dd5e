// How far a direction is solved (Dembo, Eisenstat and Steihaug 1982), chosen by what became of the directions before.
#pragma once

namespace sinew {

// A direction that is off by a tenth is as good as an exact one where bodies deform. Where many contacts are about to
// close it is not: its largest errors are where the potential is stiffest, one of them runs into a contact, and the
// step filter lets a hundredth of the direction through. After short steps directions are therefore solved much better,
// for as long as steps get longer by it in the mean; where they do not, because the contacts themselves are in the way,
// that is tried again after a while, each time longer.
//
// Where the model of the step before held, a better direction is worth its price, as the next one is then so much
// shorter: the error is at most that of the model (Eisenstat and Walker 1996, "Choosing the forcing terms in an inexact
// Newton method", choice 1; by energies as in An, Mo and Liu 2007, "A choice of forcing terms in inexact Newton
// method").
class ForcingTerm {
 public:
  explicit ForcingTerm(double loose) : loose_(loose), value_(loose) {}

  // Of the next direction: what may be left of its error, of the whole. `loose`, or down to a tenth of that.
  double value() const;

  bool is_tight() const { return value_ < loose_; }

  // The direction was shortened to `step` in (0, 1], or not taken (0). misfit: see DescentDirection::accepted.
  void took(double step, double misfit);

 private:
  struct Mean {  // of the logarithms of steps, the latest counting most
    double value = 0;
    int count = 0;
    void add(double v);
  };

  double loose_, value_;
  double misfit_ = 1;
  Mean tight_, loose_steps_;
  int hold_ = 0;                  // directions for which the value stays tight
  int wait_ = 4, next_wait_ = 8;  // directions before it is tried again
};

}  // namespace sinew
