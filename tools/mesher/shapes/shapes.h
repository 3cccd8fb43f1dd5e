// The shapes, one source each; a new one is a source and a row of the table in shape.cpp.
#pragma once

#include "shapes/shape.h"

namespace sinew::mesher {

Shape anvil_shape();
Shape beam_shape();
Shape block_shape();
Shape boat_shape();
Shape boot_shape();
Shape candy_shape();
Shape city_shape();
Shape crab_shape();
Shape creature_shape();
Shape cut_block_shape();
Shape gator_shape();
Shape hand_shape();
Shape head_shape();
Shape hoop_with_net_shape();
Shape iceberg_shape();
Shape kooshball_shape();
Shape landscape_shape();
Shape lattice_ball_shape();
Shape mace_shape();
Shape mushroom_shape();
Shape octobot_shape();
Shape pendulum_shape();
Shape roller_shape();
Shape sandwich_block_shape();
Shape shoe_shape();
Shape sphere_shape();
Shape spike_shape();
Shape spike_bed_shape();
Shape spiky_roller_shape();
Shape spring_fist_shape();
Shape stressball_shape();
Shape terrain_shape();

}  // namespace sinew::mesher
