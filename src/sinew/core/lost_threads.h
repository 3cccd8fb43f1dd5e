// Detects forked processes, in which the threads of oneTBB are missing.
#pragma once

namespace sinew {

// Whether this process was forked by one that had run a parallel loop. oneTBB takes no notice, and a loop may wait for
// its threads for ever. Loops in such a process therefore run on the calling thread, with the same bits. Asked before
// each loop.
bool lost_threads();

}  // namespace sinew
