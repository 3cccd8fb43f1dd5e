#include "sinew/app/cli.h"

int main(int argc, char** argv) {
  return sinew::app::run_cli(argc, argv);
}
