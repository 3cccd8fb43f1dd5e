#include "sinew/formats/abaqus_materials.h"

#include <algorithm>

#include <fmt/ranges.h>

namespace sinew {
namespace {

constexpr double incompressible = 0.495;  // Poisson's ratio for D1 = 0, which no solid without hybrid elements can have

// The part of a rubber's material that resists changes of volume. Abaqus: (J - 1)^2 / D1.
std::string bulk_text(double d1) {
  return d1 > 0 ? fmt::format("\"bulk\": {}", 2 / d1) : fmt::format("\"poisson\": {}", incompressible);
}

// W = c10 (I1 - 3) + c01 (I2 - 3) of the stretches without change of volume, to first order the same as
// material/mooney_rivlin.h.
std::string mooney_rivlin_text(double c10, double c01, double d1) {
  const double mu = 2 * (c10 + c01);
  const double bulk = d1 > 0 ? 2 / d1 : mu * 2 * (1 + incompressible) / (3 * (1 - 2 * incompressible));
  return fmt::format("\"model\": \"mooney_rivlin\", \"c10\": {}, \"c01\": {}, \"kappa\": {}", c10, c01,
                     bulk - 2 * mu / 3 - 4 * c01);
}

std::string yeoh_text(double c10, double c20, double c30, double d1) {
  return fmt::format("\"model\": \"yeoh\", \"c10\": {}, \"c20\": {}, \"c30\": {}, {}", c10, c20, c30, bulk_text(d1));
}

std::string ogden_text(const std::vector<double>& c, std::size_t terms) {
  std::vector<double> mu, alpha;
  for (std::size_t k = 0; k < terms; ++k) mu.push_back(c[2 * k]), alpha.push_back(c[2 * k + 1]);
  return fmt::format("\"model\": \"ogden\", \"mu\": [{}], \"alpha\": [{}], {}", fmt::join(mu, ", "),
                     fmt::join(alpha, ", "), bulk_text(c.size() > 2 * terms ? c[2 * terms] : 0));
}

// The laws of *HYPERELASTIC: parameter, number of terms, constants.
struct Law {
  const char* name;
  int terms;  // 0: any
  std::vector<const char*> constants;
};

const std::vector<Law>& laws() {
  static const std::vector<Law> all{{"NEO HOOKE", 1, {"C10", "D1"}},
                                    {"MOONEY-RIVLIN", 1, {"C10", "C01", "D1"}},
                                    {"POLYNOMIAL", 1, {"C10", "C01", "D1"}},
                                    {"YEOH", 1, {"C10", "C20", "C30", "D1", "D2", "D3"}},
                                    {"REDUCED POLYNOMIAL", 1, {"C10", "D1"}},
                                    {"REDUCED POLYNOMIAL", 2, {"C10", "C20", "D1", "D2"}},
                                    {"REDUCED POLYNOMIAL", 3, {"C10", "C20", "C30", "D1", "D2", "D3"}},
                                    {"ARRUDA-BOYCE", 1, {"mu", "lambda_m", "D"}},
                                    {"OGDEN", 0, {}}};
  return all;
}

const Law* find_law(std::string_view name, int terms) {
  for (const Law& law : laws())
    if (law.name == name && (law.terms == 0 || law.terms == terms)) return &law;
  return nullptr;
}

}  // namespace

bool AbaqusMaterial::read(const AbaqusKeyword& keyword, AbaqusLines& lines) {
  std::vector<std::string_view> fields;
  const auto numbers = [&](std::vector<double>& values, std::size_t most) {
    while (values.size() < most && lines.next_data(fields)) {
      for (std::size_t k = 0; k < fields.size() && values.size() < most; ++k)
        values.push_back(fields[k].empty() ? 0 : lines.real(fields[k], "a number of the material"));
      if (fields.size() < 8) break;  // only full lines continue
    }
  };
  if (keyword.is("DENSITY")) {
    std::vector<double> values;
    numbers(values, 1);
    if (values.empty()) lines.fail("found *DENSITY without a number, expected one");
    density_ = values[0];
  } else if (keyword.is("ELASTIC")) {
    const std::string type = keyword.value("TYPE");
    const bool isotropic = type.empty() || abaqus_key(type).starts_with("ISO");
    law_ = isotropic ? "ELASTIC" : "ELASTIC " + type;
    constants_.clear();
    numbers(constants_, isotropic ? 2 : 21);
    if (isotropic && constants_.size() < 2)
      lines.fail("found {} numbers after *ELASTIC, expected Young's modulus and Poisson's ratio", constants_.size());
  } else if (keyword.is("HYPERELASTIC")) {
    law_ = "POLYNOMIAL";  // Abaqus' default
    for (const Law& law : laws())
      if (keyword.has(abaqus_key(law.name))) law_ = law.name;
    const std::string terms = keyword.value("N");
    terms_ = terms.empty() ? 1 : static_cast<int>(lines.integer(terms, "the number of terms N", 1, 20));
    constants_.clear();
    if (!keyword.has("TESTDATAINPUT")) {
      const Law* law = find_law(law_, terms_);
      numbers(constants_,
              law && !law->constants.empty() ? law->constants.size() : 3 * static_cast<std::size_t>(terms_));
    }
    law_ = "HYPERELASTIC " + law_;
  } else if (keyword.is("PLASTIC")) {
    stress_.clear();
    strain_.clear();
    double temperature = 0;
    while (lines.next_data(fields)) {
      if (fields.size() < 2) fields.push_back("0");
      const double own = fields.size() > 2 ? lines.real(fields[2], "a temperature") : 0;
      if (stress_.empty()) temperature = own;
      if (own != temperature) break;
      stress_.push_back(lines.real(fields[0], "a yield stress"));
      strain_.push_back(lines.real(fields[1], "a plastic strain"));
    }
  } else {
    return false;
  }
  return true;
}

FileMaterial AbaqusMaterial::result() const {
  FileMaterial material{name_, law_.empty() ? "MATERIAL" : law_, constants_, {}};
  const auto c = [&](std::size_t k) { return k < constants_.size() ? constants_[k] : 0; };
  std::string scene;
  if (law_ == "ELASTIC") {
    material.names = {"Young's modulus", "Poisson's ratio"};
    scene = fmt::format("\"model\": \"{}\", \"young\": {}, \"poisson\": {}", stress_.empty() ? "neo_hookean" : "hencky",
                        c(0), std::min(c(1), incompressible));
    if (!stress_.empty())
      scene += fmt::format(", \"plasticity\": {{\"table\": {{\"strain\": [{}], \"stress\": [{}]}}}}",
                           fmt::join(strain_, ", "), fmt::join(stress_, ", "));
  } else if (law_.starts_with("HYPERELASTIC ") && !constants_.empty()) {
    const std::string name = law_.substr(13);
    const Law* law = find_law(name, terms_);
    if (law && !law->constants.empty()) {
      material.parameters.resize(law->constants.size(), 0);  // those at the end may be left out
      material.names.assign(law->constants.begin(), law->constants.end());
    }
    if (name == "NEO HOOKE") scene = yeoh_text(c(0), 0, 0, c(1));
    if (name == "MOONEY-RIVLIN" || (name == "POLYNOMIAL" && law)) scene = mooney_rivlin_text(c(0), c(1), c(2));
    if (name == "YEOH" || (name == "REDUCED POLYNOMIAL" && terms_ == 3)) scene = yeoh_text(c(0), c(1), c(2), c(3));
    if (name == "REDUCED POLYNOMIAL" && terms_ == 1) scene = yeoh_text(c(0), 0, 0, c(1));
    if (name == "REDUCED POLYNOMIAL" && terms_ == 2) scene = yeoh_text(c(0), c(1), 0, c(2));
    if (name == "ARRUDA-BOYCE")
      scene = fmt::format("\"model\": \"arruda_boyce\", \"mu\": {}, \"locking\": {}, {}", c(0), c(1), bulk_text(c(2)));
    if (name == "OGDEN" && constants_.size() >= 2 * static_cast<std::size_t>(terms_))
      scene = ogden_text(constants_, static_cast<std::size_t>(terms_));
  }
  if (!stress_.empty()) material.model += " PLASTIC";
  if (density_ > 0) {
    if (material.names.size() == material.parameters.size()) material.names.emplace_back("density");
    material.parameters.push_back(density_);
    if (!scene.empty()) scene += fmt::format(", \"density\": {}", density_);
  }
  if (material.names.size() != material.parameters.size()) material.names.clear();
  if (!scene.empty()) material.scene = "{" + scene + "}";
  return material;
}

}  // namespace sinew
