// Connected bodies whose surfaces radiate the motion of a run itself, not that of modes of vibration.
#pragma once

#include <utility>
#include <vector>

#include "sinew/contact/body_frame.h"
#include "sinew/model/system.h"
#include "sinew/sound/radiation.h"
#include "sinew/sound/sound_settings.h"

namespace sinew {

// A weighted sum of vertices, as PointRow (kinematics/point_set.h).
using SoundRow = std::vector<std::pair<Index, double>>;

struct SoundingBody {
  Index body = 0;               // number in the scene
  std::vector<Index> vertices;  // of its tets
  std::vector<double> share;    // of each vertex in the body's mass
  Points offsets;               // of the vertices at rest from the centre [m]
  Vec3 center = Vec3::Zero();   // centre of mass at rest [m]
  std::vector<Index> surface;   // m surface vertices
  Points places;                // 3 x m: rest positions from the centre [m]
  Points areas;                 // 3 x m: a third of the area vectors of the triangles around a vertex [m^2]
  Index half_taps = 0;          // taps before and after that of the centre

  Index tap_count() const { return 2 * half_taps + 1; }  // for one ear
};

// Returns the connected bodies of elastic tets.
std::vector<SoundingBody> sounding_bodies(const System& system);

// Four rows from whose points pose() gives the frame of the body, as ModalBody::frame() does.
std::vector<SoundRow> pose_rows(const SoundingBody& body);
BodyFrame pose(const Points& points);

// Rows for sums over the surface. The second time derivative of these sums is the pressure at the ears (Rayleigh;
// O'Brien, Cook and Essl 2001, "Synthesizing sounds from physically based motion"):
//
//   p(t) = rho / (4 pi) sum_v a_v . x''_v(t - r_v / c) / r_v .
//
// The delays (r_v - r_c) / c, against that of the centre, are split into taps one sample apart by cubic interpolation
// (Laakso, Valimaki, Karjalainen and Laine 1996, "Splitting the unit delay"). Tap k is heard (k - half_taps) samples
// later than the centre. Point 3 i + axis of the rows counts by its component `axis` for tap taps[i], which is the
// tap's number plus tap_count() for the right ear. Taps without a vertex are left out.
struct TapRows {
  std::vector<SoundRow> rows;
  std::vector<Index> taps;
};
TapRows tap_rows(const SoundingBody& body, const BodyFrame& frame, const Listener& listener);

// Whether a body has moved or turned so far, as heard, that its tap rows are out of date.
bool has_moved(const BodyFrame& before, const BodyFrame& now, const Listener& listener);

}  // namespace sinew
