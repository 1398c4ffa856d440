-- SPDX-License-Identifier: Apache-2.0
-- What the device's own clock saw of a benchmark in a process under it, as a document; '' of every other process.
ALTER TABLE processes ADD COLUMN device_times TEXT NOT NULL DEFAULT '';
