#include "sinew/formats/abaqus_elements.h"

namespace sinew {
namespace {

using Use = AbaqusElementType::Use;

// Abaqus Elements Guide, element index; CalculiX CrunchiX manual, "Element Types".
constexpr AbaqusElementType abaqus_types[] = {
    {"C3D4", Use::tet, 4, 4},        {"C3D10", Use::tet, 4, 10},      {"DC3D4", Use::tet, 4, 4},
    {"DC3D10", Use::tet, 4, 10},     {"S3", Use::surface, 3, 3},      {"S4", Use::surface, 4, 4},
    {"S6", Use::surface, 3, 6},      {"S8", Use::surface, 4, 8},      {"S9", Use::surface, 4, 9},
    {"STRI3", Use::surface, 3, 3},   {"STRI65", Use::surface, 3, 6},  {"M3D3", Use::surface, 3, 3},
    {"M3D4", Use::surface, 4, 4},    {"M3D6", Use::surface, 3, 6},    {"M3D8", Use::surface, 4, 8},
    {"SFM3D3", Use::surface, 3, 3},  {"SFM3D4", Use::surface, 4, 4},  {"SFM3D6", Use::surface, 3, 6},
    {"SFM3D8", Use::surface, 4, 8},  {"R3D3", Use::surface, 3, 3},    {"R3D4", Use::surface, 4, 4},
    {"CPS3", Use::surface, 3, 3},    {"CPS4", Use::surface, 4, 4},    {"CPS6", Use::surface, 3, 6},
    {"CPS8", Use::surface, 4, 8},    {"CPE3", Use::surface, 3, 3},    {"CPE4", Use::surface, 4, 4},
    {"CPE6", Use::surface, 3, 6},    {"CPE8", Use::surface, 4, 8},    {"DS3", Use::surface, 3, 3},
    {"DS4", Use::surface, 4, 4},     {"DS6", Use::surface, 3, 6},     {"DS8", Use::surface, 4, 8},
    {"C3D5", Use::refused, 0, 5},    {"C3D6", Use::refused, 0, 6},    {"C3D8", Use::refused, 0, 8},
    {"C3D13", Use::refused, 0, 13},  {"C3D15", Use::refused, 0, 15},  {"C3D20", Use::refused, 0, 20},
    {"C3D27", Use::refused, 0, 27},  {"DC3D6", Use::refused, 0, 6},   {"DC3D8", Use::refused, 0, 8},
    {"DC3D15", Use::refused, 0, 15}, {"DC3D20", Use::refused, 0, 20}, {"SC6", Use::refused, 0, 6},
    {"SC8", Use::refused, 0, 8},     {"CSS8", Use::refused, 0, 8},
};

}  // namespace

const AbaqusElementType* abaqus_element_type(std::string_view type) {
  for (const AbaqusElementType& row : abaqus_types) {
    if (!type.starts_with(row.stem)) continue;
    const std::string_view rest = type.substr(row.stem.size());
    if (rest.empty() || rest.front() < '0' || rest.front() > '9') return &row;
  }
  return nullptr;
}

}  // namespace sinew
