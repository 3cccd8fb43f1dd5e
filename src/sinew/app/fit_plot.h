// Charts of fits: measured points and fitted curves.
#pragma once

#include <vector>

#include "sinew/app/svg_chart.h"
#include "sinew/material/fit.h"
#include "sinew/material/viscous_fit.h"

namespace sinew::app {

// Returns a chart of nominal stress over stretch. Lines are dashed at stretches where the material is unstable
// (material/stability.h).
Chart stress_chart(const FitResult& fit, const std::vector<Measurement>& measurements);

// Returns charts with logarithmic axes: the modulus over time, and storage and loss moduli over frequency. A chart
// without curves is left out, and so are points at time 0 or without loss.
std::vector<Chart> viscous_charts(const ViscousFit& fit, const std::vector<RelaxationCurve>& relaxation,
                                  const std::vector<DynamicCurve>& dynamic);

}  // namespace sinew::app
