// SPDX-License-Identifier: Apache-2.0
#include "runner/job/effective_manifest.hpp"

#include <algorithm>

namespace kernelgate {
namespace {

struct TreeManifest {
  std::string text;
  Result<Manifest> parsed;
};

Result<std::optional<TreeManifest>> manifest_of(const Git& git, const CommitHash& commit) {
  auto text = git.show_file(commit, kManifestName);
  if (!text) return pass_on(text);
  if (!*text) return std::optional<TreeManifest>{};
  const std::string origin = commit.short_str() + ":" + std::string(kManifestName);
  auto parsed = parse_manifest(**text, origin);
  return TreeManifest{std::move(**text), std::move(parsed)};
}

void take(EffectiveManifest& out, const Manifest& manifest, const std::string& text, const std::string& owner) {
  out.manifest = manifest;
  out.text = text;
  out.owner = owner;
  out.head_recipe = manifest.build;
}

// Head is built as head says, but counts as changed by what base calls an input.
void take_heads_part(EffectiveManifest& out, const Manifest& head) {
  out.head_recipe = head.build;
  out.head_recipe.inputs = out.manifest.build.inputs;
  out.head_recipe.overlay = out.manifest.build.overlay;
  for (const auto& change : effective_manifest_changes(out.manifest, head))
    out.notices.push_back("head changes the manifest, base's counts: " + change);
  for (const auto& spec : head.suites) {
    const auto same = [&spec](const SuiteSpec& other) { return other.name == spec.name; };
    const auto& suites = out.manifest.suites;
    if (std::none_of(suites.begin(), suites.end(), same)) out.added.push_back(spec);
  }
}

Result<EffectiveManifestFound> registered(const JobRequest& request) {
  auto parsed = parse_manifest(request.registered_manifest, request.registered_origin);
  if (!parsed) return pass_on(parsed);
  EffectiveManifestFound found;
  take(found.effective_manifest.emplace(), *parsed, request.registered_manifest, "registered");
  return found;
}

}  // namespace

Result<EffectiveManifestFound> find_effective_manifest(const JobRequest& request,
                                                       const std::optional<CommitHash>& base) {
  if (!request.registered_manifest.empty()) return registered(request);
  auto head = manifest_of(*request.git, request.head);
  if (!head) return pass_on(head);
  EffectiveManifestFound found;
  if (*head && !(*head)->parsed) {
    found.malformed = MalformedHead{to_string((*head)->parsed.error())};
    return found;
  }
  std::string base_problem;
  if (base) {
    auto own = manifest_of(*request.git, *base);
    if (!own) return pass_on(own);
    if (*own && (*own)->parsed) {
      EffectiveManifest& out = found.effective_manifest.emplace();
      take(out, *(*own)->parsed, (*own)->text, "base");
      if (*head) take_heads_part(out, *(*head)->parsed);
      return found;
    }
    base_problem = *own ? "base's manifest cannot be read (" + to_string((*own)->parsed.error()) + ")"
                        : "base has no " + std::string(kManifestName);
  }
  if (!*head)
    return fail(Errc::invalid, "there is no " + std::string(kManifestName), {},
                "add one to the repository, or register one for it");
  EffectiveManifest& out = found.effective_manifest.emplace();
  take(out, *(*head)->parsed, (*head)->text, "head");
  if (!base_problem.empty()) out.notices.push_back(base_problem + ": head's counts");
  return found;
}

}  // namespace kernelgate
