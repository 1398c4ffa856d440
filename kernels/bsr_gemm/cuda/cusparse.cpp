// SPDX-License-Identifier: Apache-2.0
// NVIDIA's own product for BSR matrices.
#include <cusparse.h>

#include <stdexcept>
#include <string>

#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"

namespace kernels::bsr {
namespace {

void check(cusparseStatus_t status, const char* where) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuSPARSE: ") + cusparseGetErrorString(status) + ", at " + where);
}

struct Prepared {
  cusparseHandle_t handle = nullptr;
  cusparseConstSpMatDescr_t a = nullptr;
  cusparseConstDnMatDescr_t b = nullptr;
  cusparseDnMatDescr_t c = nullptr;
  bench::DeviceMemory workspace;

  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() {
    if (a != nullptr) (void)cusparseDestroySpMat(a);
    if (b != nullptr) (void)cusparseDestroyDnMat(b);
    if (c != nullptr) (void)cusparseDestroyDnMat(c);
    if (handle != nullptr) (void)cusparseDestroy(handle);
  }
};

constexpr float kOne = 1, kZero = 0;
constexpr cusparseOperation_t kAsIs = CUSPARSE_OPERATION_NON_TRANSPOSE;

void describe(Prepared& prepared, const Problem& problem) {
  const BsrMatrix& pattern = *problem.pattern;
  const cudaDataType type = problem.type == DataType::fp16 ? CUDA_R_16F : CUDA_R_16BF;
  check(cusparseCreate(&prepared.handle), "starting");
  check(cusparseCreateConstBsr(&prepared.a, pattern.block_row_count(), pattern.columns / pattern.block_columns,
                               static_cast<std::int64_t>(pattern.block_column.size()), pattern.block_rows,
                               pattern.block_columns, problem.row_begin, problem.block_column, problem.values,
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type,
                               CUSPARSE_ORDER_ROW),
        "describing A");
  check(
      cusparseCreateConstDnMat(&prepared.b, pattern.columns, problem.n, problem.n, problem.b, type, CUSPARSE_ORDER_ROW),
      "describing B");
  check(cusparseCreateDnMat(&prepared.c, pattern.rows, problem.n, problem.n, problem.c, type, CUSPARSE_ORDER_ROW),
        "describing C");
}

}  // namespace

const char* cusparse_refusal(const BsrMatrix& pattern, int n) {
  if (pattern.block_rows != pattern.block_columns) return "cuSPARSE takes square blocks";
  return library_refusal(pattern, n);
}

Launch prepare_cusparse(const Problem& problem) {
  if (problem.pattern->block_column.empty() || problem.n == 0) return clearing(problem);
  auto prepared = std::make_shared<Prepared>();
  describe(*prepared, problem);
  std::size_t bytes = 0;
  check(cusparseSpMM_bufferSize(prepared->handle, kAsIs, kAsIs, &kOne, prepared->a, prepared->b, &kZero, prepared->c,
                                CUDA_R_32F, CUSPARSE_SPMM_BSR_ALG1, &bytes),
        "asking for its workspace");
  prepared->workspace = bench::DeviceMemory(bytes);
  return [prepared](cudaStream_t stream) {
    check(cusparseSetStream(prepared->handle, stream), "taking the stream");
    check(cusparseSpMM(prepared->handle, kAsIs, kAsIs, &kOne, prepared->a, prepared->b, &kZero, prepared->c, CUDA_R_32F,
                       CUSPARSE_SPMM_BSR_ALG1, prepared->workspace.data()),
          "the product");
  };
}

}  // namespace kernels::bsr
