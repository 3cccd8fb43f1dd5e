// Gives advice for a step that did not converge.
#pragma once

#include <string>

#include "sinew/model/system.h"
#include "sinew/solver/diagnosis.h"

namespace sinew {

// Chooses the advice by cause, dominant term and settings. The text names keys of the scene and their current values.
std::string advice(const Diagnosis& diagnosis, const System& system, const MinimizerSettings& settings);

}  // namespace sinew
