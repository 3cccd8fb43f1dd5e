// The files of format "html": report.html, and beside it the folder report with the data as scripts. A page opened from
// disk may load scripts but cannot fetch. web/src/blobs.js, decode.js and run.js read them.
//
// report/NAME.js holds   sinewBlob("NAME",[HEADER,"DATA",HEADER,"DATA",...]);
// with JSON headers and data that are zlib streams in base64, one header and one string a line. A small page holds the
// arrays itself, as <script type="text/plain" id="sinew-NAME">.
//
//   NAME           part       contents
//   mesh           header     facts of the run
//                             objects (bodies, then obstacles; "open": true if a body is cloth, with two sides)
//                             their groups of triangles [material, count], between materials [material, count, beyond]
//                             "coordinates": number of texture coordinates of an object that has a texture at them
//                             planes, materials, their looks, images of textures as data URIs, fields, the scene,
//                             measured curves (scene/material_response.h)
//                  data       box of each object, then of the texture coordinates of each object that has some
//                  sequences  rest coordinates of each object (x of all vertices, then y, z), then texture coordinates
//                             (u of all, then v, then 0)
//                  data       triangles of all objects, then numbers of the texture coordinates of their corners, as
//                             differences to the number before, zigzag, in 4 byte planes
//                  inside     of bodies with "inside" in their object: their order (integers: ranks of the vertices
//                             inside among all of the body as the scene has them; the other ranks are on the surface),
//                             the lowest rank of the corners of each tet (integers), the differences to the next ones
//                             (plain), six parents (integers), each with weights over 256 (plain)
//   frames_NNNNNN  header     of some frames: step, time, ranges and spreads (report_spread.h) of the fields, box of
//                             the bodies, box of the action (focus_box.h), and "moved": numbers of obstacles that move
//                             in this frame beside those that "moves" names in the mesh; none: the list is missing
//                  data       point and normal of each plane, box of each moving object, range of each field by body
//                  sequences  coordinates of each moving object, then each field of each body
//                  inside     unit of each field of each body with "inside", as doubles; residuals of the positions of
//                             these bodies; then those of their fields
//   sound          header     of runs with sound.wav (format "wav"): rate [1/s], frames, peak over full scale
//                  data       left and right in turn, 16 bits with a sign over the peak: low bytes, then high bytes
//   run            header     warnings
//                  data       JSON with summary, columns of steps.jsonl, frames, chunks, ranges, usual ranges, and
//                             "sound": whether there is that blob
//
// `sinew subspace` writes one page without frames. Inner faces of its mesh also separate clusters.
//
//   subspace       header     box of the bodies, planes, sizes, printed output
//                  data       boxes of the handles' centres and of the cubature points, ranges of volumes and weights
//                  sequences  centres, points, volumes, weights (field_levels) by vertex of all bodies
//                  integers   own and opposite cluster of all triangles of bodies (-1: outside), number of weights of
//                             each vertex, handles of the weights, cluster of each handle (-1: none)
//
// `sinew modes` writes one page without frames. Fields of its mesh have no values.
//
//   modes          header     kind, values (modes/mode_file.h), box of the bodies, diagonal of the scene, planes,
//                             number of surface vertices of the bodies, facts for the summary
//                  integers   an order of these vertices in which neighbours are near one another
//                  then for each mode
//                  header     its number, from 1
//                  data       range of all components, symmetric
//                  sequences  displacements of the vertices in that order along x, then y, z (displacement_levels)
//
// A box is the low and the high corner, a range low and high, all little-endian doubles. A sequence is a list of 16-bit
// numbers 0 to `levels` between low and high, stored as differences to the number before, the first to 0. The low bytes
// of all sequences come first, then the high bytes.
//
// "inside" is a second zlib stream in the string of the data, after a dot: a page reads it only where a cut shows a
// field (report_inside.h). Levels are those of the surface, also beyond its range for positions. A vertex is predicted
// from its parents by integers, sum of weight times level, plus 128, shifted by 8. Its level is the prediction plus
// unit times residual, for fields between 0 and `levels`; the unit of positions is 8. Residuals are 16-bit numbers in
// zigzag, in two byte planes.
#pragma once

#include <cstdint>

namespace sinew {

inline constexpr int report_format_version = 2;
inline constexpr std::uint16_t position_levels = 65535;
inline constexpr std::uint16_t displacement_levels = 65534;  // even, so that zero is a level
// Fewer levels: with more, the noise in the low bits would not compress.
inline constexpr std::uint16_t field_levels = 4095;

inline constexpr char inside_mark = '.';  // before the second stream of a string

inline constexpr const char* report_page_name = "report.html";
inline constexpr const char* report_folder_name = "report";

}  // namespace sinew
