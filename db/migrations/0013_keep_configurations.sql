-- What a suite chose for a benchmark: variant and parameters.

ALTER TABLE series ADD COLUMN configuration TEXT NOT NULL DEFAULT '';
