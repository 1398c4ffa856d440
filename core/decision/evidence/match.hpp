// SPDX-License-Identifier: Apache-2.0
#pragma once

// The regular expressions of a manifest that name benchmarks. Brings in <regex>: for few .cpp files of core/decision.

#include <regex>
#include <string>

namespace kernelgate {

// `match` has passed check_match (policy.hpp). To be searched in a name; takes time linear in it.
[[nodiscard]] std::regex compile_match(const std::string& match);

}  // namespace kernelgate
