-- SPDX-License-Identifier: Apache-2.0
-- How much a run changed at most, so that a list of runs shows it without their comparisons.
ALTER TABLE runs ADD COLUMN largest_ratio REAL;
UPDATE runs SET largest_ratio = coalesce(
  (SELECT max(c.ratio) FROM comparisons c WHERE c.run_id = runs.id AND c.verdict = 'regressed'),
  (SELECT min(c.ratio) FROM comparisons c WHERE c.run_id = runs.id AND c.verdict = 'improved'))
WHERE reused_from IS NULL;
UPDATE runs SET largest_ratio = (SELECT o.largest_ratio FROM runs o WHERE o.id = runs.reused_from)
WHERE reused_from IS NOT NULL;
