// Encodes and decodes the binary data of VTK's XML files: base64 and zlib-compressed blocks.
// Source: VTK file formats, "XML file formats"; the block header of vtkZLibDataCompressor is
// [blocks][block size][last block size][compressed size of each block], all of the file's header type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace sinew {

enum class VtkEncoding { base64, raw };

struct VtkBlobOptions {
  VtkEncoding encoding = VtkEncoding::base64;
  bool compressed = false;                                        // the file has compressor="vtkZLibDataCompressor"
  bool header_64 = true;                                          // header_type UInt64, else UInt32
  bool swapped = false;                                           // the file has the other byte order than this machine
  int level = 1;                                                  // of zlib when writing; 1 is fastest
  std::size_t block_size = 1 << 20;                               // bytes of each compressed block when writing
  std::size_t largest = std::numeric_limits<std::size_t>::max();  // most bytes that reading may produce
};

// Encodes bytes, with a header, as in a DataArray (inline) or in AppendedData. Uses this machine's byte order
// (`swapped` is ignored).
std::string vtk_encode(std::string_view bytes, const VtkBlobOptions& options);

// Decodes the array that begins at text[0]; leading blanks are skipped in base64. Throws InputError with a reason,
// without a location, for malformed or truncated text. Allocates no more than the text can contain, and no more than
// `largest`.
std::string vtk_decode(std::string_view text, const VtkBlobOptions& options);

}  // namespace sinew
