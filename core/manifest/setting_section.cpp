// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "core/manifest/glob.hpp"
#include "core/manifest/sections.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::manifest {
namespace {

// What the runner itself sets or hands over, and what would be loaded into programs that are not the suite's.
constexpr std::array<std::string_view, 13> kOurs{"HOME",
                                                 "TMPDIR",
                                                 "LD_PRELOAD",
                                                 "LD_AUDIT",
                                                 "CUDA_VISIBLE_DEVICES",
                                                 "CUDA_DEVICE_ORDER",
                                                 "CUDA_INJECTION64_PATH",
                                                 "NVTX_INJECTION64_PATH",
                                                 "KG_CONFIGURATIONS",
                                                 "SOURCE_DATE_EPOCH",
                                                 "BASH_ENV",
                                                 "ENV",
                                                 "IFS"};

bool is_variable(std::string_view name) {
  return !name.empty() && name.size() <= limits::kManifestNameMax &&
         std::isdigit(static_cast<unsigned char>(name[0])) == 0 && std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
         });
}

std::string_view why_not_settable(std::string_view name) {
  if (name == "PATH") return "name its folders in 'path'";
  if (name.starts_with("CCACHE_") || std::find(kOurs.begin(), kOurs.end(), name) != kOurs.end())
    return "the runner decides it; set it inside the command";
  return {};
}

void read_env(TableReader& reader, CommandSetting& out) {
  const toml::table* table = reader.table("env");
  if (!table) return;
  if (table->size() > limits::kEnvironmentMax)
    reader.wrong("env", fmt::format("has {} variables", table->size()),
                 fmt::format("{} at most", limits::kEnvironmentMax));
  TableReader values(*table, "env", reader.problems());
  for (const auto& [key, node] : *table) {
    const std::string name(key.str());
    const auto value = values.text(name);
    if (!value) continue;
    if (!is_variable(name))
      values.wrong(name, "cannot be the name of a variable", "use letters, digits and '_'");
    else if (const auto why = why_not_settable(name); !why.empty())
      values.wrong(name, "cannot be set here", std::string(why));
    else if (value->size() > limits::kEnvironmentValueMax)
      values.wrong(name, fmt::format("has {} bytes", value->size()),
                   fmt::format("{} at most", limits::kEnvironmentValueMax));
    else if (const auto expanded = expand(*value, "s", "b"); !expanded)
      values.wrong(name, "has an " + expanded.error().what, expanded.error().fix);
    else
      out.env.emplace_back(name, *value);
  }
  std::sort(out.env.begin(), out.env.end());
}

bool is_normal(std::string_view text) {
  const std::filesystem::path path(text);
  return path == path.lexically_normal() && (text.size() == 1 || !text.ends_with('/'));
}

// "{source}", "{build}" or a folder below them.
bool is_ours(std::string_view text) {
  for (const std::string_view place : {"{source}", "{build}"}) {
    if (!text.starts_with(place)) continue;
    const std::string_view below = text.substr(place.size());
    return below.empty() || (below.front() == '/' && is_normal(below) && below.find('{') == below.npos);
  }
  return false;
}

// Whoever may write there decides what the command is.
bool is_everybodys(std::string_view folder) {
  for (const std::string_view root : {"/tmp", "/var/tmp", "/dev", "/proc"})
    if (folder == root || (folder.starts_with(root) && folder[root.size()] == '/')) return true;
  return false;
}

void read_cwd(TableReader& reader, CommandSetting& out) {
  const auto cwd = reader.text("cwd");
  if (!cwd) return;
  if (is_ours(*cwd) && cwd->size() <= limits::kGlobMax)
    out.cwd = *cwd;
  else
    reader.wrong("cwd", fmt::format("is '{}'", cwd->substr(0, 60)),
                 "give '{source}', '{build}' or a folder below one of them, such as \"{source}/bench\"");
}

void read_path(TableReader& reader, CommandSetting& out) {
  const std::vector<std::string> folders = reader.texts("path");
  if (folders.size() > limits::kPathFoldersMax)
    reader.wrong("path", fmt::format("has {} folders", folders.size()),
                 fmt::format("{} at most", limits::kPathFoldersMax));
  for (const std::string& folder : folders) {
    const bool absolute = folder.starts_with('/') && is_normal(folder) && folder.find('{') == folder.npos;
    if ((!is_ours(folder) && !absolute) || folder.size() > limits::kGlobMax ||
        folder.find_first_of(std::string_view(":\0", 2)) != folder.npos)
      reader.wrong("path", fmt::format("has '{}'", folder.substr(0, 60)),
                   "give whole paths, or folders below '{source}' or '{build}'");
    else if (is_everybodys(folder))
      reader.wrong("path", fmt::format("has '{}', where any program may write", folder.substr(0, 60)),
                   "install the tools elsewhere");
  }
  out.path = folders;
}

}  // namespace

void read_globs(TableReader& reader, std::string_view key, std::vector<std::string>& out) {
  std::optional<std::vector<std::string>> globs;
  read_globs(reader, key, globs);
  if (globs) out = std::move(*globs);
}

void read_globs(TableReader& reader, std::string_view key, std::optional<std::vector<std::string>>& out) {
  const toml::array* list = reader.array(key);
  if (!list) return;
  const std::vector<std::string> globs = reader.texts(key);
  if (list->size() > limits::kGlobsMax)
    reader.wrong(key, fmt::format("has {} globs", list->size()), fmt::format("{} at most", limits::kGlobsMax));
  for (const toml::node& entry : *list) {
    const auto* glob = entry.as_string();
    if (!glob) continue;
    if (const Status good = check_glob(glob->get()); !good)
      reader.problems().add(
          position_of(entry),
          fmt::format("glob '{}' of {} {}", glob->get().substr(0, 60), reader.label(key), good.error().what),
          good.error().fix);
  }
  out = globs;
}

void read_setting(TableReader& reader, CommandSetting& out) {
  read_cwd(reader, out);
  read_env(reader, out);
  read_path(reader, out);
}

void read_submodules(TableReader& reader, SubmoduleChoice& out) {
  const toml::node* node = reader.any("submodules");
  if (node && !node->is_array()) {
    if (const auto word = reader.word("submodules", {"all", "none"})) out.all = *word == "all";
    return;
  }
  if (!node) return;
  out.all = false;
  out.paths = reader.texts("submodules");
  if (out.paths.size() > limits::kGlobsMax)
    reader.wrong("submodules", fmt::format("has {} paths", out.paths.size()),
                 fmt::format("{} at most", limits::kGlobsMax));
  for (const std::string& path : out.paths)
    if (!check_glob(path) || path.find_first_of("*?[\\") != path.npos)
      reader.wrong("submodules", fmt::format("has '{}'", path.substr(0, 60)),
                   "give the paths that .gitmodules names, such as [\"third_party/cutlass\"]");
}

}  // namespace kernelgate::manifest
