// SPDX-License-Identifier: Apache-2.0
#include "db/store/backup.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "core/units/digest.hpp"
#include "db/store/connection.hpp"
#include "db/store/sqlite_state.hpp"
#include "db/store/store_file.hpp"
#include "db/store/work.hpp"

namespace kernelgate::db {
namespace {

struct FinishBackup {
  void operator()(sqlite3_backup* backup) const noexcept { sqlite3_backup_finish(backup); }
};

int single(Connection& connection, std::string_view sql) {
  Statement row = connection.query(sql);
  return row.step() ? static_cast<int>(row.integer(0)) : 0;
}

void require_integrity(Connection& connection) {
  const auto corrupt = [](const std::string& what) {
    throw DbError(Error{Errc::corrupt, "the store is damaged: " + what, {}, "restore the last backup"});
  };
  Statement pages = connection.query("PRAGMA integrity_check(1)");
  if (pages.step() && pages.text(0) != "ok") corrupt(pages.text(0));
  Statement references = connection.query("PRAGMA foreign_key_check");
  if (references.step()) corrupt("a row of " + references.text(0) + " refers to nothing");
  if (single(connection, "SELECT count(*) FROM pragma_table_info('runs') WHERE name = 'thinned_at'") == 0)
    return;  // a copy made before a migration from schema 10 or older, whose samples `migrate` does not touch
  // The samples say their own length, so a series cut short is found without decoding it. Of a thinned run, and of an
  // imported one, the quantiles are left of them.
  Statement series = connection.query(
      "SELECT s.process_id FROM series s JOIN processes p ON p.id = s.process_id JOIN runs r ON r.id = p.run_id "
      "WHERE length(s.samples) <> 8 * s.sample_count AND (r.thinned_at IS NULL OR length(s.samples) NOT BETWEEN 8 AND "
      "8 * s.sample_count OR length(s.samples) % 8 <> 0) LIMIT 1");
  if (series.step()) corrupt("a series of process " + series.text(0) + " has not the samples it says");
}

// In one step, under one snapshot: WAL readers do not hold up the writer.
void copy(Connection& from, Connection& to) {
  sqlite3* target = to.state().handle.get();
  std::unique_ptr<sqlite3_backup, FinishBackup> backup(
      sqlite3_backup_init(target, "main", from.state().handle.get(), "main"));
  if (!backup) throw_sqlite(target, sqlite3_errcode(target), "start the backup");
  const int code = sqlite3_backup_step(backup.get(), -1);
  if (code != SQLITE_DONE) throw_sqlite(target, code, "copy to the backup");
}

// What `path` holds, or which names a folder has, is on the disk.
void sync(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool good = file >= 0 && ::fsync(file) == 0;
  const int failed = errno;
  if (file >= 0) ::close(file);
  if (!good)
    throw DbError(Error{Errc::io, std::string("cannot be written to the disk: ") + std::strerror(failed), path.string(),
                        "look at the disk, then try again"});
}

BackupReport make_copy(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (Status known = check_store_file(from); !known) throw DbError(known.error());
  Connection source(from, {.mode = OpenMode::read_only});
  if (single(source, "SELECT count(*) FROM sqlite_master WHERE name = 'migrations'") == 0)
    throw DbError(Error{Errc::invalid, "the file is no kernelgate store", from.string(), "give another path"});
  Connection target(to);
  copy(source, target);
  target.script("PRAGMA journal_mode = DELETE");  // the backup is one file, with no WAL beside it
  require_integrity(target);
  BackupReport report{.size = {},
                      .pages = single(target, "PRAGMA page_count"),
                      .schema_version = single(target, "PRAGMA user_version")};
  report.size =
      Bytes{static_cast<std::uint64_t>(report.pages) * static_cast<std::uint64_t>(single(target, "PRAGMA page_size"))};
  return report;
}

}  // namespace

Result<BackupReport> back_up(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code ignored;
  const std::filesystem::path partial = to.string() + ".partial-" + random_hex(4);
  try {
    if (!std::filesystem::exists(from)) return fail(Errc::not_found, "there is no store", from.string());
    if (std::filesystem::exists(to))
      return fail(Errc::conflict, "the file exists", to.string(), "choose a new name for the backup");
    const BackupReport report = make_copy(from, partial);
    sync(partial);
    std::filesystem::rename(partial, to);
    sync(to.has_parent_path() ? to.parent_path() : ".");
    return report;
  } catch (...) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      std::filesystem::remove(partial.string() + suffix, ignored);
    return tl::unexpected<Error>(error_of(std::current_exception()));
  }
}

Status check_integrity(const std::filesystem::path& file) {
  try {
    if (!std::filesystem::exists(file)) return fail(Errc::not_found, "there is no store", file.string());
    Connection connection(file, {.mode = OpenMode::read_only});
    require_integrity(connection);
    return {};
  } catch (...) {
    return tl::unexpected<Error>(error_of(std::current_exception()));
  }
}

}  // namespace kernelgate::db
