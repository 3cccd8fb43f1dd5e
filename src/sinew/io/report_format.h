// The files of format "html": report.html, and beside it the folder report with the data as scripts, since a page
// opened from disk may load scripts but fetch nothing. web/src/blobs.js, decode.js and run.js read them.
//
// report/NAME.js holds   sinewBlob("NAME",[HEADER,"DATA",HEADER,"DATA",...]);
// with JSON headers and data that are zlib streams in base64, one header and one string a line. A small page holds the
// arrays itself, as <script type="text/plain" id="sinew-NAME">.
//
//   mesh           header: facts of the run, objects (bodies, then obstacles; "open": true where a body is cloth, with
//   two
//                  sides) with their groups of triangles [material, count] and, between materials, [material, count,
//                  material beyond], planes, materials, fields, the scene, what of its materials was fitted to
//                  (scene/material_response.h); data: for each object its box; sequences of its rest coordinates (x of
//                  all vertices, then y, z); triangles of all objects as differences to the number before, zigzag, in
//                  4 byte planes
//   frames_NNNNNN  some frames; header: step, time, ranges and spreads (report_spread.h) of the fields, box of the
//                  bodies; data: point and normal of each plane; box of each moving object; for each body and field
//                  its range; sequences: coordinates of each moving object, then for each body each field
//   run            header: warnings; data: JSON with summary, columns of steps.jsonl, frames, chunks,
//                  ranges and usual ranges of the fields
//
// `sinew subspace` writes one page without frames; it holds the mesh, whose inner faces also part clusters, and
//
//   subspace       header: box of the bodies, planes, sizes, what the command printed; data: box of the handles'
//   centres
//                  and of the cubature points, ranges of their volumes and of the weights; sequences: these centres,
//                  points, volumes and weights (field_levels), by vertex of all bodies; integers: own and beyond
//                  cluster of all triangles of bodies (-1: outside), how many weights each vertex has, the handles of
//                  the weights, the cluster of each handle (-1: none)
//
// `sinew modes` writes one page without frames; it holds the mesh, whose fields have no values, and
//
//   modes          header: kind, values (modes/mode_file.h), box of the bodies, diagonal of the scene, planes, how many
//                  vertices the bodies' surfaces have, facts for the summary; data: integers, an order of these
//                  vertices in which neighbours are near one another. Then for each mode a header with its number,
//                  from 1; data: range of all components, symmetric; sequences: displacements at the vertices in that
//                  order along x, then y, z (displacement_levels)
//
// A box is the low and the high corner, a range low and high, all little-endian doubles. A sequence is a list of 16-bit
// numbers 0 to `levels` between low and high, stored as differences to the number before (the first to 0); of all
// sequences together come first the low, then the high bytes.
#pragma once

#include <cstdint>

namespace sinew {

inline constexpr int report_format_version = 2;
inline constexpr std::uint16_t position_levels = 65535;
inline constexpr std::uint16_t displacement_levels = 65534;  // even: zero is a level
inline constexpr std::uint16_t field_levels = 4095;          // fewer: the noise of more would not compress

inline constexpr const char* report_page_name = "report.html";
inline constexpr const char* report_folder_name = "report";

}  // namespace sinew
