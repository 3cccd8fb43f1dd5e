// Adapts the contact stiffness (Li et al. 2020, section 5). It doubles while a tiny gap keeps closing, and while
// resting bodies block prescribed motion.
#pragma once

namespace sinew {

// The largest stiffness over the initial one (IPC 2020, supplement).
inline constexpr double max_stiffening = 1e4;

class ContactStiffening {
 public:
  // Call at the start of a minimisation with the smallest gap [m]; infinity: no contact.
  void begin(double gap) { last_gap_ = gap; }

  // Returns the stiffness [Pa] after an iteration with smallest gap `gap` [m]: `stiffness`, or twice as much up to
  // `most`. diagonal: diagonal of the scene's bounding box [m]. pressed: whether bodies block prescribed motion.
  double next(double gap, double diagonal, bool pressed, double stiffness, double most);

 private:
  double last_gap_ = 0;  // [m]
};

}  // namespace sinew
