// SPDX-License-Identifier: Apache-2.0
#include "runner/build/entry.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "core/units/digest.hpp"
#include "platform/process/file_lock.hpp"
#include "runner/sandbox/ownership.hpp"

namespace kernelgate::build_detail {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "kernelgate-build-2";

Status hash_file(const fs::path& path, Sha256& digest, std::uint64_t& bytes) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    digest.raw({buffer.data(), static_cast<std::size_t>(file.gcount())});
    bytes += static_cast<std::uint64_t>(file.gcount());
  }
  if (!file.eof()) return fail(Errc::io, "cannot read '" + path.string() + "'");
  return {};
}

Result<TreeDigest> digest_entry(const fs::path& folder) {
  TreeDigest both;
  Sha256 digest;
  for (const char* name : {"source", "build"}) {
    std::error_code error;
    if (!fs::exists(folder / name, error)) continue;
    const auto part = digest_tree(folder / name);
    if (!part) return pass_on(part);
    digest.field(part->hex);
    both.bytes += part->bytes;
  }
  both.hex = digest.hex();
  return both;
}

std::optional<Entry> parse_entry(const fs::path& folder) {
  std::istringstream text(read_text(folder / "entry"));
  Entry entry;
  std::string format, state, end;
  text >> format >> state >> entry.failed_stage >> entry.seconds >> entry.bytes >> entry.digest >> end;
  if (!text || format != kFormat || end != "end") return std::nullopt;
  entry.ok = state == "ok";
  if (entry.ok) entry.failed_stage.clear();
  return entry;
}

}  // namespace

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Status write_text(const fs::path& file, const std::string& text) {
  auto fresh = file;
  fresh += "." + random_hex(6);
  std::error_code error;
  {
    std::ofstream stream(fresh, std::ios::binary);
    if (!(stream << text).flush()) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(fresh, file, error);
  if (!error) return {};
  fs::remove(fresh, error);
  return fail(Errc::io, "cannot write '" + file.string() + "': the disk may be full");
}

Result<TreeDigest> digest_tree(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    paths.push_back(it->path());
  if (error) return fail(Errc::io, "cannot read '" + folder.string() + "': " + error.message());
  std::sort(paths.begin(), paths.end());
  Sha256 digest;
  std::uint64_t bytes = 0;
  for (const auto& path : paths) {
    struct stat facts {};
    if (lstat(path.c_str(), &facts) != 0) return fail(Errc::io, "cannot read '" + path.string() + "'");
    digest.field(path.lexically_relative(folder).string()).field(std::to_string(facts.st_mode));
    if (S_ISLNK(facts.st_mode)) digest.field(fs::read_symlink(path, error).string());
    if (!S_ISREG(facts.st_mode)) continue;
    digest.field(std::to_string(facts.st_size));
    if (auto done = hash_file(path, digest, bytes); !done) return pass_on(done);
  }
  return TreeDigest{digest.hex(), bytes};
}

std::uint64_t size_of_tree(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    struct stat facts {};
    if (lstat(it->path().c_str(), &facts) == 0 && S_ISREG(facts.st_mode))
      bytes += static_cast<std::uint64_t>(facts.st_size);
  }
  return bytes;
}

std::optional<Entry> load_entry(const fs::path& folder) {
  auto entry = parse_entry(folder);
  if (!entry) return std::nullopt;
  const auto found = digest_entry(folder);
  if (!found || found->hex != entry->digest) return std::nullopt;
  return entry;
}

Status finish_entry(const fs::path& folder, const Entry& entry, const std::string& log) {
  const auto digest = digest_entry(folder);
  if (!digest) return pass_on(digest);
  if (auto done = write_text(folder / "log.txt", log); !done) return done;
  std::ostringstream text;
  text << kFormat << '\n'
       << (entry.ok ? "ok" : "failed") << '\n'
       << (entry.failed_stage.empty() ? "-" : entry.failed_stage) << '\n'
       << entry.seconds << '\n'
       << digest->bytes + log.size() << '\n'
       << digest->hex << "\nend\n";
  mark_used(folder);
  return write_text(folder / "entry", text.str());
}

void mark_used(const fs::path& folder) { std::ofstream(folder / "used", std::ios::trunc) << "\n"; }

void evict(const fs::path& entries, const fs::path& locks, std::uint64_t size_max) {
  struct Candidate {
    fs::file_time_type used;
    std::uint64_t bytes;
    fs::path folder;
  };
  std::vector<Candidate> all;
  std::uint64_t total = 0;
  std::error_code error;
  for (const auto& folder : fs::directory_iterator(entries, error)) {
    if (fs::exists(folder.path() / kPinned, error)) continue;
    const auto entry = parse_entry(folder.path());
    if (!entry) {  // being built, or left by a runner that was killed
      const auto free =
          FileLock::try_acquire(locks / (folder.path().filename().string() + ".lock"), LockKind::exclusive);
      if (free) (void)remove_tree(folder.path());
      continue;
    }
    all.push_back({fs::last_write_time(folder.path() / "used", error), entry->bytes, folder.path()});
    total += entry->bytes;
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.used < b.used; });
  for (const auto& candidate : all) {
    if (total <= size_max) return;
    const auto lock = locks / (candidate.folder.filename().string() + ".lock");
    const auto held = FileLock::try_acquire(lock, LockKind::exclusive);
    if (!held) continue;
    fs::remove(candidate.folder / "entry", error);
    if (remove_tree(candidate.folder)) total -= candidate.bytes;
  }
}

}  // namespace kernelgate::build_detail
