// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/suite_formats.hpp"

namespace kernelgate::fuzz {

bool google_benchmark(std::string_view input) { return read_as(SuiteFormat::google_benchmark, input); }

}  // namespace kernelgate::fuzz
