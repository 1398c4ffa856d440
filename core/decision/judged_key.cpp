// SPDX-License-Identifier: Apache-2.0
#include "core/decision/judged_key.hpp"

#include "core/decision/decide.hpp"
#include "core/units/digest.hpp"

namespace kernelgate {

std::string judged_key(const JudgedFacts& facts) {
  // As they stood at the end of the policy's text until schemas 14 and 16: keys of stored runs stay what they are.
  std::string policy = facts.policy;
  if (!facts.sandbox.empty()) policy += " sandbox=" + facts.sandbox;
  if (!facts.session.empty()) policy += " session=" + facts.session;
  if (facts.untrusted) policy += " trust=fork";
  return Sha256()
      .field(std::to_string(facts.repository))
      .field(facts.base_tree)
      .field(facts.head_tree)
      .field(facts.manifest_sha256)
      .field(policy)
      .field(std::to_string(kRuleVersion))
      .field(std::to_string(facts.epoch))
      .hex();
}

}  // namespace kernelgate
