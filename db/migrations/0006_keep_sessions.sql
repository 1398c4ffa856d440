-- Anchored baselines, the stored sessions that a claim carries, and regressions that somebody accepted.

ALTER TABLE baselines ADD COLUMN anchor INTEGER NOT NULL DEFAULT 0;
ALTER TABLE claims ADD COLUMN sessions TEXT NOT NULL DEFAULT '';
ALTER TABLE comparisons ADD COLUMN against TEXT NOT NULL DEFAULT 'pairs';

CREATE TABLE acknowledgements (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  run_id INTEGER NOT NULL REFERENCES runs (id),
  epoch_id INTEGER NOT NULL REFERENCES epochs (id),
  match TEXT NOT NULL,
  who TEXT NOT NULL,
  reason TEXT NOT NULL,
  accepted_at INTEGER NOT NULL,
  expires_at INTEGER,
  taken_back_at INTEGER,
  taken_back_by TEXT NOT NULL DEFAULT '',
  taken_back_reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX acknowledgements_by_repository ON acknowledgements (repository_id, id);

CREATE TABLE acknowledged_benchmarks (
  acknowledgement_id INTEGER NOT NULL REFERENCES acknowledgements (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  ratio REAL NOT NULL,
  head_median_ns REAL NOT NULL,
  PRIMARY KEY (acknowledgement_id, benchmark_id)
) STRICT, WITHOUT ROWID;
