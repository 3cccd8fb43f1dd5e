#include "sinew/potential/contact_row.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "sinew/potential/contact_model.h"

namespace sinew {
namespace {

Vec3 closest_of_first(const Points& x, const ContactRow& row) {
  Vec3 point = Vec3::Zero();
  for (int a = 0; a < row.first; ++a) point += row.c[a] * x.col(row.v[a]);
  return point;
}

// From the closest point of the second side to that of the first. Differences first: positions may be large.
Vec3 difference(const Points& x, const ContactRow& row) {
  Vec3 sum = Vec3::Zero();
  for (int a = 1; a < 4; ++a)
    if (row.v[a] >= 0) sum += row.c[a] * (x.col(row.v[a]) - x.col(row.v[0]));
  return sum;
}

}  // namespace

void orient_row(ContactRow& row) {
  if (row.c.head(row.first).sum() > 0) return;
  row.c = -row.c;
  row.normal = -row.normal;
}

void place_row(const Points& x, double offset, ContactRow& row) {
  const Vec3 apart = row.plane >= 0 ? Vec3((row.gap + offset) * row.normal) : difference(x, row);
  row.point = closest_of_first(x, row) - apart / 2;
}

void add_couples(const Points& x, const std::array<Vec3, 4>& force, ContactRow& row) {
  for (int a = 0; a < 4; ++a) {
    if (row.v[a] < 0) continue;
    row.couple[a < row.first ? 0 : 1] += (x.col(row.v[a]) - row.point).cross(force[a]);
  }
  if (row.plane >= 0) row.couple[1] = -row.couple[0];
}

// Contacts with a force at x, then those that have only the friction lagged at earlier positions.
std::vector<ContactRow> ContactModel::rows(const Points& x) const {
  std::vector<ContactRow> rows;
  append_rows(x, rows);
  std::erase_if(rows, [](const ContactRow& row) { return row.normal_force == 0; });
  if (has_friction()) merge_friction(x, rows);
  for (ContactRow& row : rows) row.slip = slip_of(row, x);
  return rows;
}

// Friction acts on the vertices with the weights of the positions at which it was lagged.
void ContactModel::merge_friction(const Points& x, std::vector<ContactRow>& rows) const {
  using Key = decltype(key_of(ContactRow()));
  std::vector<std::pair<Key, std::size_t>> known;
  known.reserve(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) known.emplace_back(key_of(rows[r]), r);
  std::ranges::sort(known);
  const std::span<const FrictionStencil> stencils = friction_.stencils();
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    const ContactRow lagged = lagged_row(stencils[s], x);
    const Key key = key_of(lagged);
    const auto at = std::lower_bound(known.begin(), known.end(), std::pair(key, std::size_t{0}));
    ContactRow& row = at != known.end() && at->first == key ? rows[at->second] : rows.emplace_back(lagged);
    const Vec3 force = -friction_.slope(s, x);
    row.friction += stencils[s].c.head(row.first).sum() > 0 ? force : Vec3(-force);
    std::array<Vec3, 4> on_vertices;
    for (int a = 0; a < 4; ++a) on_vertices[a] = stencils[s].c[a] * force;
    add_couples(x, on_vertices, row);
  }
}

// A contact of which only friction is known.
ContactRow ContactModel::lagged_row(const FrictionStencil& stencil, const Points& x) const {
  const CollisionMesh& mesh = system_.collision;
  ContactRow row;
  row.v = stencil.v;
  row.first = stencil.first;
  row.plane = stencil.plane;
  row.c = stencil.c;
  orient_row(row);
  const Index owner = mesh.vertex_owner[row.v[0]];
  const double offset =
      mesh.offset(owner, row.plane >= 0 ? mesh.planes[row.plane].owner : mesh.vertex_owner[row.v[row.first]]);
  if (row.plane >= 0) {
    row.normal = planes_[row.plane].normal;
    row.gap = row.normal.dot(x.col(row.v[0]) - planes_[row.plane].point) - offset;
  } else {
    const Vec3 apart = difference(x, row), across = Vec3(stencil.T.col(0)).cross(Vec3(stencil.T.col(1)));
    row.normal = across.dot(apart) < 0 ? Vec3(-across) : across;
    row.gap = row.normal.dot(apart) - offset;
  }
  place_row(x, offset, row);
  return row;
}

// (I - n n^T) (sum_i c_i (x_i - x^_i) - m) / h^, as friction has it (contact/friction.h).
Vec3 ContactModel::slip_of(const ContactRow& row, const Points& x) const {
  const Points& reference = context_->slip_reference();
  Vec3 moved = Vec3::Zero();
  for (int a = 0; a < 4; ++a)
    if (row.v[a] >= 0) moved += row.c[a] * (x.col(row.v[a]) - reference.col(row.v[a]));
  if (row.plane >= 0)
    moved -= plane_displacement(context_->plane_reference[row.plane], context_->plane_end[row.plane], x.col(row.v[0]));
  return (moved - row.normal.dot(moved) * row.normal) / context_->slip_step();
}

}  // namespace sinew
