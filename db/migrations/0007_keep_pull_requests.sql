-- Pull requests of runs, webhook deliveries, and what an App is installed on.

ALTER TABLE repositories ADD COLUMN full_name TEXT NOT NULL DEFAULT '';

ALTER TABLE runs ADD COLUMN pull_request INTEGER;
ALTER TABLE runs ADD COLUMN target_branch TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN head_repository TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN fork INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN sender TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN pushed_at INTEGER;
ALTER TABLE runs ADD COLUMN superseded_by INTEGER REFERENCES runs (id);
CREATE INDEX runs_by_pull_request ON runs (repository_id, pull_request, id) WHERE pull_request IS NOT NULL;

CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY,
  delivery TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL,
  action TEXT NOT NULL,
  repository TEXT NOT NULL,
  sender TEXT NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER NOT NULL,
  detail TEXT NOT NULL,
  run_id INTEGER REFERENCES runs (id),
  body_bytes INTEGER NOT NULL,
  body_zstd BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  seen INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX deliveries_by_time ON deliveries (last_seen_at);

CREATE TABLE installation_repositories (
  full_name TEXT PRIMARY KEY,
  installation INTEGER NOT NULL,
  suspended INTEGER NOT NULL DEFAULT 0,
  noted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX installation_repositories_by_installation ON installation_repositories (installation);
