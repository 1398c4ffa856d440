-- What a runner was told when it claimed a run: the final decision uses the same stored variances.

CREATE TABLE claims (
  run_id INTEGER NOT NULL REFERENCES runs (id),
  generation INTEGER NOT NULL,
  variances TEXT NOT NULL,
  PRIMARY KEY (run_id, generation)
) STRICT, WITHOUT ROWID;
