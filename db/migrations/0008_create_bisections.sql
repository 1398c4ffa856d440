-- Bisections: a search for the commit that made a benchmark slower or wrong. Each step is an ordinary run.

CREATE TABLE bisections (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  suite TEXT NOT NULL,
  benchmark TEXT NOT NULL,
  aim TEXT NOT NULL,
  commits TEXT NOT NULL,
  who TEXT NOT NULL,
  state TEXT NOT NULL,
  ending TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL DEFAULT '',
  low INTEGER NOT NULL DEFAULT 0,
  high INTEGER NOT NULL,
  effect REAL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX bisections_by_repository ON bisections (repository_id, id);

CREATE TABLE bisection_steps (
  bisection_id INTEGER NOT NULL REFERENCES bisections (id),
  number INTEGER NOT NULL,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  head INTEGER NOT NULL,
  base INTEGER NOT NULL,
  confirming INTEGER NOT NULL,
  reading TEXT NOT NULL DEFAULT '',
  mean REAL NOT NULL DEFAULT 0,
  half_width REAL NOT NULL DEFAULT 0,
  slower INTEGER NOT NULL DEFAULT 0,
  settled INTEGER NOT NULL DEFAULT 0,
  why TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (bisection_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX bisection_steps_by_run ON bisection_steps (run_id);
