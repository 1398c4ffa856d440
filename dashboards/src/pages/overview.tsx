// SPDX-License-Identifier: Apache-2.0
// The current state on one page: what got slower and since when, what is broken, what is being measured, and its cost.
import { useEffect, useRef } from 'preact/hooks';
import { getAll, getJson, url } from '../lib/api';
import { useData, useRunEvents } from '../lib/data';
import { Broken, figuresOf, Regressions, Runners, Running, States } from '../overview/sections';
import type { Overview } from '../overview/types';
import { Empty, ErrorBox, Loading } from '../ui/parts';
import '../style/overview.css';

const SETTLE_MS = 400;

/** Calls at most once in a while, the last time at the end. */
function useSettled(call: () => void): () => void {
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return () => {
    if (timer.current) return;
    timer.current = window.setTimeout(() => {
      timer.current = 0;
      call();
    }, SETTLE_MS);
  };
}

export default function OverviewPage() {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const path = url('/api/v1/overview', { since_ms: midnight });
  const { data, error, again } = useData(path, (signal) => getJson<Overview>(path, signal));
  const repositories = useData('repositories', (signal) =>
    getAll<{ name: string }>('/api/v1/repositories', 'repositories', {}, signal),
  );
  const live = useRunEvents(useSettled(again));
  if (error && !data)
    return (
      <div class="page">
        <h1>Overview</h1>
        <ErrorBox error={error} again={again} />
      </div>
    );
  if (!data || !repositories.data) return <Loading lines={14} />;
  return (
    <div class="page">
      <div class="page-head">
        <h1>Overview</h1>
      </div>
      <dl class="figures">
        {figuresOf(data).map(([name, value, tones]) => {
          const [tone, note] = tones.split('|');
          return (
            <div key={name} class={`card figure tone-${tone}`}>
              <dt>{name}</dt>
              <dd>
                {value}
                {note ? <small>{note}</small> : null}
              </dd>
            </div>
          );
        })}
      </dl>
      {repositories.data.length === 0 ? (
        <Empty title="No repositories yet">
          <p class="dim">
            Add one with <code>kernelgate repository add</code>, then run <code>kernelgate hook install</code> in it to
            measure every push.
          </p>
        </Empty>
      ) : (
        <States states={data.states} recent={data.recent} repositories={repositories.data.map((one) => one.name)} />
      )}
      <Regressions rows={data.regressions} />
      <Broken rows={data.broken} />
      <Running rows={data.running} live={live} />
      <Runners rows={data.runners} />
    </div>
  );
}
