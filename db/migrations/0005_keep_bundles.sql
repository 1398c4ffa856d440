-- What a replay of a verdict needs beside the evidence. Rows of older programs have none of it.

ALTER TABLE run_documents ADD COLUMN manifest TEXT NOT NULL DEFAULT '';
ALTER TABLE run_documents ADD COLUMN program TEXT NOT NULL DEFAULT '';
ALTER TABLE run_documents ADD COLUMN rule_version INTEGER NOT NULL DEFAULT 0;

-- What calibration found: rates of the rule on programs that are the same, or slower by a known amount.

CREATE TABLE calibrations (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  epoch_id INTEGER NOT NULL REFERENCES epochs (id),
  commit_hash TEXT NOT NULL,
  rule_version INTEGER NOT NULL,
  program TEXT NOT NULL,
  calibrated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX calibrations_by_epoch ON calibrations (repository_id, epoch_id, id);

CREATE TABLE calibration_benchmarks (
  calibration_id INTEGER NOT NULL REFERENCES calibrations (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  injected REAL NOT NULL,
  pairs INTEGER NOT NULL,
  ratio REAL NOT NULL,
  ratio_low REAL NOT NULL,
  ratio_high REAL NOT NULL,
  sum_squares REAL NOT NULL,
  degrees INTEGER NOT NULL,
  detectable REAL NOT NULL,
  tolerate REAL NOT NULL,
  catch_limit REAL NOT NULL,
  trials INTEGER NOT NULL,
  regressed INTEGER NOT NULL,
  improved INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  undecided INTEGER NOT NULL,
  suspected INTEGER NOT NULL,
  PRIMARY KEY (calibration_id, benchmark_id, injected)
) STRICT, WITHOUT ROWID;
CREATE INDEX calibration_benchmarks_by_benchmark ON calibration_benchmarks (benchmark_id, calibration_id);
