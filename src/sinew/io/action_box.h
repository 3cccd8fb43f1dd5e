// The box of the action of a run, which a camera should show (as web/src/action.js).
#pragma once

#include <span>

#include "sinew/render/render_scene.h"

namespace sinew {

// Low and high corners of the boxes of frames, without the outer 8 % of the weight. A frame weighs as far as the
// corners move in it. `frames` must not be empty.
RenderBox action_box(std::span<const RenderBox> frames);

}  // namespace sinew
