-- A comparison is read from the decision's document alone: columns hold what queries filter, sort and list by. What a
-- verdict depends on beside its policy (no sandbox), and whose code a run is of, are columns.

CREATE TABLE kept_comparisons (
  run_id INTEGER NOT NULL REFERENCES runs (id),
  position INTEGER NOT NULL,
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  epoch_id INTEGER REFERENCES epochs (id),
  verdict TEXT NOT NULL,
  reason TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  round INTEGER NOT NULL,
  pairs INTEGER NOT NULL,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  base_median_ns REAL,
  head_median_ns REAL,
  sum_squares REAL NOT NULL,
  degrees INTEGER NOT NULL,
  against TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT;
INSERT INTO kept_comparisons
  SELECT run_id, position, benchmark_id, epoch_id, verdict, reason, fingerprint, round, pairs, ratio, ratio_low,
    ratio_high, base_median_ns, head_median_ns, sum_squares, degrees, against FROM comparisons;
DROP TABLE comparisons;
ALTER TABLE kept_comparisons RENAME TO comparisons;
CREATE INDEX comparisons_by_benchmark ON comparisons (benchmark_id, epoch_id, run_id) WHERE degrees > 0;

ALTER TABLE runs ADD COLUMN sandbox TEXT NOT NULL DEFAULT '';
UPDATE runs SET sandbox = 'none', policy = replace(policy, ' sandbox=none', '') WHERE policy LIKE '% sandbox=none%';
ALTER TABLE runs ADD COLUMN trust TEXT NOT NULL DEFAULT 'trusted';
UPDATE runs SET trust = 'fork' WHERE fork <> 0;
ALTER TABLE runs DROP COLUMN fork;
