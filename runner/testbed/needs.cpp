// SPDX-License-Identifier: Apache-2.0
#include "runner/testbed/needs.hpp"

#include <charconv>
#include <string_view>
#include <utility>

namespace kernelgate {
namespace {

// "9.0" as {9, 0}: 10.0 is above 9.0, and 12.10 above 12.9.
std::pair<int, int> capability(std::string_view text) {
  std::pair<int, int> out{0, 0};
  const std::size_t dot = text.find('.');
  const std::string_view major = text.substr(0, dot);
  std::from_chars(major.data(), major.data() + major.size(), out.first);
  if (dot == std::string_view::npos) return out;
  const std::string_view minor = text.substr(dot + 1);
  std::from_chars(minor.data(), minor.data() + minor.size(), out.second);
  return out;
}

}  // namespace

std::string unmet_needs(const SuiteSpec& spec, const MachineFacts& machine) {
  const bool needs_gpu = spec.requires_gpu || !spec.requires_compute.empty();
  if (needs_gpu && !machine.has_gpu) return spec.name + " needs a GPU and this machine has none";
  const std::string& here = machine.testbed.compute_capability;
  if (spec.requires_compute.empty() || capability(here) >= capability(spec.requires_compute)) return {};
  return spec.name + " needs compute capability " + spec.requires_compute + " and this machine has " +
         (here.empty() ? "none that can be read" : here);
}

}  // namespace kernelgate
