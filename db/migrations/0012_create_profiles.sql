-- Profiles that people asked for: one benchmark of a finished run, on both its commits.

CREATE TABLE profiles (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  who TEXT NOT NULL,
  state TEXT NOT NULL,
  runner TEXT NOT NULL DEFAULT '',
  lease_sha256 TEXT,
  expires_at INTEGER,
  claims INTEGER NOT NULL DEFAULT 0,
  text TEXT NOT NULL DEFAULT '',
  base TEXT NOT NULL DEFAULT '',
  head TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX profiles_by_run ON profiles (run_id, id);
CREATE INDEX profiles_unfinished ON profiles (id) WHERE finished_at IS NULL;
