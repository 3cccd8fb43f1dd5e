// sinew-mesh: tets for sinew.
#include "commands.h"

#include "sinew/command/program.h"

namespace {

constexpr sinew::command::Command commands[] = {
    {"tets", "Fill closed surfaces with tets", "sinew-mesh tets bunny.obj -o bunny.msh", sinew::mesher::add_tets},
    {"shape", "Mesh a shape by its name", "sinew-mesh shape sphere --size 0.01 -o sphere.msh",
     sinew::mesher::add_shape},
};

constexpr sinew::command::Program program = {
    .name = "sinew-mesh",
    .description = "tets for sinew",
    .commands = commands,
    .out_of_memory = "use a larger --size",
};

}  // namespace

int main(int argc, char** argv) {
  return sinew::command::run(program, argc, argv);
}
