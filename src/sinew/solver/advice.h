// What a user can change when a step did not converge.
#pragma once

#include <string>

#include "sinew/model/system.h"
#include "sinew/solver/diagnosis.h"

namespace sinew {

// By the cause, the dominant term and the settings of the scene; names its keys and their present values.
std::string advice(const Diagnosis& diagnosis, const System& system, const MinimizerSettings& settings);

}  // namespace sinew
