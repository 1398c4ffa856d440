// SPDX-License-Identifier: Apache-2.0
// scaled_gemm_shape_bench --shapes MxNxK[xL],… [--tile ROWSxCOLUMNS] [--cluster N] [--stages N] [--baseline
// per_tensor|blocks] [--cold] [--skip-check] [flags of Google Benchmark]: products of any shape with one tile, so that
// attempts at the wide kernel are compared. Stages are those that fit unless said. Without --skip-check some elements
// of every output are compared with double precision, and the benchmark's rel_err states it.
#include <cstdio>
#include <vector>

#include "kernels/scaled_gemm/cuda/library.hpp"
#include "kernels/scaled_gemm/cuda/suite_case.hpp"
#include "kernels/scaled_gemm/harness.hpp"

namespace {

using namespace kernels;
using namespace kernels::scaled;

std::vector<bench::Case> cases_of(const HarnessOptions& options, const std::string& configuration) {
  std::vector<bench::Case> cases;
  for (const Shape& shape : options.shapes) {
    CaseOf of{.kind = "shape",
              .shape = shape,
              .cache = options.cold ? bench::Cache::cold : bench::Cache::warm,
              .errors = !options.skip_check};
    cases.push_back(suite_case(of, [=](const Problem& problem, const bench::Operands&) {
      return Choice{prepare(problem, configuration), configuration};
    }));
    if (options.baseline.empty()) continue;
    const Library library = options.baseline == "blocks" ? Library::blocks : Library::per_tensor;
    of.kind = "cublaslt_" + options.baseline;
    of.errors = of.errors && library == Library::blocks;
    cases.push_back(suite_case(
        of, [=](const Problem& problem, const bench::Operands&) { return Choice{prepare_library(problem, library)}; }));
  }
  return cases;
}

// Null where everything can be timed.
std::string wrong(const HarnessOptions& options, const std::string& configuration) {
  for (const Shape& shape : options.shapes) {
    if (const std::string reason = refusal(shape, configuration); !reason.empty()) return reason;
    if (!options.baseline.empty() && shape.matrices > 1) return "--baseline: the library is asked for one matrix";
  }
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  HarnessArguments parsed = parse_harness(words);
  const std::string configuration = configuration_of(parsed.options, parsed.error);
  if (parsed.error.empty()) parsed.error = wrong(parsed.options, configuration);
  if (!parsed.error.empty()) {
    std::fprintf(stderr, "%s: %s\nconfigurations:", arguments[0], parsed.error.c_str());
    for (const std::string& one : all_configurations()) std::fprintf(stderr, " %s", one.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  std::vector<char*> left = {arguments[0]};
  for (std::string& word : words) left.push_back(word.data());
  return bench::run_suite(static_cast<int>(left.size()), left.data(), cases_of(parsed.options, configuration));
}
