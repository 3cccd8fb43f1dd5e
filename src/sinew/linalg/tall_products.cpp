#include "sinew/linalg/tall_products.h"

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t rows_a_chunk = 2048;

// f(first row, rows) for chunks of rows.
template <class F>
void for_row_chunks(Eigen::Index rows, F&& f) {
  parallel_chunks(static_cast<std::size_t>(rows), rows_a_chunk, [&](std::size_t begin, std::size_t end) {
    f(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(end - begin));
  });
}

}  // namespace

MatX weighted_product(const Eigen::Ref<const MatX>& U, const VecX& weight, const Eigen::Ref<const MatX>& V) {
  const std::size_t chunks = (static_cast<std::size_t>(U.rows()) + rows_a_chunk - 1) / rows_a_chunk;
  std::vector<MatX> parts(chunks);
  for_row_chunks(U.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    const MatX weighted = weight.segment(first, rows).asDiagonal() * V.middleRows(first, rows);
    parts[static_cast<std::size_t>(first) / rows_a_chunk].noalias() = U.middleRows(first, rows).transpose() * weighted;
  });
  MatX sum = MatX::Zero(U.cols(), V.cols());
  for (const MatX& part : parts) sum += part;
  return sum;
}

MatX weighted_gram(const Eigen::Ref<const MatX>& U, const VecX& weight) {
  const MatX G = weighted_product(U, weight, U);
  return 0.5 * (G + G.transpose());
}

MatX tall_product(const Eigen::Ref<const MatX>& U, const Eigen::Ref<const MatX>& C) {
  MatX result(U.rows(), C.cols());
  for_row_chunks(U.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    result.middleRows(first, rows).noalias() = U.middleRows(first, rows) * C;
  });
  return result;
}

void subtract_tall_product(const Eigen::Ref<const MatX>& U, const Eigen::Ref<const MatX>& C, Eigen::Ref<MatX> V) {
  for_row_chunks(U.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    V.middleRows(first, rows).noalias() -= U.middleRows(first, rows) * C;
  });
}

}  // namespace sinew
