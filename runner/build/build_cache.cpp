// SPDX-License-Identifier: Apache-2.0
#include "runner/build/build_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "core/units/digest.hpp"
#include "platform/process/command_line.hpp"
#include "runner/build/entry.hpp"
#include "runner/build/stages.hpp"
#include "runner/sandbox/ownership.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;
using namespace build_detail;

constexpr std::uintmax_t kFreeMin = 256u << 20;  // a build started with less would only fill the disk

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
  if (error || space.available >= kFreeMin) return {};
  return fail(Errc::io, "the disk of the build cache is full: " + std::to_string(space.available >> 20) + " MiB left",
              root.string(), "make room, or lower the cache's size");
}

Build to_build(const std::string& key, const fs::path& folder, const Entry& entry, bool from_cache, FileLock lock) {
  Build build;
  build.ok = entry.ok;
  build.from_cache = from_cache;
  build.key = key;
  build.inputs = entry.inputs;
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

Result<std::string> Build::locate(const Sandbox& sandbox, std::string_view line) const {
  const auto inside = mounts();
  return expand(line, shell_word(sandbox.locate(inside, kInsideSource)),
                shell_word(sandbox.locate(inside, kInsideBuild)));
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
  if (config.jobs <= 0) config.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  config.ccache = config.ccache && access("/usr/bin/ccache", X_OK) == 0;
  auto toolchain = describe_toolchain(sandbox);
  if (!toolchain) return pass_on(toolchain);
  return BuildCache(std::move(config), sandbox, std::move(*toolchain));
}

std::string BuildCache::key_of(const BuildRequest& request, const std::string& inputs) const {
  return Sha256()
      .field("build 1")
      .field(inputs)
      .field(request.recipe.fetch)
      .field(request.recipe.configure)
      .field(request.recipe.build)
      .field(toolchain_)
      .field(config_.testbed)
      .field(to_string(sandbox_.mode()))
      .field(request.trust)
      .field(request.gpu ? "gpu" : "")
      .hex();
}

Result<Build> BuildCache::build(const BuildRequest& request, std::stop_token stop) const {
  const auto entries = list_source(*request.git, request.source);
  if (!entries) return pass_on(entries);
  const auto inputs = hash_inputs(*entries, request.recipe.inputs);
  const auto key = key_of(request, inputs);
  const auto folder = config_.root / "entries" / key;
  const auto lock_file = config_.root / "locks" / (key + ".lock");

  const auto take = [&](LockKind kind, bool from_cache) -> Result<std::optional<Build>> {
    auto lock = FileLock::acquire(lock_file, kind, stop);
    if (!lock) return pass_on(lock);
    auto entry = load_entry(folder);
    if (!entry && kind == LockKind::exclusive) {
      from_cache = false;
      if (auto made = make(request, inputs, folder, stop); !made) {
        (void)remove_tree(folder);
        return pass_on(made);
      }
      entry = load_entry(folder);
      if (!entry) return fail(Errc::corrupt, "the build just made cannot be read back", folder.string());
    }
    if (!entry) return std::optional<Build>();
    mark_used(folder);
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

Status BuildCache::make(const BuildRequest& request, const std::string& inputs, const fs::path& folder,
                        const std::stop_token& stop) const {
  if (auto room = check_room(config_.root); !room) return room;
  if (auto removed = remove_tree(folder); !removed) return removed;  // unfinished or corrupt
  StagePlan plan{.recipe = &request.recipe,
                 .source = folder / "source",
                 .build = folder / "build",
                 .ccache = config_.ccache ? config_.root / ("ccache-" + request.trust) : fs::path(),
                 .jobs = config_.jobs,
                 .gpu = request.gpu};
  if (auto made = make_folders({plan.source, plan.build}); !made) return made;
  if (auto done = checkout(*request.git, request.source, plan.source, request.origin, stop); !done) return done;
  for (const auto& handed : {plan.source, plan.build})
    if (auto done = sandbox_.hand_over(handed); !done) return done;
  if (!plan.ccache.empty() && !fs::exists(plan.ccache)) {
    if (auto made = make_folders({plan.ccache}); !made) return made;
    if (auto done = sandbox_.hand_over(plan.ccache); !done) return done;
  }

  const auto started = std::chrono::steady_clock::now();
  const auto outcome = run_stages(sandbox_, plan, stop);
  if (!outcome) return pass_on(outcome);
  Entry entry;
  entry.ok = outcome->failed_stage.empty();
  entry.failed_stage = outcome->failed_stage;
  entry.inputs = inputs;
  entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  for (const auto& made : {plan.source, plan.build})
    if (auto done = entry.ok ? sandbox_.seal(made) : remove_tree(made); !done) return done;
  return finish_entry(folder, entry, outcome->log);
}

}  // namespace kernelgate
