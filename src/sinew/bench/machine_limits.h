// Measures limits of this machine, with which benchmarks compare their loops.
#pragma once

namespace sinew {

// Returns the rate of fused multiply-adds on independent vector registers [flop/s], on the threads allowed now.
double peak_flops();

// Returns the bandwidth of a = b + s c over arrays beyond the caches [byte/s]: two reads and a write of 8 bytes each,
// on the threads allowed now.
double triad_bandwidth();

}  // namespace sinew
