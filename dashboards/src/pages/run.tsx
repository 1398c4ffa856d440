// SPDX-License-Identifier: Apache-2.0
// One run: its headline, kernels that do not work, every benchmark on one forest plot, and how to repeat it.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { getJson } from '../lib/api';
import { useData, useNow, useRunEvents } from '../lib/data';
import { formatMoney, formatSeconds } from '../lib/format';
import { Link } from '../lib/router';
import type { Cost, Run } from '../lib/types';
import { isFinished, lookOf, outcomeOf, stageOf, stages } from '../lib/verdict';
import type { PageProps } from '../routes';
import { RunActions } from '../run/actions';
import { Comparisons } from '../run/comparisons';
import { reproduce } from '../run/detail';
import { Failures } from '../run/failures';
import { Regions, Workloads } from '../run/findings';
import { Checks, Logs, useRecords } from '../run/logs';
import { Profiles, type Profile } from '../run/profiles';
import { RunRoofline } from '../run/roofline';
import { Commit } from '../ui/commit';
import { Badge, Copyable, Empty, ErrorBox, Facts, Loading, Notice, Section, Time } from '../ui/parts';
import '../style/run.css';

function Progress({ run }: { run: Run }) {
  const now = useNow(1000);
  const since = run.started_at || run.created_at;
  return (
    <div class="progress">
      <progress value={stageOf(run)} max={1} aria-label={`Stage: ${run.state}`} />
      <ol>
        {stages.map((stage) => (
          <li key={stage} aria-current={stage === run.state ? 'step' : undefined}>
            {stage}
          </li>
        ))}
      </ol>
      <p class="dim">
        {run.progress || 'Waiting for a runner.'} {formatSeconds(Math.max(0, (now - Date.parse(since)) / 1000))} so far.
      </p>
    </div>
  );
}

function costText(cost: Cost | undefined, run: Run): string {
  const seconds = `${formatSeconds(run.gpu_s_used)} used, ${formatSeconds(run.gpu_s_held)} held`;
  if (!cost) return seconds;
  const saved = cost.seconds_saved > 0 ? `; early stopping saved ${formatSeconds(cost.seconds_saved)}` : '';
  return (
    seconds +
    saved +
    (cost.cost_held === null ? '' : `; ${formatMoney(cost.cost_held)} at ${formatMoney(cost.price_per_hour)} an hour`)
  );
}

function factsOf(run: Run, cost: Cost | undefined): [string, ComponentChildren][] {
  const rows: [string, ComponentChildren][] = [
    ['Repository', <Link to={`/runs?repository=${encodeURIComponent(run.repository)}`}>{run.repository}</Link>],
    ['Head', <Commit repository={run.repository} hash={run.commit} />],
    ['Base', run.base_commit ? <Commit repository={run.repository} hash={run.base_commit} /> : 'none'],
    [
      'Branch',
      run.branch ? (
        <Link to={`/runs?repository=${encodeURIComponent(run.repository)}&branch=${encodeURIComponent(run.branch)}`}>
          {run.branch}
        </Link>
      ) : (
        '–'
      ),
    ],
    ['Author', run.author || '–'],
    ['Testbed', run.testbed || 'not claimed yet'],
    ['Created', <Time at={run.created_at} />],
  ];
  if (run.pull_request) {
    const { number, fork, head_repository, sender } = run.pull_request;
    const from = fork ? ` of ${head_repository || 'a fork'}` : '';
    rows.push(['Pull request', `#${number}${from} by ${sender || 'unknown'}`]);
  }
  if (run.finished_at)
    rows.push([
      'Duration',
      formatSeconds((Date.parse(run.finished_at) - Date.parse(run.started_at || run.created_at)) / 1000),
    ]);
  if (isFinished(run)) rows.push(['GPU time', <span class="device-cost">{costText(cost, run)}</span>]);
  if (run.reused_from)
    rows.push(['Verdict reused from', <Link to={`/runs/${run.reused_from}`}>#{run.reused_from}</Link>]);
  if (run.retry_of) rows.push(['Retry of', <Link to={`/runs/${run.retry_of}`}>#{run.retry_of}</Link>]);
  return rows;
}

/** A histogram in figures is for terminals: the benchmark's row shows it as a picture. */
const withoutCounts = (text: string) =>
  text.replace(/; counts from [\d.e+]+ to [\d.e+]+ ns, base [\d ]+, head [\d ]+$/, '');

function Head({ run, changed }: { run: Run; changed: () => void }) {
  const path = `/api/v1/runs/${run.id}/cost`;
  const cost = useData(isFinished(run) ? path : '', (signal) => getJson<Cost>(path, signal));
  return (
    <>
      <div class="page-head run-head">
        <h1>
          <span class="dim">#{run.id}</span> {run.subject || 'Commit not fetched yet'}
        </h1>
        <RunActions run={run} changed={changed} />
      </div>
      <div class={`conclusion tone-${lookOf(outcomeOf(run)).tone}`}>
        <Badge name={outcomeOf(run)} />
        <p>{run.headline}</p>
      </div>
      {isFinished(run) || run.state === 'held' ? null : <Progress run={run} />}
      <Facts rows={factsOf(run, cost.data)} />
      {run.notices.length > 0 ? (
        <div class="notices">
          {run.notices.map((text) => (
            <Notice key={text}>{withoutCounts(text)}</Notice>
          ))}
        </div>
      ) : null}
    </>
  );
}

export default function RunPage({ parameters }: PageProps) {
  const id = parameters.id ?? '';
  const path = `/api/v1/runs/${encodeURIComponent(id)}`;
  const { data: run, error, again } = useData(path, (signal) => getJson<Run>(path, signal));
  const profiles = useData(run && isFinished(run) ? `${path}/profiles` : '', (signal) =>
    getJson<{ profiles: Profile[] }>(`${path}/profiles`, signal),
  );
  const records = useRecords(run);
  const refresh = () => {
    again();
    profiles.again();
  };
  useRunEvents((event) => {
    if (String(event.id) === id) refresh();
  });
  useEffect(() => {
    if (run) document.title = `#${run.id} ${lookOf(outcomeOf(run)).word}: ${run.subject} · kernelgate`;
  }, [run]);
  if (error && !run)
    return (
      <div class="page">
        <h1>Run {id}</h1>
        <ErrorBox error={error} again={again} />
        <p>
          <Link to="/runs">All runs</Link>
        </p>
      </div>
    );
  if (!run) return <Loading lines={14} />;
  return (
    <div class="page">
      <Head run={run} changed={refresh} />
      <Failures run={run} />
      <Workloads run={run} />
      <Regions run={run} />
      <Comparisons run={run} />
      {isFinished(run) && run.comparisons.length === 0 ? (
        <Empty title="No benchmarks were compared">{run.reason ? <p class="dim">{run.reason}</p> : null}</Empty>
      ) : null}
      <RunRoofline run={run} />
      {records ? (
        <>
          <Profiles profiles={profiles.data?.profiles ?? []} />
          <Checks cases={records.checks} />
          <Logs run={run} logs={records.logs} />
          <Section title="Reproduce">
            <Copyable label="the command that repeats this run" text={reproduce(run)} />
          </Section>
        </>
      ) : null}
    </div>
  );
}
