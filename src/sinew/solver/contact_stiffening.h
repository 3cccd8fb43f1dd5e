// The adaptive contact stiffness of incremental potential contact (Li et al. 2020, section 5): doubled while a tiny gap
// keeps closing, and where bodies have come to rest so close to what presses on them that this cannot go on.
#pragma once

namespace sinew {

// The largest stiffness over that at the start (IPC 2020, supplement).
inline constexpr double max_stiffening = 1e4;

class ContactStiffening {
 public:
  // A minimisation starts with the smallest gap `gap` [m]; infinity: no contact.
  void begin(double gap) { last_gap_ = gap; }

  // The stiffness [Pa] after an iteration that left `gap`, from `stiffness` so far, at most `most`, in a scene whose
  // bounding box has the given diagonal [m]. pressed: whether what is prescribed waits for room that bodies do not
  // give.
  double next(double gap, double diagonal, bool pressed, double stiffness, double most);

 private:
  double last_gap_ = 0;  // [m]
};

}  // namespace sinew
