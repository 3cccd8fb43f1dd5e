// Parallel loops over oneTBB whose results do not depend on the number of threads. Work is divided into chunks of a
// fixed size, and partial results are combined in the order of the chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace sinew {

// While it exists, limits oneTBB (and the BLAS of the direct solver) to this number of threads.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);  // 0: all cores
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Control;
  std::unique_ptr<Control> control_;
};

// The number of threads that parallel loops may use now.
int thread_count();

// Runs call(context, k) for k in [0, count) on all threads. If a call throws, rethrows after the other calls have
// ended.
void run_tasks(std::size_t count, void (*call)(void* context, std::size_t k), void* context);

// Runs f(begin, end) over consecutive chunks of [0, n) of size `chunk` at most. Chunks do not depend on the thread
// count.
template <class F>
void parallel_chunks(std::size_t n, std::size_t chunk, F&& f) {
  if (n == 0) return;
  const std::size_t chunks = (n + chunk - 1) / chunk;
  if (chunks == 1) return f(std::size_t{0}, n);
  auto run = [&](std::size_t c) { f(c * chunk, std::min(n, (c + 1) * chunk)); };
  run_tasks(
      chunks, [](void* context, std::size_t c) { (*static_cast<decltype(run)*>(context))(c); }, &run);
}

// Runs f(i) for i in [0, n).
template <class F>
void parallel_for(std::size_t n, F&& f, std::size_t chunk = 1024) {
  parallel_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(i);
  });
}

// Returns the sum of f(begin, end) over chunks, added in chunk order: the same bits for any number of threads.
template <class T = double, class F>
T parallel_sum_chunks(std::size_t n, std::size_t chunk, F&& f) {
  if (n == 0) return T{};
  const std::size_t chunks = (n + chunk - 1) / chunk;
  if (chunks == 1) return f(std::size_t{0}, n);
  std::vector<T> partial(chunks);
  parallel_chunks(n, chunk, [&](std::size_t begin, std::size_t end) { partial[begin / chunk] = f(begin, end); });
  T total{};
  for (const T& p : partial) total += p;
  return total;
}

// Returns the sum of f(i), i in [0, n): the same bits for any number of threads.
template <class F>
double parallel_sum(std::size_t n, F&& f, std::size_t chunk = 4096) {
  return parallel_sum_chunks<double>(n, chunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += f(i);
    return sum;
  });
}

// Returns the maximum of `floor` and all f(i), i in [0, n).
template <class F>
double parallel_max(std::size_t n, double floor, F&& f, std::size_t chunk = 4096) {
  const std::size_t chunks = (n + chunk - 1) / chunk;
  std::vector<double> partial(chunks, floor);
  parallel_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
    double best = floor;
    for (std::size_t i = begin; i < end; ++i) best = std::max(best, static_cast<double>(f(i)));
    partial[begin / chunk] = best;
  });
  for (double p : partial) floor = std::max(floor, p);
  return floor;
}

// Returns the minimum of `ceiling` and all f(i), i in [0, n).
template <class F>
double parallel_min(std::size_t n, double ceiling, F&& f, std::size_t chunk = 4096) {
  return -parallel_max(
      n, -ceiling, [&](std::size_t i) { return -f(i); }, chunk);
}

// Sorts [begin, end) by `less`, which must be a total order: the result then does not depend on threads or chunks.
template <class Iterator, class Less>
void parallel_sort(Iterator begin, Iterator end, Less less, std::size_t chunk = 1 << 14) {
  const auto n = static_cast<std::size_t>(end - begin);
  parallel_chunks(n, chunk, [&](std::size_t first, std::size_t last) { std::sort(begin + first, begin + last, less); });
  for (std::size_t run = chunk; run < n; run *= 2) {
    parallel_chunks(n, 2 * run, [&](std::size_t first, std::size_t last) {
      if (last - first > run) std::inplace_merge(begin + first, begin + (first + run), begin + last, less);
    });
  }
}

}  // namespace sinew
