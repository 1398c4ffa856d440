// SPDX-License-Identifier: Apache-2.0
#include "runner/job/resume.hpp"

#include <algorithm>

#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate {

std::string samples_key(const Build* base, const Build& head, const std::string& manifest_text,
                        const MachineFacts& machine) {
  if (base == nullptr) return {};
  return Sha256()
      .field("samples 1")
      .field(base->key)
      .field(head.key)
      .field(manifest_text)
      .field(wire::encode(machine.testbed))
      .hex();
}

std::vector<Process> whole_pairs(const std::vector<Process>& processes, const std::string& suite) {
  std::vector<Process> out;
  const auto has_other_side = [&](const Process& one) {
    return std::any_of(processes.begin(), processes.end(), [&](const Process& other) {
      return other.suite == suite && other.side != one.side && other.round == one.round && other.pair == one.pair;
    });
  };
  for (const Process& one : processes)
    if (one.suite == suite && has_other_side(one)) out.push_back(one);
  std::sort(out.begin(), out.end(), [](const Process& a, const Process& b) { return a.order < b.order; });
  for (Process& one : out) one.id = random_hex(16);
  return out;
}

void drop_unmeasured(RunEvidence& evidence) {
  std::erase_if(evidence.suites, [](const SuiteEvidence& suite) {
    return suite.processes.empty() && suite.failures.empty() && suite.base_benchmarks.empty() &&
           suite.head_benchmarks.empty();
  });
}

}  // namespace kernelgate
