-- One word each: an action of the audit log and its actor; an acceptance is revoked; the key of what a message
-- overwrites.

ALTER TABLE acts RENAME TO audit_log;
ALTER TABLE audit_log RENAME COLUMN act TO action;
ALTER TABLE baselines RENAME COLUMN who TO actor;
ALTER TABLE bisections RENAME COLUMN who TO actor;
ALTER TABLE profiles RENAME COLUMN who TO actor;
ALTER TABLE quarantines RENAME COLUMN who TO actor;
ALTER TABLE acknowledgements RENAME COLUMN who TO actor;
ALTER TABLE acknowledgements RENAME COLUMN taken_back_at TO revoked_at;
ALTER TABLE acknowledgements RENAME COLUMN taken_back_by TO revoked_by;
ALTER TABLE acknowledgements RENAME COLUMN taken_back_reason TO revoked_reason;

DROP INDEX outbox_by_lane;
ALTER TABLE outbox RENAME COLUMN lane TO key;
CREATE INDEX outbox_by_key ON outbox (key, id);
