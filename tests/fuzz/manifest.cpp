// SPDX-License-Identifier: Apache-2.0
#include "core/manifest/manifest.hpp"

#include "core/decision/evidence/policy.hpp"
#include "core/units/limits.hpp"
#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {

bool manifest(std::string_view input) {
  const auto manifest = parse_manifest(input, "kernelgate.toml");
  if (!manifest) {
    require(!manifest.error().what.empty(), "an error says what is wrong");
    return false;
  }
  require(manifest->suites.size() <= limits::kSuitesMax, "suites are bounded");
  require(is_band(manifest->policy.tolerate, manifest->policy.catch_limit), "a policy has a band");
  require(effective_manifest_changes(*manifest, *manifest).empty(), "a manifest is its own effective manifest");
  require(canonical_text(manifest->policy).find('\n') == std::string::npos, "a policy's text is one line");
  for (const std::string& glob : manifest->build.inputs) (void)glob_match(glob, "kernels/bsr/gemm.cu");
  for (const SuiteSpec& suite : manifest->suites) {
    for (const std::string& line : {suite.run, suite.check}) (void)expand(line, "/source", "/build");
    (void)for_benchmark(manifest->policy, "bsr_gemm/wgmma/8192/bs:64/density:0.125");
  }
  return true;
}

}  // namespace kernelgate::fuzz
