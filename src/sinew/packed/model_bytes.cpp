#include "sinew/packed/model_bytes.h"

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/material/registry.h"
#include "sinew/reduced/mesh_sums.h"

namespace sinew {
namespace {

// The first bytes: raise the number with every change of what follows.
constexpr std::string_view mark = "sinew model 1\n";

// Reads or writes values in turn: one list of fields serves both, so that they cannot differ.
class Bytes {
 public:
  explicit Bytes(std::string& out) : out_(&out) {}
  explicit Bytes(std::string_view in) : in_(in) {}

  bool reads() const { return !out_; }
  bool is_done() const { return in_.empty(); }

  template <class... T>
  void operator()(T&... values) {
    (field(values), ...);
  }

 private:
  void raw(void* data, std::size_t size) {
    if (out_) {
      out_->append(static_cast<const char*>(data), size);
      return;
    }
    if (size > in_.size()) fail_input(code::file_damaged, "the model of the page ends early; export it again");
    if (size > 0) std::memcpy(data, in_.data(), size);
    in_.remove_prefix(size);
  }
  // The length of a list whose entries take at least `least` bytes each.
  std::size_t length(std::size_t size, std::size_t least) {
    auto count = static_cast<std::uint32_t>(size);
    raw(&count, sizeof count);
    if (reads() && least > 0 && count > in_.size() / least)
      fail_input(code::file_damaged, "the model of the page ends early; export it again");
    return count;
  }

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void field(T& value) { raw(&value, sizeof value); }
  void field(std::string& text) {
    text.resize(length(text.size(), 1));
    raw(text.data(), text.size());
  }
  template <class T>
  void field(std::vector<T>& list) {
    constexpr bool plain = std::is_arithmetic_v<T>;
    list.resize(length(list.size(), plain ? sizeof(T) : 1));
    if constexpr (plain) {
      raw(list.data(), list.size() * sizeof(T));
    } else {
      for (T& value : list) field(value);
    }
  }
  template <class T, std::size_t n>
  void field(std::array<T, n>& list) {
    for (T& value : list) field(value);
  }
  template <class T>
  void field(std::optional<T>& value) {
    bool present = value.has_value();
    field(present);
    if (reads()) value.reset();
    if (reads() && present) value = T{};
    if (present) field(*value);
  }
  template <class T, int r, int c, int o, int mr, int mc>
  void field(Eigen::Matrix<T, r, c, o, mr, mc>& m) {
    if constexpr (r == Eigen::Dynamic || c == Eigen::Dynamic) {
      const std::size_t rows = length(m.rows(), 0), columns = length(m.cols(), 0);
      if (reads() && rows * columns > in_.size() / sizeof(T))
        fail_input(code::file_damaged, "the model of the page ends early; export it again");
      m.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    }
    raw(m.data(), static_cast<std::size_t>(m.size()) * sizeof(T));
  }
  template <class T>
  void field(T& value) requires requires(Bytes& b, T& v) {
    fields(b, v);
  }
  { fields(*this, value); }

  std::string* out_ = nullptr;
  std::string_view in_;
};

void fields(Bytes& b, Keyframes& keys) {
  b(keys.times, keys.values);
}

void fields(Bytes& b, Motion::Rotation& rotation) {
  b(rotation.axis, rotation.center, rotation.degrees);
}

void fields(Bytes& b, Motion::Scaling& scaling) {
  b(scaling.center, scaling.factors);
}

void fields(Bytes& b, Poses& poses) {
  b(poses.times, poses.rotations, poses.translations, poses.center);
}

void fields(Bytes& b, Motion& motion) {
  b(motion.translation, motion.rotation, motion.scaling, motion.poses);
}

void fields(Bytes& b, TimeSetup& time) {
  b(time.step, time.steps, time.integrator, time.newmark_beta, time.newmark_gamma, time.ramp, time.substeps,
    time.max_travel);
}

void fields(Bytes& b, ContactSetup& contact) {
  b(contact.enabled, contact.model, contact.subdivision, contact.distance, contact.interference, contact.stiffness,
    contact.friction, contact.slip_speed, contact.friction_iterations, contact.friction_tolerance,
    contact.surface_samples, contact.self);
}

void fields(Bytes& b, SolverSetup& solver) {
  b(solver.method, solver.tolerance, solver.norm, solver.force_tolerance, solver.max_iterations, solver.instability,
    solver.handles, solver.subspace, solver.cubature_rule, solver.jacobian, solver.krylov, solver.error_every,
    solver.iterations);
}

void fields(Bytes& b, Setup& setup) {
  b(setup.name, setup.gravity, setup.time, setup.contact, setup.solver);
}

void fields(Bytes& b, ElasticGroup& group) {
  std::string name = b.reads() ? std::string() : group.model->name();
  b(name, group.tet_begin, group.tet_end, group.parameters, group.fiber_stiffness, group.fiber_tension,
    group.fiber_direction);
  if (b.reads()) group.model = shared_material_model(name);
}

void fields(Bytes& b, SystemBody& body) {
  b(body.name, body.damping_mass, body.damping_stiffness, body.stiffness, body.acceleration, body.acceleration_keys);
}

void fields(Bytes& b, FaceLoad& load) {
  b(load.body, load.entry, load.kind, load.total_area, load.vector, load.factor, load.vector_keys);
}

void fields(Bytes& b, Spring& spring) {
  b(spring.body, spring.entry, spring.vertex, spring.others, spring.weights, spring.point, spring.motion,
    spring.stiffness, spring.length, spring.until, spring.point_weight);
}

void fields(Bytes& b, PullKey& key) {
  b(key.client, key.id);
}

void fields(Bytes& b, PlaneSetup& plane) {
  b(plane.point, plane.normal);
}

void fields(Bytes& b, CollisionMesh::Plane& plane) {
  b(plane.owner, plane.material);
}

void fields(Bytes& b, CollisionMesh& mesh) {
  b(mesh.dynamic_count, mesh.vertices, mesh.edges, mesh.triangles, mesh.vertex_area, mesh.edge_area,
    mesh.edge_rest_length2, mesh.vertex_owner, mesh.vertex_material, mesh.owner_count, mesh.may_touch, mesh.owner_names,
    mesh.owner_offset, mesh.material_count, mesh.friction, mesh.own_friction, mesh.planes);
}

void fields(Bytes& b, System& system) {
  b(system.setup, system.dynamic_count, system.rest, system.mass, system.tets, system.groups, system.tet_body,
    system.vertex_body, system.vertex_to_user, system.bodies, system.initial_velocity, system.motions, system.loads,
    system.springs, system.pulls, system.obstacle_vertex_motion, system.planes, system.plane_motion,
    system.obstacle_motion, system.obstacle_size, system.friction_names, system.collision, system.contact_distance,
    system.contact_stiffness, system.automatic_stiffness, system.adaptive_stiffness, system.diagonal);
}

void fields(Bytes& b, HandleBasis& basis) {
  b(basis.center, basis.radius, basis.begin, basis.handle, basis.weight);
}

void fields(Bytes& b, AxisHandles& set) {
  b(set.free, set.prescribed);
}

void fields(Bytes& b, QuadraticTerms::Source& source) {
  b(source.body, source.load, source.rest, source.moment);
}

void fields(Bytes& b, QuadraticTerms::Sums& sums) {
  b(sums.mass, sums.damping, sums.sources);
}

void fields(Bytes& b, CoarseSurface& surface) {
  b(surface.mesh, surface.vertex, surface.sample_count);
}

void fields(Bytes& b, MeshSums& sums) {
  b(sums.quadratic, sums.far, sums.surface);
}

void fields(Bytes& b, ReducedBasis& basis) {
  auto sums = b.reads() ? std::make_shared<MeshSums>() : std::make_shared<MeshSums>(*basis.sums);
  b(basis.set, basis.sets, basis.motions, basis.cubature.tets, basis.cubature.weights, basis.identity, *sums);
  basis.sums = std::move(sums);
}

template <std::size_t k = 0>
void entry_of_kind(Bytes& b, std::size_t kind, MemoryArchive::Entry& entry) {
  if constexpr (k < std::variant_size_v<MemoryArchive::Entry>) {
    if (kind != k) return entry_of_kind<k + 1>(b, kind, entry);
    if (b.reads()) entry.emplace<k>();
    b(std::get<k>(entry));
  } else {
    fail_input(code::file_damaged, "the model of the page is damaged; export it again");
  }
}

void fields(Bytes& b, MemoryArchive& archive) {
  auto count = static_cast<std::uint32_t>(archive.entries.size());
  b(count);
  auto at = archive.entries.begin();
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string name = b.reads() ? std::string() : at->first;
    std::uint32_t kind = b.reads() ? 0 : static_cast<std::uint32_t>(at->second.index());
    b(name, kind);
    MemoryArchive::Entry entry = b.reads() ? MemoryArchive::Entry() : at->second;
    entry_of_kind(b, kind, entry);
    if (b.reads())
      archive.entries[name] = std::move(entry);
    else
      ++at;
  }
}

}  // namespace

std::string pack(const CutModel& model) {
  std::string out(mark);
  Bytes bytes(out);
  System system = *model.system;
  ReducedBasis basis = *model.basis;
  MemoryArchive state = model.state;
  bytes(system, basis, state);
  return out;
}

CutModel unpack(std::string_view bytes) {
  if (!bytes.starts_with(mark))
    fail_input(code::file_damaged, "the model of the page is not one of this version; export it again");
  CutModel model{std::make_shared<System>(), std::make_shared<ReducedBasis>(), {}};
  Bytes in(bytes.substr(mark.size()));
  in(*model.system, *model.basis, model.state);
  if (!in.is_done()) fail_input(code::file_damaged, "the model of the page is too long; export it again");
  return model;
}

}  // namespace sinew
