#include "sinew/core/parallel.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

namespace sinew {

struct ThreadLimit::Control {
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads) {
  const int count = threads > 0 ? threads : tbb::info::default_concurrency();
  control_.reset(new Control{tbb::global_control(tbb::global_control::max_allowed_parallelism, count)});
}

ThreadLimit::~ThreadLimit() = default;

int thread_count() {
  return static_cast<int>(
      std::min<std::size_t>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism),
                            tbb::info::default_concurrency()));
}

}  // namespace sinew
