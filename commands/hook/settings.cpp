// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/settings.hpp"

#include <charconv>
#include <map>

namespace kernelgate::hook {
namespace {

constexpr const char* kSection = "kernelgate";

std::string without_newline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

Status set(const Git& git, const std::string& name, const std::string& value) {
  const auto done = git.call({.args = {"config", "--local", std::string(kSection) + "." + name, value}});
  if (!done) return pass_on(done);
  return {};
}

// Keys come in lower case: "kernelgate.tokenfile".
std::map<std::string, std::string> parse(std::string_view listing) {
  std::map<std::string, std::string> out;
  while (!listing.empty()) {
    const std::string_view entry = listing.substr(0, listing.find('\0'));
    const std::size_t end = entry.find('\n');
    if (end != entry.npos) out[std::string(entry.substr(0, end))] = std::string(entry.substr(end + 1));
    listing.remove_prefix(std::min(entry.size() + 1, listing.size()));
  }
  return out;
}

}  // namespace

Status write_settings(const Git& git, const Settings& settings) {
  const std::pair<const char*, std::string> values[] = {
      {"server", settings.server},
      {"tokenFile", settings.token_file.string()},
      {"repository", settings.repository},
      {"defaultBranch", settings.default_branch},
      {"stage", settings.stage},
      {"wait", settings.wait ? "true" : "false"},
      {"waitSeconds", std::to_string(settings.wait_most.count())},
  };
  for (const auto& [name, value] : values)
    if (const Status done = set(git, name, value); !done) return done;
  return {};
}

Result<std::optional<Settings>> read_settings(const Git& git) {
  const auto listing = git.call({.args = {"config", "--local", "--null", "--list"}});
  if (!listing) return pass_on(listing);
  std::map<std::string, std::string> values = parse(*listing);
  Settings out;
  out.server = values["kernelgate.server"];
  if (out.server.empty()) return std::nullopt;
  out.token_file = values["kernelgate.tokenfile"];
  out.repository = values["kernelgate.repository"];
  out.default_branch = values["kernelgate.defaultbranch"];
  out.stage = values["kernelgate.stage"];
  out.wait = values["kernelgate.wait"] != "false";
  if (const std::string& text = values["kernelgate.waitseconds"]; !text.empty()) {
    int seconds = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || seconds < 1)
      return fail(Errc::invalid, "not a number of seconds: '" + text + "'", "git config kernelgate.waitSeconds",
                  "give an integer of 1 or more");
    out.wait_most = std::chrono::seconds{seconds};
  }
  return out;
}

Status remove_settings(const Git& git) {
  const auto settings = read_settings(git);
  if (settings && !*settings) return {};
  const auto done = git.call({.args = {"config", "--local", "--remove-section", kSection}});
  if (!done) return pass_on(done);
  return {};
}

Result<std::filesystem::path> common_folder(const Git& git) {
  // A linked work tree's own folder names the shared one in `commondir`.
  const auto folder = git.call({.args = {"rev-parse", "--path-format=absolute", "--git-common-dir"}});
  if (!folder) return pass_on(folder);
  return std::filesystem::path(without_newline(*folder));
}

Result<bool> is_bare(const Git& git) {
  const auto answer = git.call({.args = {"config", "--local", "--bool", "--default", "false", "--get", "core.bare"}});
  if (!answer) return pass_on(answer);
  return without_newline(*answer) == "true";
}

std::optional<std::string> current_branch(const Git& git) {
  const auto branch = git.call({.args = {"symbolic-ref", "--quiet", "--short", "HEAD"}});
  if (!branch) return std::nullopt;
  return without_newline(*branch);
}

}  // namespace kernelgate::hook
