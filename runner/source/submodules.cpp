// SPDX-License-Identifier: Apache-2.0
#include "runner/source/submodules.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include "platform/process/scratch_folder.hpp"

namespace kernelgate::git_detail {
namespace {

namespace fs = std::filesystem;

// path -> url, from the .gitmodules of the listing.
Result<std::map<std::string, std::string>> read_urls(const Git& git, const std::vector<TreeEntry>& entries) {
  std::map<std::string, std::string> urls;
  const auto found =
      std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.path == ".gitmodules"; });
  if (found == entries.end()) return urls;
  const auto text = git.blob(found->object);
  if (!text) return pass_on(text);
  const ScratchFolder scratch("git");
  const auto file = scratch.path() / "gitmodules";
  std::ofstream(file, std::ios::binary) << *text;
  const auto listed = git.call({.args = {"config", "--null", "--no-includes", "--file", file.string(), "--get-regexp",
                                         "^submodule\\..*\\.(path|url)$"}});
  if (!listed) return fail(Errc::invalid, "cannot read .gitmodules: " + listed.error().what);

  std::map<std::string, std::pair<std::string, std::string>> by_name;  // name -> (path, url)
  for (std::size_t at = 0; at < listed->size();) {
    const auto end = std::min(listed->find('\0', at), listed->size());
    const auto line = listed->substr(at, end - at);
    at = end + 1;
    const auto newline = std::min(line.find('\n'), line.size());
    const auto key = line.substr(0, newline);
    const auto value = newline < line.size() ? line.substr(newline + 1) : std::string();
    const auto dot = key.rfind('.');
    auto& [path, url] = by_name[key.substr(0, dot)];
    (key.substr(dot + 1) == "path" ? path : url) = value;
  }
  for (const auto& [name, entry] : by_name) urls[entry.first] = entry.second;
  return urls;
}

Status checkout_one(const TreeEntry& entry, const std::string& stated_url, const fs::path& folder,
                    const CheckoutOrigin& origin, const std::stop_token& stop) {
  const auto where = "submodule " + entry.path;
  if (!origin.mirrors) return fail(Errc::unsupported, "submodules need a place for their mirrors", where);
  const auto url = resolve_submodule_url(origin.url, stated_url);
  const auto allowed =
      origin.only_hosts ? check_untrusted_submodule_url(*origin.only_hosts, url) : check_submodule_url(origin.url, url);
  if (!allowed) return fail(allowed.error().code, allowed.error().what, where, allowed.error().fix);
  const auto commit = CommitHash::parse(entry.object);
  if (!commit) return pass_on(commit);
  const auto git = origin.mirrors->fetch(url, *commit, stop);
  if (!git) return fail(git.error().code, git.error().what, where + " (" + url + ")", git.error().fix);
  const auto into = folder / entry.path;
  std::error_code error;
  // git made the folder; a symbolic link on the way would lead out of the checkout.
  if (fs::canonical(into, error) != fs::canonical(folder, error) / entry.path)
    return fail(Errc::invalid, "its path leads through a symbolic link", where);
  return checkout(*git, {*commit, std::nullopt, {}}, into, {origin.mirrors, url, origin.only_hosts}, stop);
}

}  // namespace

Status checkout_submodules(const Git& git, const std::vector<TreeEntry>& entries, const fs::path& folder,
                           const CheckoutOrigin& origin, const std::stop_token& stop) {
  const bool any = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.mode == "160000"; });
  if (!any) return {};
  const auto urls = read_urls(git, entries);
  if (!urls) return pass_on(urls);
  for (const auto& entry : entries) {
    // A submodule that .gitmodules does not know stays an empty folder, as in git itself.
    const auto url = urls->find(entry.path);
    if (entry.mode != "160000" || url == urls->end()) continue;
    if (auto done = checkout_one(entry, url->second, folder, origin, stop); !done) return done;
  }
  return {};
}

}  // namespace kernelgate::git_detail
