// Exact translations of bodies that nothing outside holds.
//
// Bodies that contacts or springs connect form an island. If nothing else acts on it, a translation of all its vertices
// changes no term of its energy except inertia. So the Hessian has H 1 = M 1 there, and Newton's direction satisfies
//
//   sum_i m_i d_i = -sum_i g_i,
//
// with which a full step conserves momentum. Directions that solve inexactly do not.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"
#include "sinew/potential/contact_model.h"

namespace sinew {

class FreeIslands {
 public:
  // The system must outlive this.
  explicit FreeIslands(const System& system) : system_(system) {}

  // Adds to d (3 x n_all, columns [0, dynamic_count)) the translation of each free island that makes up for what
  // sum_i (g_i + m_i d_i) is off zero. It is the exact minimiser of the quadratic model of E along that translation.
  // g: 3 x dynamic_count, grad E. The result does not depend on the number of threads.
  void translate(const StepContext& context, const ContactModel& contact, const Points& g, Points& d);

 private:
  Index root(Index body);
  void join(Index a, Index b);
  void hold(Index body) { held_[root(body)] = 1; }
  void find(const StepContext& context, const ContactModel& contact);
  void join_or_hold(std::span<const Index> vertices, bool plane);

  const System& system_;
  std::vector<std::vector<Index>> vertices_;  // by body: its vertices with equations
  std::vector<Index> parent_;                 // by body: union-find, after find() the root
  std::vector<char> held_;                    // by root
  struct Sums {
    Vec3 defect = Vec3::Zero();  // sum of g + m d [kg m]
    double size = 0, mass = 0;   // sum of |g| + m |d|; of m
  };
  std::vector<Sums> sums_;  // by body, then by root
};

}  // namespace sinew
