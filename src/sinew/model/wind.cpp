#include "sinew/model/wind.h"

namespace sinew {
namespace {

template <class Load>
Wind wind_in(const Load& load) {
  const Vec3 turbulence = load.point.value_or(Vec3(0, 1, 1));
  return {.drag = load.gas.ambient,
          .friction = load.gas.exponent,
          .intensity = turbulence[0],
          .length = turbulence[1],
          .time = turbulence[2],
          .seed = static_cast<int>(load.gas.amount),
          .from_outside = load.follows};
}

}  // namespace

LoadSetup load_of(const Wind& wind) {
  LoadSetup load;
  load.kind = wind_load;
  load.gas = {wind.drag, wind.friction, static_cast<double>(wind.seed)};
  load.point = Vec3(wind.intensity, wind.length, wind.time);
  load.follows = wind.from_outside;
  return load;
}

Wind wind_of(const LoadSetup& load) {
  return wind_in(load);
}

Wind wind_of(const FaceLoad& load) {
  return wind_in(load);
}

}  // namespace sinew
