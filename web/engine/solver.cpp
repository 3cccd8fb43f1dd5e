// The functions that a page calls: a simulation of a packed model (src/sinew/packed). Numbers go through memory that
// the page asks for.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sinew/packed/packed_run.h"

namespace {

std::unique_ptr<sinew::PackedRun> run;
std::vector<double> numbers;  // the last result that has more than one number

const double* give(std::vector<double> values) {
  numbers = std::move(values);
  return numbers.data();
}

}  // namespace

extern "C" {

[[clang::export_name("allocate")]] void* allocate(std::size_t bytes) {
  return std::malloc(bytes);
}

[[clang::export_name("release_memory")]] void release_memory(void* memory) {
  std::free(memory);
}

[[clang::export_name("start")]] void start(const char* bytes, std::size_t size) {
  run.reset();
  run = std::make_unique<sinew::PackedRun>(std::string_view(bytes, size));
}

// Returns 0: converged; 1: it ended at the limit of iterations; 2: it did not converge.
[[clang::export_name("step")]] int step() {
  const sinew::StepReport report = run->step();
  return report.failed() ? 2 : report.converged ? 0 : 1;
}

// Step, time [s].
[[clang::export_name("clock")]] const double* clock_of_run() {
  const sinew::Clock clock = run->clock();
  return give({static_cast<double>(clock.step), clock.time});
}

[[clang::export_name("rows")]] int rows() {
  return static_cast<int>(run->coordinates().rows());
}

// Coordinates: rows() numbers for each axis.
[[clang::export_name("coordinates")]] const double* coordinates() {
  return run->coordinates().data();
}

[[clang::export_name("place")]] const double* place(int vertex) {
  const sinew::Vec3 x = run->place(vertex);
  return give({x[0], x[1], x[2]});
}

[[clang::export_name("pull")]] void pull(int id, int vertex, double x, double y, double z, double stiffness) {
  run->pull(id, vertex, sinew::Vec3(x, y, z), stiffness);
}

[[clang::export_name("release")]] void release(int id) {
  run->release(id);
}

[[clang::export_name("set_gravity")]] void set_gravity(double x, double y, double z) {
  run->set("gravity", {x, y, z});
}

[[clang::export_name("set_friction")]] void set_friction(double coefficient) {
  run->set("contact.friction", {coefficient});
}

[[clang::export_name("set_iterations")]] void set_iterations(double count) {
  run->set("solver.iterations", {count});
}

}  // extern "C"
