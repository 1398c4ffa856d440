// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/suite_formats.hpp"

namespace kernelgate::fuzz {

bool nvbench(std::string_view input) { return read_as(SuiteFormat::nvbench, input); }

}  // namespace kernelgate::fuzz
