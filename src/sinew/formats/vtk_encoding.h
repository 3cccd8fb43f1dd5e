// The binary encodings of VTK's XML files: base64 and zlib-compressed blocks, for readers and writers.
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
  bool swapped = false;                                           // the file's byte order is not this machine's
  int level = 1;                                                  // of zlib when writing; 1 is the fastest
  std::size_t block_size = 1 << 20;                               // bytes a compressed block when writing
  std::size_t largest = std::numeric_limits<std::size_t>::max();  // bytes that reading may produce
};

std::string base64_encode(std::string_view bytes);

// Bytes as they stand in a DataArray (inline) or in AppendedData: header and data, encoded. Written in this machine's
// byte order (`swapped` is ignored).
std::string vtk_encode(std::string_view bytes, const VtkBlobOptions& options);

// The bytes of the array that begins at text[0]; leading blanks are skipped in base64. Throws InputError with a reason
// (without a location) for malformed or truncated text; allocates no more than the text can justify
// and than `largest`.
std::string vtk_decode(std::string_view text, const VtkBlobOptions& options);

}  // namespace sinew
