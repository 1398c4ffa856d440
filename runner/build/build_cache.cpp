// SPDX-License-Identifier: Apache-2.0
#include "runner/build/build_cache.hpp"

#include <algorithm>
#include <thread>

#include "core/units/digest.hpp"
#include "platform/process/command_line.hpp"
#include "runner/build/compiler_cache.hpp"
#include "runner/build/entry.hpp"
#include "runner/build/stages.hpp"
#include "runner/sandbox/ownership.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;
using namespace build_detail;

Status make_folders(std::initializer_list<fs::path> folders) {
  for (const auto& folder : folders) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return fail(Errc::io, "cannot make '" + folder.string() + "': " + error.message());
  }
  return {};
}

Status check_room(const fs::path& root) {
  std::error_code error;
  const auto space = fs::space(root, error);
  if (error || space.available >= limits::kDiskKept.value) return {};
  return fail(Errc::io, "the disk of the build cache is full: " + std::to_string(space.available >> 20) + " MiB left",
              root.string(), "make room, or lower the cache's size");
}

// What else of a recipe decides what comes out of it; empty where it sets nothing.
std::string setting_text(const BuildRecipe& recipe, const std::vector<std::string>& left_out) {
  std::string out;
  const CommandSetting& setting = recipe.setting;
  if (!setting.cwd.empty()) out += "cwd " + setting.cwd + '\0';
  for (const auto& [name, value] : setting.env) out += "env " + name + "=" + value + '\0';
  for (const std::string& folder : setting.path) out += "path " + folder + '\0';
  if (!recipe.submodules.all) out += std::string("submodules") + '\0';
  for (const std::string& path : recipe.submodules.paths) out += "submodule " + path + '\0';
  for (const std::string& path : left_out) out += "without " + path + '\0';
  return out;
}

Build to_build(const std::string& key, const fs::path& folder, const Entry& entry, bool from_cache, FileLock lock) {
  Build build;
  build.ok = entry.ok;
  build.from_cache = from_cache;
  build.key = key;
  if (entry.ok) {
    build.source = folder / "source";
    build.build = folder / "build";
  }
  build.notes = folder / "notes";
  build.log = read_text(folder / "log.txt");
  build.failed_stage = entry.failed_stage;
  build.seconds = entry.seconds;
  build.in_use = std::make_shared<FileLock>(std::move(lock));
  return build;
}

}  // namespace

std::vector<Mount> Build::mounts() const {
  return {{source, std::string(kInsideSource), false}, {build, std::string(kInsideBuild), false}};
}

Result<ShellLine> Build::locate(const Sandbox& sandbox, const CommandSetting& setting, std::string_view line) const {
  const auto inside = mounts();
  return shell_line(setting, line, sandbox.locate(inside, kInsideSource), sandbox.locate(inside, kInsideBuild));
}

std::string Build::load_note(const std::string& name) const { return read_text(notes / sha256_hex(name)); }

Status Build::store_note(const std::string& name, const std::string& text) const {
  if (auto made = make_folders({notes}); !made) return made;
  return write_text(notes / sha256_hex(name), text);
}

Result<BuildCache> BuildCache::open(BuildCacheConfig config, const Sandbox& sandbox) {
  std::error_code error;
  config.root = fs::absolute(config.root, error);
  if (auto made = make_folders({config.root / "entries", config.root / "locks"}); !made) return pass_on(made);
  fs::permissions(config.root, fs::perms::owner_all, error);  // sources may be private; the machine's users are not
  if (config.jobs <= 0) config.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  config.ccache = config.ccache && has_compiler_cache(sandbox);
  auto toolchain = describe_toolchain(sandbox);
  if (!toolchain) return pass_on(toolchain);
  return BuildCache(std::move(config), sandbox, std::move(*toolchain));
}

std::string BuildCache::key_of(const BuildRequest& request, const std::vector<TreeEntry>& source) const {
  return Sha256()
      .field("build 2")
      .field(hash_inputs(source, {"**"}))  // whatever is no input of the manifest is still seen by the build
      .field(request.recipe.fetch)
      .field(request.recipe.configure)
      .field(request.recipe.build)
      .field(setting_text(request.recipe, request.source.left_out))
      .field(toolchain_)
      .field(config_.testbed)
      .field(to_string(sandbox_.mode()))
      .field(request.trust)
      .field(request.gpu ? "gpu" : "")
      .hex();
}

// What cannot be reached is found out first: a build without it is another build.
Result<Build> BuildCache::build(const BuildRequest& asked, std::stop_token stop) const {
  BuildRequest request = asked;
  request.source.submodules = request.recipe.submodules;
  const auto missing = unreachable_submodules(*request.git, request.source, request.origin, stop);
  // What a commit may not have is the checkout's to say, which fails the commit.
  if (!missing && missing.error().code != Errc::invalid) return pass_on(missing);
  if (!missing || missing->paths.empty()) return build_complete(request, stop);
  request.source.left_out = missing->paths;
  auto build = build_complete(request, stop);
  if (!build) return build;
  std::string reasons;
  for (const std::string& reason : missing->reasons) reasons += "left out: " + reason + "\n";
  if (!build->ok)
    return fail(Errc::unavailable, "it does not build, and submodules cannot be reached: " + reasons + build->log, {},
                "make them reachable, or name those that the build needs: submodules = [...] in [build]");
  build->left_out = missing->paths;
  build->log.insert(0, reasons);
  return build;
}

Result<Build> BuildCache::build_complete(const BuildRequest& request, const std::stop_token& stop) const {
  const auto entries = list_source(*request.git, request.source);
  if (!entries) return pass_on(entries);
  const auto key = key_of(request, *entries);
  const auto folder = config_.root / "entries" / key;
  const auto lock_file = config_.root / "locks" / (key + ".lock");

  const auto take = [&](LockKind kind, bool from_cache) -> Result<std::optional<Build>> {
    auto lock = FileLock::acquire(lock_file, kind, stop);
    if (!lock) return pass_on(lock);
    auto entry = load_entry(folder);
    if (!entry && kind == LockKind::exclusive) {
      from_cache = false;
      auto made = make(request, folder, stop);
      if (!made || *made) {
        (void)remove_tree(folder);
        return made;
      }
      entry = load_entry(folder);
      if (!entry) return fail(Errc::corrupt, "the build just made cannot be read back", folder.string());
    }
    if (!entry) return std::optional<Build>();
    mark_used(folder);
    share_compiled(request, folder);
    lock->share();
    return std::optional(to_build(key, folder, *entry, from_cache, std::move(*lock)));
  };
  // Those who only use an entry share its lock, so a long measurement keeps nobody waiting.
  auto found = take(LockKind::shared, true);
  if (found && !*found) found = take(LockKind::exclusive, true);
  if (!found) return pass_on(found);
  if (!(*found)->from_cache) evict(config_.root / "entries", config_.root / "locks", config_.size_max.value);
  return std::move(**found);
}

CompilerCache BuildCache::compiler_cache_of(const BuildRequest& request, const fs::path& folder) const {
  if (!config_.ccache) return {};
  return {shared_objects_of(config_.root, request.origin.url), folder / "ccache"};
}

// A protected commit may have been built before it was protected: its objects waited in its entry. Another who shares
// them at the same time is no harm, and without them the next build only compiles more.
void BuildCache::share_compiled(const BuildRequest& request, const fs::path& folder) const {
  const bool is_heads = request.source.overlay_from.has_value();
  if (!config_.ccache || !request.is_protected || is_heads || request.trust != "trusted") return;
  (void)share_objects(compiler_cache_of(request, folder));
}

Status BuildCache::pin(const std::string& key) const {
  return write_text(config_.root / "entries" / key / kPinned, "\n");
}

void BuildCache::unpin(const std::string& key) const {
  std::error_code error;
  fs::remove(config_.root / "entries" / key / kPinned, error);
}

Result<std::optional<Build>> BuildCache::find(const std::string& key, const std::stop_token& stop) const {
  const auto folder = config_.root / "entries" / key;
  if (key.empty() || key.find('/') != std::string::npos || !fs::exists(folder)) return std::optional<Build>();
  auto lock = FileLock::acquire(config_.root / "locks" / (key + ".lock"), LockKind::shared, stop);
  if (!lock) return pass_on(lock);
  const auto entry = load_entry(folder);
  if (!entry || !entry->ok) return std::optional<Build>();
  mark_used(folder);
  return std::optional(to_build(key, folder, *entry, true, std::move(*lock)));
}

// What a commit asks of the checkout and may not have (a path too long, a submodule from elsewhere) fails the commit.
Result<StageOutcome> BuildCache::check_out(const BuildRequest& request, const StagePlan& plan,
                                           const std::stop_token& stop) const {
  const auto done = checkout(*request.git, request.source, plan.source, request.origin, stop);
  if (!done && done.error().code == Errc::invalid)
    return StageOutcome{.failed_stage = "checkout", .log = to_string(done.error()) + "\n"};
  if (!done) return pass_on(done);
  std::vector<fs::path> writable{plan.source, plan.build};
  if (!plan.ccache.own.empty()) {
    if (auto made = make_folders({plan.ccache.own, plan.ccache.shared}); !made) return pass_on(made);
    writable.push_back(plan.ccache.own);
  }
  for (const auto& folder : writable)
    if (auto handed = sandbox_.hand_over(folder); !handed) return pass_on(handed);
  return StageOutcome();
}

Result<std::optional<Build>> BuildCache::make(const BuildRequest& request, const fs::path& folder,
                                              const std::stop_token& stop) const {
  if (auto room = check_room(config_.root); !room) return pass_on(room);
  if (auto removed = remove_tree(folder); !removed) return pass_on(removed);  // unfinished or corrupt
  StagePlan plan{.recipe = &request.recipe,
                 .source = folder / "source",
                 .build = folder / "build",
                 .ccache = compiler_cache_of(request, folder),
                 .jobs = config_.jobs,
                 .gpu = request.gpu,
                 .is_trusted = request.trust == "trusted",
                 .tree_max = config_.tree_max};
  if (auto made = make_folders({plan.source, plan.build}); !made) return pass_on(made);
  const auto started = std::chrono::steady_clock::now();
  auto outcome = check_out(request, plan, stop);
  if (outcome && outcome->failed_stage.empty()) outcome = run_stages(sandbox_, plan, stop);
  if (!outcome) return pass_on(outcome);
  if (outcome->failed_stage.empty() && size_of_tree(plan.source) + size_of_tree(plan.build) > config_.tree_max.value)
    outcome = StageOutcome{.failed_stage = "build", .log = outcome->log + "\nits files are too large together\n"};
  if (outcome->may_end_otherwise) {
    Build failed;
    failed.may_end_otherwise = true;
    failed.tool_missing = outcome->tool_missing;
    failed.log = std::move(outcome->log);
    failed.failed_stage = std::move(outcome->failed_stage);
    return std::optional(std::move(failed));
  }
  Entry entry;
  entry.ok = outcome->failed_stage.empty();
  if (!entry.ok && !request.source.left_out.empty()) {  // perhaps for what could not be reached: not remembered
    Build failed;
    failed.log = std::move(outcome->log);
    failed.failed_stage = std::move(outcome->failed_stage);
    return std::optional(std::move(failed));
  }
  entry.failed_stage = outcome->failed_stage;
  entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  for (const auto& made : {plan.source, plan.build})
    if (auto done = entry.ok ? sandbox_.seal(made) : remove_tree(made); !done) return pass_on(done);
  if (auto done = finish_entry(folder, entry, outcome->log); !done) return pass_on(done);
  return std::optional<Build>();
}

}  // namespace kernelgate
