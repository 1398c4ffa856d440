-- An acceptance on a pull request holds for that pull request's runs until what it accepted was merged.

ALTER TABLE acknowledgements ADD COLUMN pull_request INTEGER;
ALTER TABLE acknowledgements ADD COLUMN merged_at INTEGER;
UPDATE acknowledgements SET pull_request = (SELECT r.pull_request FROM runs r WHERE r.id = run_id);
-- Of older ones it is known where the default branch's own run judged the very commit.
UPDATE acknowledgements SET merged_at = accepted_at
  WHERE pull_request IS NOT NULL AND EXISTS (
    SELECT 1 FROM runs a JOIN runs m ON m.head_id = a.head_id JOIN repositories p ON p.id = m.repository_id
    WHERE a.id = acknowledgements.run_id AND m.trust = 'trusted' AND m.pull_request IS NULL
      AND m.branch = p.default_branch);
