// SPDX-License-Identifier: Apache-2.0
// The ledger: what was tried, what came of it, what it cost and what was learnt; sweeps as matrices.
import { getJson, post, url } from '../lib/api';
import { useData } from '../lib/data';
import { formatChange, formatInterval, formatMoney, formatSeconds, plural } from '../lib/format';
import { Link, useQuery } from '../lib/router';
import {
  cellKey,
  failuresOf,
  heatOf,
  matricesOf,
  type Attempt,
  type AttemptPage,
  type Matrix,
  type TuningSweep,
} from '../lib/sweep';
import { lookOf } from '../lib/verdict';
import { Actions, type Action } from '../ui/ask';
import { RepositoryChoice, useRepository } from '../ui/choose';
import { Dot, Empty, ErrorBox, Loading, Pages, Section, Time } from '../ui/parts';
import '../style/attempts.css';

const outcomes = ['', 'failed', 'won', 'lost', 'mixed', 'no_change', 'undecided', 'not_measured', 'not_tried'];

/** The verdicts that the ledger's words look like. */
const toneOf: Record<string, string> = {
  won: 'improved',
  lost: 'regressed',
  no_change: 'unchanged',
  not_tried: 'queued',
  identical: 'identical',
  added: 'added',
  reference: 'added',
};

function Outcome({ attempt }: { attempt: Attempt }) {
  const { tone, glyph } = lookOf(toneOf[attempt.outcome] ?? (attempt.failed ? 'broken' : 'undecided'));
  return (
    <span class={`badge tone-${tone}`}>
      <span aria-hidden="true" class="glyph">
        {glyph}
      </span>
      {attempt.outcome.replace(/_/g, ' ')}
    </span>
  );
}

const secondsOf = ({ cost }: Attempt) => cost.build_s + cost.check_s + cost.measure_s;
const titleOf = (attempt: Attempt) => attempt.hypothesis || attempt.subject || attempt.point || 'Untitled idea';

function Number({ attempt }: { attempt: Attempt }) {
  const { shown } = attempt;
  if (!shown) return <span class="dim">not timed</span>;
  return (
    <span title={`${shown.suite}/${shown.benchmark}: ${formatInterval(shown.low, shown.high)}`}>
      <strong>{formatChange(shown.ratio)}</strong> <span class="dim">{shown.benchmark}</span>
    </span>
  );
}

const words = (hypothesis: string, lesson: string) => [
  {
    name: 'hypothesis',
    label: 'Hypothesis (why it should be faster)',
    value: hypothesis,
    type: 'area' as const,
    optional: true,
  },
  { name: 'lesson', label: 'Lesson (what we learned)', value: lesson, type: 'area' as const, optional: true },
];

const noteAction = (attempt: Attempt): Action => ({
  label: 'Note',
  title: `Note on attempt ${attempt.id}`,
  role: 'trigger',
  explain: 'Notes for whoever tries this next.',
  fields: words(attempt.hypothesis, attempt.lesson),
  run: async ({ hypothesis, lesson }) =>
    void (await post(`/api/v1/attempts/${attempt.id}`, { hypothesis, lesson }, 'PATCH')),
});

const ideaAction = (repository: string): Action => ({
  label: 'Add idea',
  button: 'Add idea…',
  role: 'trigger',
  explain: 'It is listed as not tried until the first run of its branch.',
  fields: [
    { name: 'hypothesis', label: 'Hypothesis (why it should be faster)', type: 'area' },
    { name: 'branch', label: 'Branch that will implement it', optional: true },
  ],
  run: async ({ hypothesis, branch }) => void (await post('/api/v1/attempts', { repository, hypothesis, branch })),
});

function Entry({ attempt, changed }: { attempt: Attempt; changed: () => void }) {
  const { cost } = attempt;
  const run = attempt.runs[0];
  const [build, check, timing] = [cost.build_s, cost.check_s, cost.measure_s].map(formatSeconds);
  const parts = `build ${build}, checks ${check}, timing ${timing}`;
  return (
    <li class="attempt" id={`attempt-${attempt.id}`} data-row>
      <div class="attempt-head">
        <Outcome attempt={attempt} />
        <h3 class="wrap">{run ? <Link to={`/runs/${run}`}>{titleOf(attempt)}</Link> : titleOf(attempt)}</h3>
        <Actions actions={[noteAction(attempt)]} changed={changed} />
      </div>
      <p class="attempt-facts">
        <Number attempt={attempt} />
        <span class="dim" title={parts}>
          {formatSeconds(secondsOf(attempt))}
          {cost.money !== null ? `, ${formatMoney(cost.money)} GPU cost` : ''}
        </span>
        <span class="dim">{[attempt.kind.replace('_', ' '), attempt.branch].filter(Boolean).join(' on ')}</span>
        <span class="dim">
          #{attempt.id}, <Time at={attempt.tried_at || attempt.created_at} age />
        </span>
      </p>
      {attempt.hypothesis && attempt.subject ? <p class="dim wrap">{attempt.subject}</p> : null}
      {attempt.failed || attempt.outcome === 'lost' ? <p class="wrap attempt-detail">{attempt.detail}</p> : null}
      {attempt.lesson ? (
        <p class="lesson wrap">
          <strong>Lesson:</strong> {attempt.lesson}
        </p>
      ) : null}
      {attempt.alike.length > 0 ? (
        <p class="attempt-facts">
          <span>Tried before (same {attempt.alike[0]!.how}):</span>
          {attempt.alike.map((one) => (
            <a key={one.attempt} href={`#attempt-${one.attempt}`}>
              #{one.attempt} {one.name} ({one.outcome.replace(/_/g, ' ')})
            </a>
          ))}
        </p>
      ) : null}
    </li>
  );
}

function Cell({ attempt }: { attempt: Attempt | undefined }) {
  if (!attempt)
    return (
      <td class="heat-cell none">
        <span class="dim" title="not measured">
          ·
        </span>
      </td>
    );
  const outcome = attempt.outcome.replace(/_/g, ' ');
  const { shown } = attempt;
  const ratio = shown?.ratio ?? null;
  const heat = ratio === null || attempt.failed ? 0 : heatOf(ratio);
  const step = Math.ceil(Math.abs(heat) * 4);
  const tone = attempt.failed ? 'failed' : step === 0 ? 'level' : `${heat < 0 ? 'faster' : 'slower'}-${step}`;
  const run = attempt.runs[0];
  const text = attempt.failed || ratio === null ? outcome : formatChange(ratio);
  return (
    <td
      class={`heat-cell heat-${tone}`}
      title={`${attempt.point}: ${outcome}. ${shown && !attempt.failed ? `${shown.benchmark}. ` : ''}${attempt.detail}`}
    >
      {attempt.failed ? <Dot name="broken" /> : null}
      {run ? <Link to={`/runs/${run}`}>{text}</Link> : text}
      {attempt.outcome === 'reference' ? <span class="dim"> reference</span> : null}
    </td>
  );
}

function HeatMap({ matrix }: { matrix: Matrix }) {
  return (
    <div class="heat" tabIndex={0} role="group" aria-label={`Matrix of ${matrix.column} and ${matrix.row}`}>
      <table>
        <caption>{matrix.title || 'All points'}</caption>
        <thead>
          <tr>
            <th scope="col" class="heat-axes">
              {matrix.row ? <span>{matrix.row} ↓</span> : null} <span>{matrix.column} →</span>
            </th>
            {matrix.columns.map((one) => (
              <th key={one} scope="col">
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((row) => (
            <tr key={row}>
              <th scope="row">{row || matrix.column}</th>
              {matrix.columns.map((column) => (
                <Cell key={column} attempt={matrix.cell.get(cellKey(row, column))} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Sweeps({ sweeps, points }: { sweeps: TuningSweep[]; points: Attempt[] }) {
  return (
    <>
      {sweeps.map(({ attempts, best }) => {
        const own = points.filter((one) => attempts.includes(one.id));
        const failures = failuresOf(own);
        const fastest = own.find((one) => one.id === best && one.outcome !== 'reference');
        const failed = own.filter((one) => one.failed).length;
        return (
          <Section
            key={own[0]!.id}
            title={`Sweep of ${own[0]!.suite}`}
            note={`${own[0]!.subject || own[0]!.commit.slice(0, 10)}; ${plural(own.length, 'point')}, ${failed} failed`}
          >
            {fastest ? (
              <p class="wrap">
                Fastest:{' '}
                <strong>
                  <code>{fastest.point}</code>
                </strong>
                , {formatChange(fastest.shown!.ratio)} on {fastest.shown!.benchmark}.{' '}
                <span class="dim">Each cell shows the benchmark that changed most relative to the reference.</span>
              </p>
            ) : null}
            <div class="heats">
              {matricesOf(own).map((matrix) => (
                <HeatMap key={matrix.title} matrix={matrix} />
              ))}
            </div>
            {failures.length > 0 ? <h3>Failed points</h3> : null}
            <ul class="failed-points">
              {failures.map((group) => (
                <li key={group[0]!.id} class="wrap">
                  <strong>
                    {plural(group.length, 'point')}, {group[0]!.outcome.replace(/_/g, ' ')}:
                  </strong>{' '}
                  {group[0]!.detail}
                  <ul>
                    {group.map((one) => (
                      <li key={one.id}>
                        {one.runs[0] ? (
                          <Link to={`/runs/${one.runs[0]}`}>
                            <code>{one.point}</code>
                          </Link>
                        ) : (
                          <code>{one.point}</code>
                        )}
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          </Section>
        );
      })}
    </>
  );
}

export default function AttemptsPage() {
  const repository = useRepository();
  const [outcome, setOutcome] = useQuery('outcome');
  const [text, setText] = useQuery('text');
  const [older, setOlder] = useQuery('before');
  const path = url('/api/v1/attempts', { repository: repository.name, outcome, text, before: older, limit: 200 });
  const { data, error, again } = useData(repository.name && path, (signal) => getJson<AttemptPage>(path, signal));
  const points = data?.attempts.filter((one) => one.kind === 'point') ?? [];
  const others = data?.attempts.filter((one) => one.kind !== 'point') ?? [];
  return (
    <div class="page">
      <div class="page-head">
        <h1>Attempts</h1>
        {repository.name ? <Actions actions={[ideaAction(repository.name)]} changed={again} /> : null}
      </div>
      <div class="filters">
        <input
          type="search"
          data-search
          aria-label="Search"
          placeholder="Search hypothesis, lesson, branch"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <label>
          Outcome
          <select value={outcome} onChange={(event) => setOutcome(event.currentTarget.value)}>
            {outcomes.map((one) => (
              <option key={one} value={one}>
                {one ? one.replace(/_/g, ' ') : 'any'}
              </option>
            ))}
          </select>
        </label>
        <RepositoryChoice chosen={repository} />
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error && !(repository.known && !repository.name) ? <Loading lines={12} /> : null}
      {data && data.attempts.length === 0 ? (
        <Empty title="No matching attempts">
          <p class="dim">
            Every run of a branch is an attempt. A <code>Hypothesis:</code> line in the commit message says why.
          </p>
        </Empty>
      ) : null}
      {others.length > 0 ? (
        <Section title="Attempts" note={`${plural(others.length, 'attempt')}, newest first`}>
          <ol class="attempts">
            {others.map((attempt) => (
              <Entry key={attempt.id} attempt={attempt} changed={again} />
            ))}
          </ol>
        </Section>
      ) : null}
      {data ? <Sweeps sweeps={data.sweeps} points={points} /> : null}
      <Pages older={older} next={data?.next} go={setOlder} />
    </div>
  );
}
