// SPDX-License-Identifier: Apache-2.0
// One search for a culprit: how it ended, each step with its run, and how to repeat it.
import type { ComponentChildren } from 'preact';
import { cancelAction } from '../bisect/actions';
import { endOf, type Bisection, type BisectionStep } from '../bisect/types';
import { getJson } from '../lib/api';
import { useData, useRunEvents } from '../lib/data';
import { formatChange, plural } from '../lib/format';
import { Link } from '../lib/router';
import { lookOf } from '../lib/verdict';
import type { PageProps } from '../routes';
import { Actions } from '../ui/ask';
import { Badge, Breakable, Copyable, ErrorBox, Facts, Hash, Loading, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import '../style/run.css';

const columns: Column<BisectionStep>[] = [
  {
    name: 'Step',
    lead: true,
    cell: (step) => (
      <Link to={`/runs/${step.run}`}>
        {step.number}
        {step.confirming ? ', confirming' : ''}
      </Link>
    ),
  },
  { name: 'Commit', cell: (step) => <Hash value={step.head} /> },
  { name: 'Compared with', cell: (step) => <Hash value={step.base} /> },
  { name: 'Result', cell: (step) => <Badge name={step.reading || 'measuring'} /> },
  { name: 'Change', numeric: true, cell: (step) => formatChange(step.ratio) },
  { name: 'Run', numeric: true, cell: (step) => <Link to={`/runs/${step.run}`}>#{step.run}</Link> },
  { name: 'Why', cell: (step) => step.why || '–' },
];

function factsOf(one: Bisection): [string, ComponentChildren][] {
  const rows: [string, ComponentChildren][] = [
    ['Repository', <Link to={`/bisections?repository=${encodeURIComponent(one.repository)}`}>{one.repository}</Link>],
    ['Good', <Hash value={one.good} />],
    ['Bad', <Hash value={one.bad} />],
    ['Commits', one.commits],
    ['Bad relative to good', formatChange(one.ratio)],
    ['Comparisons', one.comparisons],
    ['By', one.actor],
    ['Started', <Time at={one.created_at} />],
  ];
  if (one.finished_at) rows.push(['Ended', <Time at={one.finished_at} />]);
  if (one.benchmark) {
    const query = new URLSearchParams({ repository: one.repository, b: `${one.suite}/${one.benchmark}` });
    if (one.suite) rows.push(['History', <Link to={`/history?${query.toString()}`}>over commits</Link>]);
  }
  return rows;
}

function Culprit({ one }: { one: Bisection }) {
  const run = one.steps.find((step) => step.head === one.culprit)?.run;
  if (one.culprit)
    return (
      <Section title="Culprit">
        <p>
          <code class="wrap">{one.culprit}</code>
          {run ? (
            <>
              , measured by <Link to={`/runs/${run}`}>run #{run}</Link>
            </>
          ) : null}
        </p>
        <Copyable label="the command that shows the culprit" text={`git show ${one.culprit}`} />
      </Section>
    );
  if (one.suspects.length === 0) return null;
  return (
    <Section title="Suspects" note="one of these; the commits in between could not be measured">
      <ul class="lines">
        {one.suspects.map((commit) => (
          <li key={commit}>
            <code class="wrap">{commit}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** In a clone, the same search by a server. */
function command(one: Bisection): string {
  const what = one.benchmark ? ` --benchmark '${one.benchmark.replace(/'/g, `'\\''`)}'` : '';
  const until = one.until === 'broken' ? ' --until broken' : '';
  const where = `--server ${location.origin} --repository ${one.repository}`;
  return `kernelgate bisect ${where} --good ${one.good} --bad ${one.bad}${what}${until}`;
}

export default function BisectionPage({ parameters }: PageProps) {
  const id = parameters.id ?? '';
  const path = `/api/v1/bisections/${encodeURIComponent(id)}`;
  const { data: one, error, again } = useData(path, (signal) => getJson<Bisection>(path, signal));
  useRunEvents(again, one?.repository);
  if (error && !one)
    return (
      <div class="page">
        <h1>Bisection {id}</h1>
        <ErrorBox error={error} again={again} />
        <p>
          <Link to="/bisections">All bisections</Link>
        </p>
      </div>
    );
  if (!one) return <Loading lines={12} />;
  return (
    <div class="page">
      <div class="page-head">
        <h1>
          <span class="dim">Bisection {one.id}</span>{' '}
          {one.benchmark ? <Breakable text={one.benchmark} /> : 'any failure'}
        </h1>
        {one.state === 'running' ? <Actions actions={[cancelAction(one)]} changed={again} /> : null}
      </div>
      <div class={`conclusion tone-${lookOf(endOf(one)).tone}`}>
        <Badge name={endOf(one)} />
        <p>{one.text}</p>
      </div>
      <Facts rows={factsOf(one)} />
      <Culprit one={one} />
      <Section title="Steps" note={`${plural(one.steps.length, 'run')}, in the order they were queued`}>
        <Table caption="Steps of the search" columns={columns} rows={one.steps} keyOf={(step) => step.number} />
      </Section>
      <Section title="Repeat the search">
        <Copyable label="the command that repeats the search" text={command(one)} />
      </Section>
    </div>
  );
}
