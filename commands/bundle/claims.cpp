// SPDX-License-Identifier: Apache-2.0
#include "commands/bundle/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/decision/decide.hpp"
#include "core/decision/rule/stored.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/digest.hpp"
#include "core/units/git_hash.hpp"

namespace kernelgate::bundle {
namespace {

constexpr const char* kFix = "the file was changed after it was made: export it again";

Status refuse(std::string what) { return fail(Errc::corrupt, std::move(what), "bundle", kFix); }

Status check_commits(const wire::Bundle& bundle) {
  const wire::BundleRun& run = bundle.run;
  const std::pair<std::string_view, const std::string&> hashes[] = {{"commit", run.commit},
                                                                    {"base_commit", run.base_commit},
                                                                    {"head_tree", run.head_tree},
                                                                    {"base_tree", run.base_tree}};
  for (const auto& [name, hash] : hashes)
    if (!hash.empty() && !is_git_hash(hash)) return refuse(fmt::format("{} of the run is no git hash", name));
  if (run.commit == run.base_commit && run.head_tree != run.base_tree)
    return refuse("head and base are one commit with two trees");
  if (!bundle.evidence.has_base && !run.base_commit.empty())
    return refuse("names a base commit, and its evidence says that there was no base");
  return {};
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Status check_programs(const SuiteEvidence& suite) {
  for (const std::string& program : {suite.base_program, suite.head_program})
    if (!program.empty() && !is_sha256(program))
      return refuse(fmt::format("a program of suite {} has no SHA-256", suite.name));
  return {};
}

// Which side of each pair began, by its processes' places in time.
Status check_order(const SuiteEvidence& suite, std::uint64_t seed) {
  struct Began {
    int base = INT_MAX, head = INT_MAX;
  };
  std::map<std::tuple<int, int, int>, Began> pairs;  // by round, pair and attempt
  for (const Process& process : suite.processes) {
    if (process.round == kScreenRound) continue;  // head alone
    Began& began = pairs[{process.round, process.pair, process.attempt}];
    int& order = process.side == Side::base ? began.base : began.head;
    order = std::min(order, process.order);
  }
  for (const auto& [place, began] : pairs) {
    if (began.base == INT_MAX || began.head == INT_MAX) continue;
    const auto [round, pair, attempt] = place;
    if ((began.base < began.head) == (first_side(seed, suite.name, round, pair) == Side::base)) continue;
    return refuse(
        fmt::format("the seed {} does not draw the order of sides in pair {} of suite {}", seed, pair + 1, suite.name));
  }
  return {};
}

// Bundles of schema 13 and before have " sandbox=none" behind the policy, those of schema 15 and before " session=2".
bool is_text_of(const Policy& policy, std::string_view text) {
  const std::string canonical = canonical_text(policy);
  if (text.substr(0, canonical.size()) != canonical) return false;
  text.remove_prefix(canonical.size());
  constexpr std::string_view kSandbox = " sandbox=none", kSession = " session=";
  if (text.substr(0, kSandbox.size()) == kSandbox) text.remove_prefix(kSandbox.size());
  if (text.substr(0, kSession.size()) != kSession) return text.empty();
  text.remove_prefix(kSession.size());
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Status check_claims(const wire::Bundle& bundle) {
  if (Status commits = check_commits(bundle); !commits) return commits;
  for (const SuiteEvidence& suite : bundle.evidence.suites) {
    if (Status programs = check_programs(suite); !programs) return programs;
    if (Status order = check_order(suite, bundle.run.seed); !order) return order;
  }
  return {};
}

Result<Policy> policy_of(const wire::Bundle& bundle) {
  if (bundle.manifest.empty()) return Policy{};
  if (sha256_hex(bundle.manifest) != bundle.run.manifest_sha256)
    return fail(Errc::corrupt, "holds another manifest than the run was judged by", "bundle", "export it again");
  const auto manifest = parse_manifest(bundle.manifest, "the bundle's " + std::string(kManifestName));
  if (!manifest) return pass_on(manifest);
  // A flag may have chosen what head was compared with: the run's policy says so.
  Policy policy = manifest->policy;
  for (const Against against : {policy.against, Against::pairs, Against::stored}) {
    policy.against = against;
    if (is_text_of(policy, bundle.run.policy)) return policy;
  }
  return fail(Errc::corrupt, "says another policy than its manifest has: " + bundle.run.policy, "bundle", kFix);
}

}  // namespace kernelgate::bundle
