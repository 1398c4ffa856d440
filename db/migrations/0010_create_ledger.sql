-- The ledger of attempts: what was tried and why, what came of it, what it cost, what was learnt.

CREATE TABLE attempt_facts (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id),
  hypothesis TEXT NOT NULL,
  patch_id TEXT NOT NULL,
  suite TEXT NOT NULL,
  point TEXT NOT NULL,
  is_reference INTEGER NOT NULL
) STRICT;

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  branch TEXT NOT NULL,
  commit_hash TEXT NOT NULL,
  subject TEXT NOT NULL,
  suite TEXT NOT NULL,
  point TEXT NOT NULL,
  hypothesis TEXT NOT NULL,
  lesson TEXT NOT NULL,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  best_benchmark_id INTEGER REFERENCES benchmarks (id),
  best_ratio REAL,
  best_low REAL,
  best_high REAL,
  worst_benchmark_id INTEGER REFERENCES benchmarks (id),
  worst_ratio REAL,
  worst_low REAL,
  worst_high REAL,
  timed INTEGER NOT NULL,
  improved INTEGER NOT NULL,
  regressed INTEGER NOT NULL,
  error_factor REAL,
  patch_id TEXT NOT NULL,
  code_sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  tried_at INTEGER,
  UNIQUE (repository_id, key)
) STRICT;
CREATE INDEX attempts_by_branch ON attempts (repository_id, branch, id);
CREATE INDEX attempts_by_patch ON attempts (patch_id, id) WHERE patch_id <> '';
CREATE INDEX attempts_by_code ON attempts (code_sha256, id) WHERE code_sha256 <> '';

CREATE TABLE attempt_runs (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id),
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  price_per_hour REAL
) STRICT;
CREATE INDEX attempt_runs_by_attempt ON attempt_runs (attempt_id, run_id);

CREATE TABLE attempt_failures (
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (attempt_id, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_failures_by_fingerprint ON attempt_failures (fingerprint, attempt_id);
