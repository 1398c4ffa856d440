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

// A submodule that the choice takes.
struct Wanted {
  std::string path, url;  // the URL as a whole
  CommitHash commit;
};

bool is_taken(const SubmoduleChoice& choice, const std::string& path) {
  return choice.all || std::find(choice.paths.begin(), choice.paths.end(), path) != choice.paths.end();
}

Status check_named(const SubmoduleChoice& choice, const std::vector<Wanted>& found) {
  for (const std::string& path : choice.paths)
    if (std::none_of(found.begin(), found.end(), [&](const Wanted& one) { return one.path == path; }))
      return fail(Errc::invalid, "the manifest names a submodule that the commit does not have", path,
                  "name it as .gitmodules does");
  return {};
}

// Those of a listing. A submodule that .gitmodules does not know stays an empty folder, as in git itself.
Result<std::vector<Wanted>> wanted_of(const Git& git, const Source& source, const std::vector<TreeEntry>& entries,
                                      const CheckoutOrigin& origin) {
  std::vector<Wanted> out;
  const bool any = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.mode == "160000"; });
  if (any && (source.submodules.all || !source.submodules.paths.empty())) {
    const auto urls = read_urls(git, entries);
    if (!urls) return pass_on(urls);
    for (const auto& entry : entries) {
      const auto stated = urls->find(entry.path);
      if (entry.mode != "160000" || stated == urls->end() || !is_taken(source.submodules, entry.path)) continue;
      const auto where = "submodule " + entry.path;
      if (!origin.mirrors) return fail(Errc::unsupported, "submodules need a place for their mirrors", where);
      const auto url = resolve_submodule_url(origin.url, stated->second);
      const auto allowed = origin.only_hosts ? check_untrusted_submodule_url(*origin.only_hosts, url)
                                             : check_submodule_url(origin.url, url);
      if (!allowed) return fail(allowed.error().code, allowed.error().what, where, allowed.error().fix);
      auto commit = CommitHash::parse(entry.object);
      if (!commit) return pass_on(commit);
      out.push_back({entry.path, url, std::move(*commit)});
    }
  }
  if (auto named = check_named(source.submodules, out); !named) return pass_on(named);
  return out;
}

Result<Git> fetch_one(const Wanted& wanted, const CheckoutOrigin& origin, const std::stop_token& stop) {
  auto git = origin.mirrors->fetch(wanted.url, wanted.commit, stop);
  if (git) return git;
  return fail(git.error().code, git.error().what, "submodule " + wanted.path + " (" + wanted.url + ")",
              git.error().fix);
}

// Paths below a submodule, from there.
std::vector<std::string> below(const std::vector<std::string>& paths, const std::string& folder) {
  std::vector<std::string> out;
  for (const std::string& path : paths)
    if (path.starts_with(folder + "/")) out.push_back(path.substr(folder.size() + 1));
  return out;
}

Status checkout_one(const Wanted& wanted, const Source& source, const fs::path& folder, const CheckoutOrigin& origin,
                    const std::stop_token& stop) {
  const auto git = fetch_one(wanted, origin, stop);
  if (!git) return pass_on(git);
  const auto into = folder / wanted.path;
  std::error_code error;
  // git made the folder; a symbolic link on the way would lead out of the checkout.
  if (fs::canonical(into, error) != fs::canonical(folder, error) / wanted.path)
    return fail(Errc::invalid, "its path leads through a symbolic link", "submodule " + wanted.path);
  Source inner{wanted.commit, std::nullopt, {}};
  inner.left_out = below(source.left_out, wanted.path);
  return checkout(*git, inner, into, {origin.mirrors, wanted.url, origin.only_hosts}, stop);
}

// Of a place, not of what a commit asks for.
bool is_out_of_reach(const Error& error) {
  return error.code == Errc::unavailable || error.code == Errc::not_found || error.code == Errc::timed_out;
}

// A few levels are all that anyone nests, and a repository may name itself.
constexpr int kDeepest = 16;

Status look_for(const Git& git, const Source& source, const CheckoutOrigin& origin, const std::string& prefix,
                int depth, LeftOut& out, const std::stop_token& stop) {
  const auto entries = list_source(git, source);
  if (!entries) return pass_on(entries);
  const auto all = wanted_of(git, source, *entries, origin);
  if (!all) return pass_on(all);
  for (const Wanted& wanted : *all) {
    const auto inner = fetch_one(wanted, origin, stop);
    if (!inner) {
      if (stop.stop_requested() || !source.submodules.all || !is_out_of_reach(inner.error())) return pass_on(inner);
      out.paths.push_back(prefix + wanted.path);
      out.reasons.push_back(to_string(inner.error()));
      continue;
    }
    if (depth == kDeepest) return fail(Errc::invalid, "submodules nest too deep", prefix + wanted.path);
    const auto looked =
        look_for(*inner, Source{wanted.commit, std::nullopt, {}}, {origin.mirrors, wanted.url, origin.only_hosts},
                 prefix + wanted.path + "/", depth + 1, out, stop);
    if (!looked) return looked;
  }
  return {};
}

}  // namespace

Status checkout_submodules(const Git& git, const Source& source, const std::vector<TreeEntry>& entries,
                           const fs::path& folder, const CheckoutOrigin& origin, const std::stop_token& stop) {
  const auto all = wanted_of(git, source, entries, origin);
  if (!all) return pass_on(all);
  for (const Wanted& wanted : *all) {
    if (std::find(source.left_out.begin(), source.left_out.end(), wanted.path) != source.left_out.end()) continue;
    if (auto done = checkout_one(wanted, source, folder, origin, stop); !done) return done;
  }
  return {};
}

}  // namespace kernelgate::git_detail

namespace kernelgate {

Result<LeftOut> unreachable_submodules(const Git& git, const Source& source, const CheckoutOrigin& origin,
                                       const std::stop_token& stop) {
  LeftOut out;
  if (auto looked = git_detail::look_for(git, source, origin, "", 0, out, stop); !looked) return pass_on(looked);
  return out;
}

}  // namespace kernelgate
