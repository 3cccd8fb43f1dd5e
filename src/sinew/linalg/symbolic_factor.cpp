#include "sinew/linalg/symbolic_factor.h"

#include <algorithm>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Fronts are merged with their parent while the share of explicit zeros in the merged one stays under `zeros`, by its
// number of pivots in blocks of 3 (cf. relaxed supernodes, Ashcraft and Grimes 1989). Few zeros cost less than small
// fronts.
struct Relaxation {
  Index pivots;
  double zeros;
};
constexpr Relaxation relaxations[] = {{4, 1.0}, {16, 0.5}, {32, 0.2}, {64, 0.1}, {1 << 30, 0.03}};

constexpr double task_share = 1.0 / 64;  // of all flops: the most that a subtree handled by one task may take

// The permuted matrix by rows: for each position the earlier positions it is coupled with.
struct LowerRows {
  std::vector<std::int64_t> begin;
  std::vector<Index> columns;
};

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<Index>(k);
  return position;
}

LowerRows lower_rows(const BlockPattern& pattern, const std::vector<Index>& position) {
  LowerRows lower;
  lower.begin.assign(static_cast<std::size_t>(pattern.rows) + 1, 0);
  const auto for_each = [&](auto&& f) {
    for (Index row = 0; row < pattern.rows; ++row) {
      for (std::int64_t k = pattern.row_begin[row] + 1; k < pattern.row_begin[row + 1]; ++k) {
        const auto [low, high] = std::minmax(position[row], position[pattern.columns[k]]);
        f(low, high);
      }
    }
  };
  for_each([&](Index, Index high) { ++lower.begin[high + 1]; });
  std::partial_sum(lower.begin.begin(), lower.begin.end(), lower.begin.begin());
  lower.columns.resize(lower.begin.back());
  std::vector<std::int64_t> cursor(lower.begin.begin(), lower.begin.end() - 1);
  for_each([&](Index low, Index high) { lower.columns[cursor[high]++] = low; });
  return lower;
}

// Parent of each column in the elimination tree (Liu 1986, with path compression).
std::vector<Index> elimination_tree(const LowerRows& lower) {
  const auto n = static_cast<Index>(lower.begin.size()) - 1;
  std::vector<Index> parent(n, -1), ancestor(n, -1);
  for (Index i = 0; i < n; ++i) {
    for (std::int64_t k = lower.begin[i]; k < lower.begin[i + 1]; ++k) {
      Index j = lower.columns[k];
      while (ancestor[j] >= 0 && ancestor[j] != i) j = std::exchange(ancestor[j], i);
      if (ancestor[j] < 0) parent[j] = ancestor[j] = i;
    }
  }
  return parent;
}

// Children of each node in ascending order.
void invert_tree(const std::vector<Index>& parent, std::vector<Index>& begin, std::vector<Index>& children) {
  const auto n = static_cast<Index>(parent.size());
  begin.assign(static_cast<std::size_t>(n) + 1, 0);
  for (Index p : parent)
    if (p >= 0) ++begin[p + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  children.resize(begin.back());
  std::vector<Index> cursor(begin.begin(), begin.end() - 1);
  for (Index j = 0; j < n; ++j)
    if (parent[j] >= 0) children[cursor[parent[j]]++] = j;
}

// Nodes in postorder: children before their parent, subtrees contiguous.
std::vector<Index> postorder(const std::vector<Index>& parent) {
  std::vector<Index> begin, children, result, stack;
  invert_tree(parent, begin, children);
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  result.reserve(parent.size());
  for (Index root = 0; root < static_cast<Index>(parent.size()); ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const Index j = stack.back();
      if (next[j] < begin[j + 1]) {
        stack.push_back(children[next[j]++]);
      } else {
        result.push_back(j);
        stack.pop_back();
      }
    }
  }
  return result;
}

// Entries of each column of L, the diagonal included: row i of L holds the paths in the tree from i's columns to i.
std::vector<Index> column_counts(const LowerRows& lower, const std::vector<Index>& parent) {
  const auto n = static_cast<Index>(parent.size());
  std::vector<Index> count(n, 1), visited(n, -1);
  for (Index i = 0; i < n; ++i) {
    visited[i] = i;
    for (std::int64_t k = lower.begin[i]; k < lower.begin[i + 1]; ++k) {
      for (Index j = lower.columns[k]; visited[j] != i; j = parent[j]) {
        visited[j] = i;
        ++count[j];
      }
    }
  }
  return count;
}

// Block entries of a front's columns of L.
double panel_blocks(double pivots, double updates) {
  return pivots * (pivots + 1) / 2 + pivots * updates;
}

// Flops to eliminate `pivots` of m block columns: sum of the squares of the lengths of scalar columns.
double elimination_flops(double pivots, double updates, int block = 3) {
  const auto squares = [](double k) { return k * (k + 1) * (2 * k + 1) / 6; };
  return squares(block * (pivots + updates)) - squares(block * updates);
}

// Maximal runs of columns with nested structure, as (first column) of each and one past the last.
std::vector<Index> fundamental_fronts(const std::vector<Index>& parent, const std::vector<Index>& count) {
  std::vector<Index> first;
  for (Index j = 0; j < static_cast<Index>(parent.size()); ++j)
    if (j == 0 || parent[j - 1] != j || count[j - 1] != count[j] + 1) first.push_back(j);
  first.push_back(static_cast<Index>(parent.size()));
  return first;
}

// Merges fronts with their parents (see Relaxation). Returns for each fundamental front the one it ends up in.
std::vector<Index> merge_fronts(const std::vector<Index>& first, const std::vector<Index>& parent,
                                const std::vector<Index>& count, int block) {
  const auto fronts = static_cast<Index>(first.size()) - 1;
  std::vector<double> pivots(fronts), updates(fronts), zeros(fronts, 0.0);
  for (Index s = 0; s < fronts; ++s) {
    pivots[s] = first[s + 1] - first[s];
    updates[s] = count[first[s]] - pivots[s];
  }
  const auto accept = [&](Index s, Index p, double& merged_zeros) {
    const double merged_pivots = pivots[s] + pivots[p];
    const double merged = panel_blocks(merged_pivots, updates[p]);
    merged_zeros =
        zeros[s] + zeros[p] + merged - panel_blocks(pivots[s], updates[s]) - panel_blocks(pivots[p], updates[p]);
    for (const Relaxation& r : relaxations)
      if (block * merged_pivots <= 3.0 * r.pivots) return merged_zeros <= r.zeros * merged;
    return false;
  };
  std::vector<Index> front_of(first.back()), tree(fronts, -1), into(fronts), begin, children;
  for (Index s = 0; s < fronts; ++s) std::fill(front_of.begin() + first[s], front_of.begin() + first[s + 1], s);
  for (Index s = 0; s < fronts; ++s) {
    const Index p = parent[first[s + 1] - 1];
    tree[s] = p < 0 ? -1 : front_of[p];
  }
  invert_tree(tree, begin, children);
  std::iota(into.begin(), into.end(), 0);
  for (Index p = 0; p < fronts; ++p) {
    for (Index k = begin[p + 1]; k-- > begin[p];) {
      const Index s = children[k];
      double merged_zeros = 0;
      if (!accept(s, p, merged_zeros)) continue;
      into[s] = p;
      pivots[p] += pivots[s];
      zeros[p] = merged_zeros;
    }
  }
  for (Index s = fronts; s-- > 0;) into[s] = into[into[s]];
  return into;
}

// Renumbers so that every merged front is a run of positions and fronts are in postorder. Sets order, column_begin and
// parent of the result, given `columns` = old position -> block row.
void number_fronts(SymbolicFactor& factor, const std::vector<Index>& columns, const std::vector<Index>& first,
                   const std::vector<Index>& parent, const std::vector<Index>& into) {
  const auto fundamental = static_cast<Index>(into.size());
  std::vector<Index> id(fundamental, -1), front_of(columns.size()), tree;
  for (Index s = 0; s < fundamental; ++s)
    if (into[s] == s) id[s] = static_cast<Index>(tree.size()), tree.push_back(-1);
  for (Index s = 0; s < fundamental; ++s)
    std::fill(front_of.begin() + first[s], front_of.begin() + first[s + 1], id[into[s]]);
  for (Index s = 0; s < fundamental; ++s) {
    const Index p = parent[first[s + 1] - 1];
    if (into[s] == s && p >= 0) tree[id[s]] = front_of[p];
  }
  const std::vector<Index> sequence = postorder(tree);
  const std::vector<Index> rank = inverse(sequence);
  const auto fronts = static_cast<Index>(tree.size());
  factor.parent.resize(fronts);
  for (Index s = 0; s < fronts; ++s) factor.parent[rank[s]] = tree[s] < 0 ? -1 : rank[tree[s]];

  factor.column_begin.assign(static_cast<std::size_t>(fronts) + 1, 0);
  for (Index s : front_of) ++factor.column_begin[rank[s] + 1];
  std::partial_sum(factor.column_begin.begin(), factor.column_begin.end(), factor.column_begin.begin());
  std::vector<Index> cursor(factor.column_begin.begin(), factor.column_begin.end() - 1);
  factor.order.resize(columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) factor.order[cursor[rank[front_of[j]]]++] = columns[j];
}

// Lists the entries of A by the position of their column; entry_local holds 2 x (position of the row) + transposed.
void list_entries(SymbolicFactor& factor, const BlockPattern& pattern, const std::vector<Index>& position) {
  factor.entry_begin.assign(static_cast<std::size_t>(factor.size) + 1, 0);
  const auto for_each = [&](auto&& f) {
    for (Index row = 0; row < pattern.rows; ++row)
      for (std::int64_t k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k)
        f(position[row], position[pattern.columns[k]], k);
  };
  for_each([&](Index a, Index b, std::int64_t) { ++factor.entry_begin[std::min(a, b) + 1]; });
  std::partial_sum(factor.entry_begin.begin(), factor.entry_begin.end(), factor.entry_begin.begin());
  factor.entry_slot.resize(factor.entry_begin.back());
  factor.entry_local.resize(factor.entry_begin.back());
  std::vector<std::int64_t> cursor(factor.entry_begin.begin(), factor.entry_begin.end() - 1);
  for_each([&](Index a, Index b, std::int64_t slot) {
    const std::int64_t k = cursor[std::min(a, b)]++;
    factor.entry_slot[k] = slot;
    factor.entry_local[k] = 2 * std::max(a, b) + (a < b ? 1 : 0);  // the stored block is that of (a, b)
  });
}

// The rows of each front: those of its children and of its columns of A, beyond its pivots.
void find_rows(SymbolicFactor& factor) {
  const Index fronts = factor.front_count();
  std::vector<Index> seen(factor.size, -1);
  factor.row_begin.assign(1, 0);
  for (Index s = 0; s < fronts; ++s) {
    const Index end = factor.column_begin[s + 1];
    const auto add = [&](Index position) {
      if (position < end || seen[position] == s) return;
      seen[position] = s;
      factor.rows.push_back(position);
    };
    for (Index c = factor.child_begin[s]; c < factor.child_begin[s + 1]; ++c) {
      const Index child = factor.children[c];
      for (std::int64_t k = factor.row_begin[child]; k < factor.row_begin[child + 1]; ++k) add(factor.rows[k]);
    }
    for (std::int64_t k = factor.entry_begin[factor.column_begin[s]]; k < factor.entry_begin[end]; ++k)
      add(factor.entry_local[k] / 2);
    std::sort(factor.rows.begin() + factor.row_begin[s], factor.rows.end());
    factor.row_begin.push_back(static_cast<std::int64_t>(factor.rows.size()));
  }
}

// Turns positions into local numbers of the front (entries of A) or of the parent's front (rows).
void localize(SymbolicFactor& factor) {
  const auto local = [&](Index s, Index position) {
    const Index first = factor.column_begin[s], end = factor.column_begin[s + 1];
    if (position < end) return position - first;
    const auto rows = factor.rows.begin();
    const auto found = std::lower_bound(rows + factor.row_begin[s], rows + factor.row_begin[s + 1], position);
    return static_cast<Index>(end - first + (found - (rows + factor.row_begin[s])));
  };
  factor.parent_local.resize(factor.rows.size());
  parallel_for(
      factor.front_count(),
      [&](std::size_t front) {
        const auto s = static_cast<Index>(front);
        for (std::int64_t k = factor.row_begin[s]; k < factor.row_begin[s + 1]; ++k)
          factor.parent_local[k] = local(factor.parent[s], factor.rows[k]);
        const std::int64_t begin = factor.entry_begin[factor.column_begin[s]];
        const std::int64_t end = factor.entry_begin[factor.column_begin[s + 1]];
        for (std::int64_t k = begin; k < end; ++k)
          factor.entry_local[k] = 2 * local(s, factor.entry_local[k] / 2) + factor.entry_local[k] % 2;
      },
      16);
}

// Offsets of the panels, sizes and work; the cut of the tree into tasks.
void plan_work(SymbolicFactor& factor) {
  const Index fronts = factor.front_count();
  std::vector<double> work(fronts);  // of whole subtrees
  std::vector<Index> first(fronts);  // of whole subtrees
  factor.panel_begin.assign(1, 0);
  for (Index s = 0; s < fronts; ++s) {
    const std::int64_t p = factor.block * std::int64_t{factor.pivots(s)};
    const std::int64_t m = p + factor.block * std::int64_t{factor.updates(s)};
    factor.panel_begin.push_back(factor.panel_begin.back() + p * m);
    factor.factor_nnz += p * m - p * (p - 1) / 2;
    work[s] = elimination_flops(factor.pivots(s), factor.updates(s), factor.block);
    factor.flops += work[s];
    first[s] = s;
    for (Index c = factor.child_begin[s]; c < factor.child_begin[s + 1]; ++c) {
      const Index child = factor.children[c];
      work[s] += work[child];
      first[s] = std::min(first[s], first[child]);
    }
  }
  factor.is_top.assign(fronts, 0);
  for (Index s = 0; s < fronts; ++s) factor.is_top[s] = work[s] > task_share * factor.flops;
  for (Index s = 0; s < fronts; ++s) {
    if (factor.is_top[s] || (factor.parent[s] >= 0 && !factor.is_top[factor.parent[s]])) continue;
    factor.task_first.push_back(first[s]);
    factor.task_last.push_back(s);
  }
}

struct Tree {
  std::vector<Index> columns, parent, count;  // in postorder; columns: position -> block row
};

Tree postordered_tree(const BlockPattern& pattern, const std::vector<Index>& order) {
  Tree tree;
  const std::vector<Index> sequence = postorder(elimination_tree(lower_rows(pattern, inverse(order))));
  tree.columns.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) tree.columns[k] = order[sequence[k]];
  const LowerRows lower = lower_rows(pattern, inverse(tree.columns));
  tree.parent = elimination_tree(lower);
  tree.count = column_counts(lower, tree.parent);
  return tree;
}

}  // namespace

SymbolicFactor analyze(const BlockPattern& pattern, const std::vector<Index>& order, int block) {
  SymbolicFactor factor;
  factor.block = block;
  factor.size = pattern.rows;
  const Tree tree = postordered_tree(pattern, order);
  const std::vector<Index> first = fundamental_fronts(tree.parent, tree.count);
  const std::vector<Index> into = merge_fronts(first, tree.parent, tree.count, block);
  number_fronts(factor, tree.columns, first, tree.parent, into);
  invert_tree(factor.parent, factor.child_begin, factor.children);
  list_entries(factor, pattern, inverse(factor.order));
  find_rows(factor);
  localize(factor);
  plan_work(factor);
  return factor;
}

double predict_flops(const BlockPattern& pattern, const std::vector<Index>& order) {
  double flops = 0;
  for (Index count : postordered_tree(pattern, order).count) flops += elimination_flops(1, count - 1);
  return flops;
}

std::size_t SymbolicFactor::memory_bytes() const {
  return sizeof(Index) * (order.size() + rows.size() + parent_local.size() + entry_local.size() + 4 * parent.size()) +
         sizeof(std::int64_t) * (entry_begin.size() + entry_slot.size() + 2 * parent.size());
}

}  // namespace sinew
