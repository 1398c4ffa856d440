// SPDX-License-Identifier: Apache-2.0
// A search for a culprit as the API tells it.
import type { Bisection } from '../lib/wire';

export type { Bisection, BisectionStep } from '../lib/wire';

/** What a search came to: its ending, or the state it is in. */
export const endOf = (one: Bisection): string => one.ending || one.state;
