-- One point per benchmark and run of head's processes: what a chart needs. Promoted baselines point at runs.

CREATE TABLE history (
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  run_id INTEGER NOT NULL REFERENCES runs (id),
  epoch_id INTEGER REFERENCES epochs (id),
  finished_at INTEGER NOT NULL,
  median_ns REAL NOT NULL,
  spread_ns REAL NOT NULL,
  process_count INTEGER NOT NULL,
  sample_count INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  PRIMARY KEY (benchmark_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE baselines (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  run_id INTEGER NOT NULL REFERENCES runs (id),
  epoch_id INTEGER NOT NULL REFERENCES epochs (id),
  name TEXT NOT NULL,
  who TEXT NOT NULL,
  reason TEXT NOT NULL,
  promoted_at INTEGER NOT NULL,
  replaced_at INTEGER
) STRICT;
CREATE INDEX baselines_by_repository ON baselines (repository_id, id);
CREATE UNIQUE INDEX baselines_present ON baselines (repository_id, name, epoch_id) WHERE replaced_at IS NULL;

CREATE TABLE baseline_benchmarks (
  baseline_id INTEGER NOT NULL REFERENCES baselines (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  median_ns REAL NOT NULL,
  process_count INTEGER NOT NULL,
  PRIMARY KEY (baseline_id, benchmark_id)
) STRICT, WITHOUT ROWID;
