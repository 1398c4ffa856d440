-- A secret of a repository's own for its webhooks.

ALTER TABLE repositories ADD COLUMN webhook_secret TEXT NOT NULL DEFAULT '';
ALTER TABLE repositories ADD COLUMN webhook_secret_before TEXT NOT NULL DEFAULT '';
ALTER TABLE repositories ADD COLUMN webhook_secret_at INTEGER;
