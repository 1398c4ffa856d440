// SPDX-License-Identifier: Apache-2.0
// A search for a culprit as the API tells it.
export interface BisectionStep {
  number: number;
  head: string;
  base: string;
  confirming: boolean;
  run: number;
  reading: string;
  ratio: number | null;
  why: string;
}

export interface Bisection {
  id: number;
  repository: string;
  suite: string;
  benchmark: string;
  until: string;
  state: string;
  ending: string;
  text: string;
  good: string;
  bad: string;
  commits: number;
  culprit: string | null;
  suspects: string[];
  ratio: number | null;
  comparisons: number;
  who: string;
  created_at: string;
  finished_at: string | null;
  steps: BisectionStep[];
}

/** What a search came to: its ending, or the state it is in. */
export const endOf = (one: Bisection): string => one.ending || one.state;
