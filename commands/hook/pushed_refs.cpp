// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/pushed_refs.hpp"

namespace kernelgate::hook {
namespace {

constexpr std::string_view kBranches = "refs/heads/";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    if (!part.empty()) out.push_back(part);
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return out;
}

bool all_zero(std::string_view hash) { return hash.find_first_not_of('0') == hash.npos; }

struct Columns {
  std::size_t count, head, before, ref;
};

Result<std::vector<PushedBranch>> parse(std::string_view text, const Columns& columns) {
  std::vector<PushedBranch> out;
  for (const std::string_view line : split(text, '\n')) {
    const std::vector<std::string_view> words = split(line, ' ');
    if (words.size() != columns.count || !is_git_hash(words[columns.head]) || !is_git_hash(words[columns.before]))
      return fail(Errc::invalid, "not a line that git gives to this hook: '" + std::string(line.substr(0, 200)) + "'");
    const std::string_view ref = words[columns.ref];
    if (ref.substr(0, kBranches.size()) != kBranches || all_zero(words[columns.head])) continue;
    auto head = CommitHash::parse(words[columns.head]);
    if (!head) return pass_on(head);
    out.push_back({std::string(ref.substr(kBranches.size())), std::move(*head), std::string(words[columns.before])});
  }
  return out;
}

}  // namespace

Result<std::vector<PushedBranch>> parse_pre_push(std::string_view text) {
  return parse(text, {.count = 4, .head = 1, .before = 3, .ref = 2});
}

Result<std::vector<PushedBranch>> parse_post_receive(std::string_view text) {
  return parse(text, {.count = 3, .head = 1, .before = 0, .ref = 2});
}

wire::BaseRequest base_of(const PushedBranch& pushed, const std::string& default_branch) {
  if (pushed.branch == default_branch) return {wire::BaseKind::before, pushed.before};
  return {wire::BaseKind::merge_base, default_branch};
}

}  // namespace kernelgate::hook
