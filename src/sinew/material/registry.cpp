#include "sinew/material/registry.h"

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/material/arap.h"
#include "sinew/material/arruda_boyce.h"
#include "sinew/material/blatz_ko.h"
#include "sinew/material/corotated.h"
#include "sinew/material/fixed_corotated.h"
#include "sinew/material/gent.h"
#include "sinew/material/hencky.h"
#include "sinew/material/holzapfel_gasser_ogden.h"
#include "sinew/material/hyperfoam.h"
#include "sinew/material/mass_spring.h"
#include "sinew/material/mooney_rivlin.h"
#include "sinew/material/neo_hookean.h"
#include "sinew/material/ogden.h"
#include "sinew/material/polynomial.h"
#include "sinew/material/spline.h"
#include "sinew/material/stable_neo_hookean.h"
#include "sinew/material/stvk.h"
#include "sinew/material/yeoh.h"

namespace sinew {

namespace {

template <class Model>
const MaterialModel* instance() {
  static const Model model;
  return &model;
}

}  // namespace

std::span<const MaterialModel* const> material_models() {
  static const MaterialModel* const table[] = {
      instance<Arap>(),
      instance<ArrudaBoyce>(),
      instance<BlatzKo>(),
      instance<Corotated>(),
      instance<FixedCorotated>(),
      instance<Gent>(),
      instance<Hencky>(),
      instance<HolzapfelGasserOgden>(),
      instance<Hyperfoam>(),
      instance<MooneyRivlin>(),
      instance<NeoHookean>(),
      instance<Ogden>(),
      instance<Polynomial>(),
      instance<Spline>(),
      instance<StableNeoHookean>(),
      instance<StVenantKirchhoff>(),
      instance<Yeoh>(),
  };
  return table;
}

const MaterialModel& find_material_model(const std::string& name) {
  std::vector<std::string> known;
  std::string list;
  for (const MaterialModel* model : material_models()) {
    if (model->name() == name) return *model;
    known.push_back(model->name());
    list += (list.empty() ? "" : ", ") + model->name();
  }
  const std::string near = closest_name(name, known);
  fail_input(code::material_model, "unknown material model '{}'{}; known models: {}", name,
             near.empty() ? "" : fmt::format(", did you mean '{}'?", near), list);
}

const MaterialLaw& find_material_law(const std::string& name) {
  if (name == mass_spring_name) return mass_spring();
  return find_material_model(name);
}

SharedModel shared_material_model(const std::string& name) {
  return SharedModel(SharedModel(), &find_material_model(name));
}

}  // namespace sinew
