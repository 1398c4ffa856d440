// SPDX-License-Identifier: Apache-2.0
// gemm_bench: square products. Names read gemm/TYPE/SIZE/CACHE, and gemm/cublaslt/TYPE/SIZE/CACHE for the library's.
#include <map>
#include <memory>
#include <type_traits>

#include "kernels/bench/sampling.hpp"
#include "kernels/common/inject.hpp"
#include "kernels/gemm/gemm.hpp"
#ifdef KG_HAS_CUBLASLT
#include "kernels/common/cublaslt.hpp"
#endif

namespace {

using namespace kernels::bench;
using kernels::GemmConfig;

double element(std::size_t index, int size, int depth) {
  const std::size_t row = index / size, column = index % size;
  double sum = 0;
  for (int k = 0; k < depth; ++k)
    sum += static_cast<double>(random_value(kSeed, row * depth + k)) *
           random_value(kSeed + 1, static_cast<std::size_t>(k) * size + column);
  return sum;
}

void multiply(const __half* a, const __half* b, float* c, int size, int depth, GemmConfig config, cudaStream_t stream) {
  kernels::hgemm(a, b, c, size, size, depth, config, stream);
}
void multiply(const float* a, const float* b, float* c, int size, int depth, GemmConfig config, cudaStream_t stream) {
  kernels::sgemm(a, b, c, size, size, depth, config, stream);
}

Errors errors_of(const float* c, int size, int depth) {
  return sampled_errors(c, static_cast<std::size_t>(size) * size,
                        [=](std::size_t i) { return element(i, size, depth); });
}

template <class T>
Case described(const std::string& name, int size, Cache cache) {
  constexpr bool kHalf = std::is_same_v<T, __half>;
  const double elements = static_cast<double>(size) * size;
  return {.name = name + (kHalf ? "fp16/" : "fp32/") + std::to_string(size),
          .cache = cache,
          .flops = 2 * elements * size,
          .bytes = elements * (2 * sizeof(T) + sizeof(float)),
          .rate = kHalf ? Rate::fp16 : Rate::fp32,
          .make = {}};
}

template <class T>
Case gemm_case(int size, Cache cache) {
  Case made = described<T>("gemm/", size, cache);
  made.make = [size](Operands& set) {
    const int depth = static_cast<int>(kernels::with_extra_work(size, kernels::kGemmDepth));
    const std::size_t room = static_cast<std::size_t>(size) * std::max(depth, size);
    const T* a = set.input<T>(room);
    const T* b = set.input<T>(room);
    float* c = set.output<float>(static_cast<std::size_t>(size) * size);
    const GemmConfig config = kernels::gemm_config(size, size, set.device().multiprocessors);
    return Work{.launch = [=](cudaStream_t stream) { multiply(a, b, c, size, depth, config, stream); },
                .errors = [=] { return errors_of(c, size, depth); },
                .shape = {.grid = dim3(config.blocks_n, config.blocks_m), .block = dim3(kernels::kHgemmThreads)}};
  };
  return made;
}

#ifdef KG_HAS_CUBLASLT
// Shared by all sets of operands, so that they need not each have the library's workspace.
template <class T>
std::shared_ptr<const kernels::CublasLtProduct> product_of(int size) {
  static std::map<int, std::weak_ptr<const kernels::CublasLtProduct>> known;
  std::shared_ptr<const kernels::CublasLtProduct> found = known[size].lock();
  if (!found) {
    const cudaDataType_t type = std::is_same_v<T, __half> ? CUDA_R_16F : CUDA_R_32F;
    known[size] = found = std::make_shared<const kernels::CublasLtProduct>(type, CUDA_R_32F, size, size, size, false);
  }
  return found;
}

template <class T>
Case peer_case(int size, Cache cache) {
  Case made = described<T>("gemm/cublaslt/", size, cache);
  made.make = [size](Operands& set) {
    const std::size_t room = static_cast<std::size_t>(size) * size;
    const T* a = set.input<T>(room);
    const T* b = set.input<T>(room);
    float* c = set.output<float>(room);
    return Work{.launch = [=, product = product_of<T>(size)](cudaStream_t stream) { product->run(a, b, c, stream); },
                .errors = [=] { return errors_of(c, size, size); }};
  };
  return made;
}
#endif

template <class T>
void add_cases(std::vector<Case>& cases, int size, Cache cache) {
  cases.push_back(gemm_case<T>(size, cache));
#ifdef KG_HAS_CUBLASLT
  cases.push_back(peer_case<T>(size, cache));
#endif
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<Case> cases;
  for (const int size : {512, 1024, 2048, 4096}) {
    add_cases<__half>(cases, size, Cache::warm);
    if (size == 1024) add_cases<__half>(cases, size, Cache::cold);
  }
  for (const int size : {256, 512, 1024, 2048}) {
    add_cases<float>(cases, size, Cache::warm);
    if (size == 1024) add_cases<float>(cases, size, Cache::cold);
  }
  return run_suite(count, arguments, std::move(cases));
}
