// SPDX-License-Identifier: Apache-2.0
// Quarantines, for people and as JSON.
#include <fmt/format.h>

#include "core/report/text.hpp"
#include "core/wire/codec.hpp"
#include "local/baseline/baseline.hpp"

namespace kernelgate::local {
namespace {

using report::harmless;

std::string line_of(const wire::QuarantineRecord& one) {
  std::string out =
      fmt::format("{:>4}  {}: {}  {}  since {} by {}: {}", one.id, harmless(one.suite), harmless(one.benchmark),
                  one.epoch ? fmt::format("epoch {}", *one.epoch) : "every epoch", one.began_at, harmless(one.who),
                  harmless(one.reason));
  if (one.released_at)
    out += fmt::format("; released {} by {}: {}", *one.released_at, harmless(one.released_by),
                       harmless(one.released_reason));
  if (!one.suggestion.empty()) out += "\n      " + harmless(one.suggestion);
  return out + "\n";
}

}  // namespace

std::string quarantine_table(const std::vector<wire::QuarantineRecord>& quarantines) {
  if (quarantines.empty()) return "no benchmark is quarantined\n";
  std::string out;
  for (const wire::QuarantineRecord& one : quarantines) out += line_of(one);
  return out;
}

std::string quarantine_json(const std::vector<wire::QuarantineRecord>& quarantines) {
  return "{\"schema\":1," + wire::encode(wire::QuarantinePage{quarantines, {}}).substr(1) + "\n";
}

}  // namespace kernelgate::local
