// SPDX-License-Identifier: Apache-2.0
// scaled_gemm_bench: e4m3 products with scales by blocks. Names read scaled_gemm/KIND/SHAPE/warm (or cold), with KIND
// fp8, tuned where the tuner chooses, and cublaslt_per_tensor and cublaslt_blocks for the library's. The label names
// the configuration, and KG_CONFIGURATIONS pins it.
#include "kernels/common/inject.hpp"
#include "kernels/scaled_gemm/cuda/library.hpp"
#include "kernels/scaled_gemm/cuda/quantise.hpp"
#include "kernels/scaled_gemm/cuda/suite_case.hpp"
#include "kernels/scaled_gemm/cuda/tuned.hpp"

namespace {

using namespace kernels;
using namespace kernels::scaled;

constexpr auto kWarm = bench::Cache::warm, kCold = bench::Cache::cold;

const CaseOf kCases[] = {
    {"fp8", {.m = 8192, .n = 8192, .k = 8192}, kWarm}, {"fp8", {.m = 4096, .n = 4096, .k = 7168}, kWarm},
    {"fp8", {.m = 4096, .n = 7168, .k = 2048}, kWarm}, {"fp8", {.m = 128, .n = 7168, .k = 2048}, kCold},
    {"fp8", {.m = 64, .n = 7168, .k = 16384}, kCold},
};
// Weights that no launch writes: they are read before the launch in front has ended.
const CaseOf kReady[] = {
    {.kind = "fp8_ready", .shape = {.m = 128, .n = 7168, .k = 2048}, .cache = kCold, .b_is_ready = true},
    {.kind = "fp8_ready", .shape = {.m = 64, .n = 7168, .k = 16384}, .cache = kCold, .b_is_ready = true},
};
const CaseOf kGrouped[] = {
    {"fp8",
     {.m = 32768, .n = 4096, .k = 7168, .matrices = 4, .grouping = Grouping::contiguous, .alignment = 256},
     kWarm},
    {"fp8", {.m = 1024, .n = 4096, .k = 7168, .matrices = 8, .grouping = Grouping::masked}, kWarm, 768},
};

// By measuring, once for each problem of the process.
Choice tuned_choice(const Problem& problem, const bench::Operands& set) {
  static autotune::Tuner tuner = make_tuner(autotune::settings_from_environment());
  const Tuned tuned = prepare_tuned_by(tuner, problem, set.pinned());
  return {tuned.launch, tuned.decision.configuration};
}

bench::Case norm_case(int rows, int columns) {
  const auto size = [columns](std::size_t rows) { return rows * static_cast<std::size_t>(columns); };
  const auto given = static_cast<std::size_t>(rows);
  return {.name = "scaled_gemm/norm/" + std::to_string(rows) + "x" + std::to_string(columns),
          .cache = kCold,
          .flops = 5.0 * static_cast<double>(size(given)),
          .bytes = (3 + 4.0 / kScaleBlock) * static_cast<double>(size(given)),
          .rate = bench::Rate::fp32,
          .make = [=](bench::Operands& set) {
            const std::size_t more = std::max<std::size_t>(with_extra_work(given), 1);
            return bench::Work{.launch = prepare_norm({.rows = static_cast<int>(more),
                                                       .columns = columns,
                                                       .x = set.input<__nv_bfloat16>(size(more)),
                                                       .gain = set.input<__nv_bfloat16>(size(1)),
                                                       .values = set.output<std::uint8_t>(size(more)),
                                                       .scales = set.output<float>(size(more) / kScaleBlock)})};
          }};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<bench::Case> cases;
  for (const CaseOf& of : kCases) {
    cases.push_back(suite_case(of, usual_choice));
    CaseOf tuned = of;
    tuned.kind = "tuned";
    cases.push_back(suite_case(tuned, tuned_choice));
    for (const Library library : {Library::per_tensor, Library::blocks}) {
      CaseOf peer = of;
      peer.kind = std::string("cublaslt_") + to_string(library);
      peer.errors = library == Library::blocks;
      cases.push_back(suite_case(peer, [=](const Problem& problem, const bench::Operands&) {
        return Choice{prepare_library(problem, library)};
      }));
    }
  }
  for (const CaseOf& of : kReady) cases.push_back(suite_case(of, usual_choice));
  cases.push_back(norm_case(8192, 7168));
  for (const CaseOf& of : kGrouped) cases.push_back(suite_case(of, usual_choice));
  return bench::run_suite(count, arguments, std::move(cases));
}
