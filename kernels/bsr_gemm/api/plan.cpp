// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/api/plan.hpp"

#include <stdexcept>
#include <utility>

#include "kernels/bsr_gemm/api/pattern_problem.hpp"

namespace kernels::bsr {
namespace {

constexpr std::size_t kElementBytes = 2;

BsrMatrix checked(BsrMatrix pattern, int n) {
  if (const std::string problem = pattern_problem(pattern, n); !problem.empty()) throw std::invalid_argument(problem);
  return pattern;
}

bench::DeviceMemory on_card(const void* data, std::size_t elements) {
  bench::DeviceMemory memory(elements * kElementBytes);
  bench::check(cudaMemcpy(memory.data(), data, memory.bytes(), cudaMemcpyHostToDevice), "copying to the GPU");
  return memory;
}

void need_aligned(const void* values, const void* b, const void* c) {
  if (const std::string problem = address_problem(values, b, c); !problem.empty()) throw std::invalid_argument(problem);
}

// A null pointer to nothing is fine.
void need_operands(const BsrMatrix& pattern, int n, const void* values, const void* b, const void* c) {
  const bool given = (values != nullptr || pattern.block_column.empty()) &&
                     (b != nullptr || pattern.columns == 0 || n == 0) && (c != nullptr || pattern.rows == 0 || n == 0);
  if (!given) throw std::invalid_argument("values, b and c must not be NULL");
}

}  // namespace

Plan::Plan(DataType type, BsrMatrix pattern, int n)
    : type_(type), pattern_(checked(std::move(pattern), n)), n_(n), on_card_(pattern_) {}

void Plan::bind(autotune::Tuner& tuner, const void* values, const void* b, void* c) {
  launch_ = nullptr;
  need_operands(pattern_, n_, values, b, c);
  need_aligned(values, b, c);
  const Problem problem{.type = type_,
                        .pattern = &pattern_,
                        .row_begin = on_card_.row_begin(),
                        .block_column = on_card_.block_column(),
                        .values = values,
                        .b = b,
                        .c = c,
                        .n = n_};
  Tuned tuned = prepare_tuned_by(tuner, problem, pinned_);
  launch_ = std::move(tuned.launch);
  decision_ = std::move(tuned.decision);
}

void Plan::run(cudaStream_t stream) const {
  if (!launch_) throw std::logic_error("the plan is not bound to operands");
  launch_(stream);
  bench::check(cudaGetLastError(), "the launch");
}

void Plan::multiply(autotune::Tuner& tuner, const void* values, const void* b, void* c) {
  need_operands(pattern_, n_, values, b, c);
  const std::size_t n = static_cast<std::size_t>(n_);
  const std::size_t block = static_cast<std::size_t>(pattern_.block_rows) * pattern_.block_columns;
  const bench::DeviceMemory a = on_card(values, pattern_.block_column.size() * block);
  const bench::DeviceMemory right = on_card(b, pattern_.columns * n);
  const bench::DeviceMemory out(pattern_.rows * n * kElementBytes);
  const bench::Stream stream = bench::make_stream();
  bind(tuner, a.data(), right.data(), out.data());
  const Launch unbound_at_the_end = std::exchange(launch_, nullptr);
  unbound_at_the_end(stream.get());
  bench::check(cudaGetLastError(), "the launch");
  bench::check(cudaStreamSynchronize(stream.get()), "waiting for the product");
  bench::check(cudaMemcpy(c, out.data(), out.bytes(), cudaMemcpyDeviceToHost), "copying the product");
}

}  // namespace kernels::bsr
