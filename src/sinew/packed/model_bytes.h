// A cut model (cut_model.h) as bytes, little-endian, with a version.
#pragma once

#include <string>
#include <string_view>

#include "sinew/packed/cut_model.h"

namespace sinew {

std::string pack(const CutModel& model);
// Throws InputError if the bytes are not those of pack() of this version.
CutModel unpack(std::string_view bytes);

}  // namespace sinew
