-- Browsers that logged in, benchmarks set aside as unstable, and runs whose samples were thinned.

CREATE TABLE logins (
  id INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  token_id INTEGER NOT NULL REFERENCES tokens (id),
  began_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX logins_by_token ON logins (token_id, id);

CREATE TABLE quarantines (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  epoch_id INTEGER REFERENCES epochs (id),
  who TEXT NOT NULL,
  reason TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  released_at INTEGER,
  released_by TEXT NOT NULL DEFAULT '',
  released_reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX quarantines_by_repository ON quarantines (repository_id, id);
CREATE UNIQUE INDEX quarantines_in_force ON quarantines (benchmark_id, coalesce(epoch_id, 0))
  WHERE released_at IS NULL;

ALTER TABLE runs ADD COLUMN thinned_at INTEGER;
