#include "sinew/solver/gap_opening.h"

#include "sinew/contact/gap.h"
#include "sinew/contact/stencil_energy.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// d (3 x n_all): `length` along the force of the contacts that are closer than `least`, for each free vertex of theirs.
void find_directions(const IncrementalPotential& potential, const Points& x, const std::vector<PlaneState>& planes,
                     double least, double length, Points& d) {
  const System& system = potential.system();
  const ContactModel& contact = potential.contact();
  const BarrierParameters barrier{contact.stiffness(), system.contact_distance};
  d.setZero(3, x.cols());
  Vec12 g;
  for (const ContactStencil& stencil : contact.contacts()) {
    if (!(squared_gap(stencil_distance2(stencil, x, planes), stencil.offset) < least * least)) continue;
    stencil_gradient(stencil, x, planes, barrier, g);
    for (int i = 0; i < stencil.vertex_count(); ++i)
      if (stencil.v[i] < system.body_vertex_count())
        system.embedding.for_each(stencil.v[i], [&](Index v, double w) { d.col(v) -= w * g.segment<3>(3 * i); });
  }
  if (const Embedding* ties = potential.context().ties.get()) ties->pull_back(d, d);
  const std::vector<char>& fixed = potential.context().prescribed;
  for (Index i = 0; i < system.dynamic_count; ++i) {
    const double force = d.col(i).norm();
    if (!(force > 0)) continue;
    d.col(i) *= length / force;
    for (int k = 0; k < 3; ++k)
      if (fixed[3 * static_cast<std::size_t>(i) + k]) d(k, i) = 0;
  }
  potential.complete(d);
}

}  // namespace

// Rounds of x <- x + alpha d, d of length opened_gap dhat along contact forces at gaps below closed_gap dhat. At such
// gaps the curvature of the barrier grows as 1/d^2, and Newton steps are as short as the gap.
bool open_gaps(IncrementalPotential& potential, Points& x, const std::vector<PlaneState>& planes) {
  const ContactModel& contact = potential.contact();
  const double dhat = potential.system().contact_distance;
  if (!contact.filters()) return false;
  bool moved = false;
  Points d;
  for (int round = 0; round < most_gap_openings && contact.min_distance() < closed_gap * dhat; ++round) {
    find_directions(potential, x, planes, closed_gap * dhat, opened_gap * dhat, d);
    if (!d.allFinite()) break;
    const double alpha = potential.max_step(x, d, planes);
    if (!(alpha > 0)) break;
    x += alpha * d;
    potential.set_contacts(x, planes);
    moved = true;
  }
  return moved;
}

}  // namespace sinew
