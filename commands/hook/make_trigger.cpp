// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/make_trigger.hpp"

#include "core/manifest/manifest.hpp"
#include "core/units/digest.hpp"
#include "runner/source/base.hpp"

namespace kernelgate::hook {
namespace {

// The base request as this repository can answer it: the server's "main" is "refs/remotes/origin/main" in a clone.
wire::BaseRequest local_request(const Git& git, const TriggerSubject& subject) {
  wire::BaseRequest request = subject.base;
  if (request.kind != wire::BaseKind::merge_base) return request;
  const std::string tracked = "refs/remotes/" + subject.remote + "/" + request.argument;
  const bool known = !subject.remote.empty() && git.resolve(tracked);
  request.argument = known ? tracked : "refs/heads/" + request.argument;
  return request;
}

// Of the manifest that is the effective manifest: base's, or head's where base has none. Empty: neither has one.
Result<std::string> manifest_hash(const Git& git, const std::optional<CommitHash>& base, const CommitHash& head) {
  for (const std::optional<CommitHash>& commit : {base, std::optional<CommitHash>(head)}) {
    if (!commit) continue;
    const auto text = git.show_file(*commit, kManifestName);
    if (!text) return pass_on(text);
    if (*text) return sha256_hex(**text);
  }
  return std::string();
}

Result<wire::KnownTrees> known_trees(const Git& git, const TriggerSubject& subject) {
  const auto base = resolve_base(git, subject.commit, local_request(git, subject));
  if (!base) return pass_on(base);
  const auto head_tree = git.tree_of(subject.commit);
  if (!head_tree) return pass_on(head_tree);
  wire::KnownTrees trees;
  trees.head_tree = head_tree->str();
  if (base->commit) {
    const auto base_tree = git.tree_of(*base->commit);
    if (!base_tree) return pass_on(base_tree);
    trees.base_commit = base->commit->str();
    trees.base_tree = base_tree->str();
  }
  auto manifest = manifest_hash(git, base->commit, subject.commit);
  if (!manifest) return pass_on(manifest);
  trees.manifest_sha256 = std::move(*manifest);
  return trees;
}

}  // namespace

Result<wire::Trigger> make_trigger(const Git& git, const TriggerSubject& subject) {
  const auto facts = git.facts(subject.commit);
  if (!facts) return pass_on(facts);
  wire::Trigger trigger;
  trigger.repository = subject.repository;
  trigger.commit = subject.commit.str();
  trigger.branch = subject.branch;
  trigger.subject = facts->subject;
  trigger.author = facts->author;
  trigger.hypothesis = facts->hypothesis;
  trigger.base = subject.base;
  trigger.source = subject.source;
  if (auto trees = known_trees(git, subject)) trigger.trees = std::move(*trees);
  return trigger;
}

}  // namespace kernelgate::hook
