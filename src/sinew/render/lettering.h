// Short texts on pictures, in strokes of one width. Letters of ASCII and the micro sign; others are left out.
#pragma once

#include <string>

#include "sinew/render/renderer.h"

namespace sinew {

// The width of a text whose capitals are `size` pixels high.
double text_width(const std::string& text, double size);

// x, y: the left end of its baseline in pixels from the picture's upper left corner.
void draw_text(ColorImage& image, const std::string& text, double x, double y, double size, const Rgb& color);

}  // namespace sinew
