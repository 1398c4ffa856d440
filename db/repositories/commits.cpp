// SPDX-License-Identifier: Apache-2.0
#include "db/repositories/commits.hpp"

namespace kernelgate::db {

CommitId put_commit(Connection& connection, RepositoryId repository, const CommitFacts& facts) {
  CommitId id;
  {
    Statement put = connection.query(
        "INSERT INTO commits (repository_id, hash, tree, subject, author) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (repository_id, hash) DO UPDATE SET "
        "tree = CASE WHEN excluded.tree <> '' THEN excluded.tree ELSE commits.tree END, "
        "subject = CASE WHEN excluded.subject <> '' THEN excluded.subject ELSE commits.subject "
        "END, "
        "author = CASE WHEN excluded.author <> '' THEN excluded.author ELSE commits.author END "
        "RETURNING id",
        repository, facts.hash, facts.tree, facts.subject, facts.author);
    if (!put.step()) throw DbError(Error{Errc::io, "the store: a commit was not written", facts.hash, {}});
    id = put.id<CommitId>(0);
  }
  for (std::size_t i = 0; i < facts.parents.size(); ++i) {
    connection.run(
        "INSERT INTO commit_parents (commit_id, position, hash) VALUES (?, ?, ?) ON CONFLICT DO "
        "NOTHING",
        id, i, facts.parents[i]);
  }
  return id;
}

std::optional<Commit> find_commit(Connection& connection, RepositoryId repository, std::string_view hash) {
  Statement row = connection.query(
      "SELECT id, hash, tree, subject, author FROM commits WHERE repository_id = ? AND hash = ?", repository, hash);
  if (!row.step()) return std::nullopt;
  Commit commit{.id = row.id<CommitId>(0), .repository = repository, .facts = {}};
  commit.facts = {
      .hash = row.text(1), .tree = row.text(2), .subject = row.text(3), .author = row.text(4), .parents = {}};
  Statement parent =
      connection.query("SELECT hash FROM commit_parents WHERE commit_id = ? ORDER BY position", commit.id);
  while (parent.step()) commit.facts.parents.push_back(parent.text(0));
  return commit;
}

std::vector<std::string> bad_commits(Connection& connection, RepositoryId repository, int limit) {
  // The runs that say so are few beside all runs, so start from them.
  Statement row = connection.query(
      "SELECT c.hash FROM runs r JOIN commits c ON c.id = r.head_id "
      "WHERE r.state = 'done' AND r.conclusion IN ('broken', 'build_failed') AND r.trust = 'trusted' AND "
      "r.repository_id = "
      "? "
      "AND NOT EXISTS (SELECT 1 FROM runs later WHERE later.head_id = r.head_id AND later.id > "
      "r.id "
      "AND later.trust = 'trusted' "
      "AND later.conclusion IN ('passed', 'regressed', 'broken', 'build_failed', 'undecided')) "
      "ORDER BY r.id DESC LIMIT ?",
      repository, limit);
  std::vector<std::string> hashes;
  while (row.step()) hashes.push_back(row.text(0));
  return hashes;
}

}  // namespace kernelgate::db
