-- What forges and others are still to be told: runs that changed, and messages about them.

CREATE TABLE run_changes (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id)
) STRICT;

-- Written with the change itself, by whichever statement makes it. Only runs of a server are ever held or queued, or
-- have a lease.
CREATE TRIGGER runs_added AFTER INSERT ON runs WHEN NEW.state IN ('held', 'queued') BEGIN
  INSERT INTO run_changes (run_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER runs_changed AFTER UPDATE OF state ON runs
WHEN NEW.state <> OLD.state AND (NEW.lease_sha256 <> '' OR OLD.state IN ('held', 'queued')) BEGIN
  INSERT INTO run_changes (run_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  target TEXT NOT NULL,
  lane TEXT NOT NULL,
  phase TEXT NOT NULL,
  status TEXT NOT NULL,
  delivery TEXT NOT NULL UNIQUE,
  remote_id TEXT NOT NULL DEFAULT '',
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  unanswered_at INTEGER,
  error TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX outbox_by_lane ON outbox (lane, id);
CREATE INDEX outbox_by_status ON outbox (status, id);
