// Checkpoints whose hash is right while an entry is not: of another version, or written by someone else. (HDF5 itself
// is not hardened, and sees bytes only behind the hash.)
#include "sinew/io/checkpoint.h"

#include <algorithm>
#include <map>
#include <vector>

#include "small_scene.h"
#include "targets.h"
#include <hdf5.h>

#include "sinew/io/initial_state.h"
#include "sinew/scene/scene.h"

namespace sinew::fuzz {
namespace {

enum class Kind : std::uint8_t { doubles, integers, integers32, text };

struct Entry {
  Kind kind = Kind::text;
  std::string bytes;
};
using Entries = std::map<std::string, Entry>;

Kind kind_of(hid_t type) {
  if (H5Tequal(type, H5T_IEEE_F64LE) > 0) return Kind::doubles;
  if (H5Tequal(type, H5T_STD_I64LE) > 0) return Kind::integers;
  return H5Tequal(type, H5T_STD_I32LE) > 0 ? Kind::integers32 : Kind::text;
}

herr_t collect(hid_t file, const char* name, const H5L_info_t*, void* data) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0) return 0;  // a group
  const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
  Entry entry{kind_of(type), {}};
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  entry.bytes.resize(count * H5Tget_size(type));
  if (count > 0) H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, entry.bytes.data());
  (*static_cast<Entries*>(data))[name] = std::move(entry);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(set);
  return 0;
}

template <class T>
void write_as(ArchiveWriter& archive, const std::string& name, const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
  archive.write(name, std::span<const T>(values));
}

void write(ArchiveWriter& archive, const std::string& name, const Entry& entry) {
  switch (entry.kind) {
    case Kind::doubles:
      return write_as<double>(archive, name, entry.bytes);
    case Kind::integers:
      return write_as<std::int64_t>(archive, name, entry.bytes);
    case Kind::integers32:
      return write_as<std::int32_t>(archive, name, entry.bytes);
    case Kind::text:
      return archive.write(name, entry.bytes);
  }
}

// A simulation of small_scene() that may be changed.
struct Changeable {
  std::shared_ptr<System> system = std::make_shared<System>(*small_system());
  Simulation simulation{system};

  Changeable() { simulation.allow_changes(system); }
};

// One after changes and a step, and what its checkpoint holds.
struct Valid {
  SceneText scene{completed_scene(small_scene()), ".", system_hash(*small_system()), {}};
  Entries entries;

  Valid() {
    Changeable valid;
    Simulation& simulation = valid.simulation;
    simulation.edit(ScalarEdit{"gravity", {0, -3, 0}});
    simulation.edit(ScalarEdit{"time.step", {0.005}});
    simulation.edit(ScalarEdit{"solver.iterations", {2}});
    simulation.edit(ScalarEdit{"contact.friction", {0.2}});
    simulation.edit(MaterialEdit{"rubber", {{"young", {2e5}}, {"poisson", {0.3}}}});
    simulation.edit(FiberEdit{"rubber", {{1e4}, Vec3(0, 1, 0)}});
    simulation.edit(PullEdit{{0, 1}, Pull{1, Vec3(0, 1, 0), 3}});
    simulation.edit(LoadEdit{0, {0, -2, 0}, 0});
    simulation.edit(SpringEdit{0, {0, 2, 0}, 5});
    simulation.hold({2});
    simulation.edit(MethodEdit{"newton-pcg"});
    simulation.release({2});
    simulation.step();
    const std::string path = scratch_folder() + "/valid.h5";
    write_checkpoint(path, scene, simulation);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, collect, &entries);
    H5Fclose(file);
  }
};

}  // namespace

// The first byte chooses the entry, the second a type (its own, or none to leave it out); the rest are its contents.
void checkpoint(std::string_view input) {
  static Valid valid;
  Entries entries = valid.entries;
  auto chosen = std::next(entries.begin(), take_byte(input) % static_cast<std::ptrdiff_t>(entries.size()));
  const unsigned type = take_byte(input) % 8;
  if (type == 0) {
    entries.erase(chosen);
  } else {
    chosen->second = {type < 4 ? static_cast<Kind>(type) : chosen->second.kind, std::string(input)};
  }
  const std::string path = scratch_folder() + "/checkpoint.h5";
  {
    ArchiveWriter archive(path, "checkpoint");
    for (const auto& [name, entry] : entries) write(archive, name, entry);
    const std::string bytes = archive.bytes();
    file_with("checkpoint.h5", bytes);
  }
  allow_input_error([&] { checkpoint_scene(path); });
  allow_input_error([&] { start_simulation(small_system(), {path}, "scene.json"); });
  allow_input_error([&] {
    Changeable loaded;
    load_checkpoint(path, valid.scene, loaded.simulation);
    loaded.simulation.energies();
  });
}

}  // namespace sinew::fuzz
