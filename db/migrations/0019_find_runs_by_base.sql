-- SPDX-License-Identifier: Apache-2.0
-- Which commits of a branch later runs were measured against: those are on the branch, also where a push was refused first.
CREATE INDEX runs_by_base ON runs (base_id, id) WHERE base_id IS NOT NULL;
