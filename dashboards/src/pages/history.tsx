// SPDX-License-Identifier: Apache-2.0
// Benchmarks over commits: several benchmarks and testbeds on one axis, absolute or against a baseline. Every state is
// in the URL: b (suite/benchmark), testbed, branch, epochs, to, from and until.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { bisectAct } from '../bisect/acts';
import { getAll, url } from '../lib/api';
import { useData } from '../lib/data';
import {
  formatChange,
  formatExact,
  formatNs,
  formatRate,
  formatTick,
  formatTime,
  plural,
  shortHash,
} from '../lib/format';
import {
  figureOf,
  lineOf,
  stopsOf,
  wholeName,
  type BenchmarkHistory,
  type HistoryChange,
  type Line,
  type Shown,
  type Stop,
  type Track,
} from '../lib/history';
import { loadHistory, type HistoryData } from '../lib/history_load';
import { here, Link, navigate, usePlace, useQuery } from '../lib/router';
import { Acts } from '../ui/ask';
import { Chart, dashes, lineNumber, type ChartModel, type Level, type Mark } from '../ui/chart';
import { RepositoryChoice, useRepository } from '../ui/choose';
import { Badge, Empty, ErrorBox, Hash, Loading, Notice, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';

const BENCHMARKS_MAX = 6;

interface Model extends ChartModel {
  stops: Stop[];
  positions: Map<string, number>;
}

function formatFigure(value: number, shown: Shown): string {
  if (shown === 'time') return formatNs(value);
  if (shown === 'rate') return formatRate(value, 'FLOP');
  return shown === 'roof' ? `${(value * 100).toFixed(1)} %` : formatChange(value);
}

const titles: Record<string, string> = {
  time: 'median time',
  rate: 'FLOP per second: higher is faster',
  roof: 'share of the roof: higher is faster',
  start: 'ratio to the start of the epoch',
};

function marksOf(data: HistoryData, positions: Map<string, number>): Mark[] {
  const marks: Mark[] = [];
  const shown = new Map<number, number>();
  for (const [index, track] of data.tracks.entries())
    for (const epoch of track.epochs) {
      for (const point of epoch.points) shown.set(point.run, positions.get(point.commit)!);
      for (const change of epoch.changes)
        marks.push({
          at: positions.get(change.commit_after)! - 0.5,
          kind: 'change',
          line: index,
          text: `${change.ratio > 1 ? '▲' : '▼'} ${formatChange(change.ratio)}`,
        });
    }
  for (const one of data.accepted) {
    const at = shown.get(one.run);
    const about = one.benchmarks.some((benchmark) =>
      data.tracks.some((track) => track.epochs[0]!.benchmark === benchmark.benchmark),
    );
    if (at !== undefined && about && one.taken_back_at === null) marks.push({ at, kind: 'accepted', text: 'accepted' });
  }
  for (const [commit, name] of new Map(data.references.map((one) => [one.commit, one.name]))) {
    const at = positions.get(commit);
    if (at !== undefined) marks.push({ at, kind: 'promoted', text: name });
  }
  return marks.sort((a, b) => a.at - b.at);
}

function levelsOf(data: HistoryData, positions: Map<string, number>, to: string): Level[] {
  return data.tracks.flatMap((track) =>
    track.epochs.flatMap((epoch) => {
      const ends = [epoch.points[0]!, epoch.points[epoch.points.length - 1]!].map((point) =>
        positions.get(point.commit)!,
      );
      const figure = figureOf(epoch, to, data.references);
      return data.references
        .filter((one) => one.epoch === epoch.epoch && one.suite === epoch.suite && one.benchmark === epoch.benchmark)
        .map((one) => ({
          name: one.name,
          from: ends[0]! - 0.5,
          to: ends[1]! + 0.5,
          value: figure(one.median_ns),
          strong: one.anchor,
        }));
    }),
  );
}

function modelOf(data: HistoryData, to: string): Model {
  const stops = stopsOf(data.tracks);
  const positions = new Map(stops.map((stop, at) => [stop.commit, at]));
  return {
    stops,
    positions,
    count: stops.length,
    lines: data.tracks.map((track) => lineOf(track, positions, to, data.references)),
    marks: marksOf(data, positions),
    levels: levelsOf(data, positions, to),
    tick: (at) => {
      const stop = stops[at];
      return stop ? formatTick(stop.finished_at, stops[0]!.finished_at, stops[stops.length - 1]!.finished_at) : '';
    },
    format: (value) => (value > 0 ? formatFigure(value, to) : ''), // a quiet benchmark moves in the fourth digit
  };
}

/** The window of the URL as positions, and a way to write one back without a step for the back button. */
function useWindow(model: Model | undefined): [[number, number], (window: [number, number]) => void] {
  const query = usePlace().query;
  const asked = `${query.get('from') ?? ''}..${query.get('until') ?? ''}`;
  const own = useRef<{ asked: string; window: [number, number]; model?: Model }>({ asked: '', window: [0, 1] });
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const position = (hash: string, otherwise: number) => {
    const at = hash ? model!.stops.findIndex((stop) => stop.commit.startsWith(hash)) : -1;
    return at < 0 ? otherwise : at;
  };
  if (model && (own.current.asked !== asked || own.current.model !== model)) {
    const [from, until] = asked.split('..') as [string, string];
    own.current = { asked, model, window: [position(from, 0), position(until, Math.max(1, model.count - 1))] };
  }
  const set = (window: [number, number]) => {
    own.current.window = window;
    clearTimeout(timer.current);
    timer.current =
      window === undefined
        ? 0
        : Number(
            setTimeout(() => {
              if (!model) return;
              const [first, last] = [
                Math.max(0, Math.ceil(window[0])),
                Math.min(model.count - 1, Math.floor(window[1])),
              ];
              const from = first <= 0 ? '' : shortHash(model.stops[first]!.commit);
              const until = last >= model.count - 1 ? '' : shortHash(model.stops[last]!.commit);
              own.current.asked = `${from}..${until}`;
              setQuery({ from: from ? [from] : [], until: until ? [until] : [] }, true);
            }, 250),
          );
  };
  return [own.current.window, set];
}

function setQuery(changes: Record<string, string[]>, replace = false): void {
  const { path, query } = here();
  for (const [name, values] of Object.entries(changes)) {
    query.delete(name);
    for (const value of values) query.append(name, value);
  }
  const text = query.toString();
  navigate(path + (text ? '?' + text : ''), { replace });
}

function Swatch({ index }: { index: number }) {
  return (
    <svg width="26" height="10" aria-hidden="true">
      <line
        class={`line-${lineNumber(index)}`}
        x1="0"
        x2="26"
        y1="5"
        y2="5"
        stroke-width="2.5"
        stroke-dasharray={dashes[index % dashes.length]!.join(' ')}
      />
    </svg>
  );
}

interface ReadoutProps {
  model: Model;
  to: string;
  tell: { current: (at: number | null) => void };
  remove: (line: Line) => void;
}

/** The lines' names and their figures under the cursor; the newest ones where there is no cursor. */
function Readout({ model, to, tell, remove }: ReadoutProps) {
  const [at, set] = useState<number | null>(null);
  tell.current = set;
  const newest = (line: Line) => {
    for (let i = line.points.length - 1; i >= 0; --i) if (line.points[i]) return i;
    return 0;
  };
  const stop = at === null ? undefined : model.stops[at];
  return (
    <>
      <p class="readout" aria-live="polite">
        {stop ? (
          <>
            <Link to={`/runs/${stop.run}`}>Run #{stop.run}</Link>
            <Hash value={stop.commit} />
            <span title={formatExact(stop.finished_at)}>{formatTime(stop.finished_at)}</span>
          </>
        ) : (
          <span class="dim">Newest figures. Point at a commit for its own; a click opens its run.</span>
        )}
      </p>
      <ul class="plot-lines" aria-label="Lines">
        {model.lines.map((line, index) => {
          const place = at ?? newest(line);
          const point = line.points[place];
          const spread = point ? `± ${formatChange(1 + point.spread_ns / 2 / point.median_ns).slice(1)}` : '';
          return (
            <li key={index}>
              <Swatch index={index} />
              <span class="name">
                {line.name} <span class="dim">{line.testbed}</span>
              </span>
              <span class="value">{point && line.value[place]! > 0 ? formatFigure(line.value[place]!, to) : '–'}</span>
              <span class="value spread dim" title="Half the spread of the processes' medians">
                {spread}
              </span>
              <span class="verdict">{point ? <Badge name={point.verdict} /> : null}</span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${line.name} on ${line.testbed}`}
                onClick={() => remove(line)}
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

type ChangeRow = HistoryChange & {
  between: string[];
  track: Track;
  suite: string;
  benchmark: string;
  at: string;
  accepted: boolean;
};

/** The commits that have a figure from the one before the change to the one after it. */
function between(epoch: BenchmarkHistory, change: HistoryChange): string[] {
  const commits = epoch.points.map((point) => point.commit);
  return commits.slice(commits.indexOf(change.commit_before), commits.indexOf(change.commit_after) + 1);
}

function changesOf(data: HistoryData, stops: Map<string, Stop>): ChangeRow[] {
  return data.tracks
    .flatMap((track) =>
      track.epochs.flatMap((epoch) =>
        epoch.changes.map((change) => ({
          ...change,
          between: between(epoch, change),
          track,
          suite: epoch.suite,
          benchmark: epoch.benchmark,
          at: stops.get(change.commit_after)?.finished_at ?? '',
          accepted: data.accepted.some((one) => one.run === change.run_after && one.taken_back_at === null),
        })),
      ),
    )
    .sort((a, b) => b.run_after - a.run_after);
}

const changeColumns = (repository: string): Column<ChangeRow>[] => [
  {
    name: 'Change',
    lead: true,
    cell: (row) => <Badge name={row.ratio > 1 ? 'regressed' : 'improved'} note={formatChange(row.ratio)} />,
  },
  {
    name: 'Since',
    lead: true,
    cell: (row) => (
      <Link to={`/runs/${row.run_after}`}>
        Run #{row.run_after} <Hash value={row.commit_after} />
      </Link>
    ),
  },
  { name: 'Benchmark', cell: (row) => row.benchmark },
  { name: 'Testbed', cell: (row) => row.track.testbed },
  { name: 'p', numeric: true, cell: (row) => (row.p < 1e-4 ? '< 0.0001' : row.p.toFixed(4)) },
  { name: 'When', cell: (row) => <Time at={row.at} /> },
  { name: 'Accepted', cell: (row) => (row.accepted ? '✓ accepted' : '–') },
  {
    name: 'Compare',
    cell: (row) => <Link to={`/compare?base=${row.run_before}&head=${row.run_after}`}>before and after</Link>,
  },
  {
    name: 'Acts',
    role: 'trigger',
    cell: (row) =>
      row.ratio > 1 && (
        <Acts
          acts={[
            bisectAct({
              repository,
              suite: row.suite,
              benchmark: row.benchmark,
              until: 'regressed',
              commits: row.between,
            }),
          ]}
          changed={() => undefined}
        />
      ),
  },
];

function Changes({ data, model }: { data: HistoryData; model: Model }) {
  const rows = changesOf(data, new Map(model.stops.map((stop) => [stop.commit, stop])));
  return (
    <Section
      title="Changes of level"
      note={rows.length > 0 ? `${plural(rows.length, 'change')} that stayed, newest first` : undefined}
    >
      {rows.length > 0 ? (
        <Table
          caption="Changes of level, newest first"
          columns={changeColumns(data.tracks[0]!.epochs[0]!.repository)}
          rows={rows.slice(0, 100)}
          keyOf={(row) => `${row.benchmark} ${row.track.testbed} ${row.run_after}`}
        />
      ) : (
        <p class="dim">The level of these lines has not moved within an epoch.</p>
      )}
    </Section>
  );
}

/** Only an interval that leaves no change out says anything. */
function toneOf(anchor: { ratio_low: number | null; ratio_high: number | null }): 'slower' | 'faster' | 'calm' {
  if (anchor.ratio_low !== null && anchor.ratio_low > 1) return 'slower';
  return anchor.ratio_high !== null && anchor.ratio_high < 1 ? 'faster' : 'calm';
}

function Notices({ data }: { data: HistoryData }) {
  const newest = data.tracks.map((track) => track.epochs[track.epochs.length - 1]!);
  return (
    <div class="notices">
      {newest.map((epoch) => (
        <>
          {epoch.creep ? (
            <Notice tone="slower">
              ▲ {epoch.benchmark} creeps: {formatChange(epoch.creep.ratio)} over {plural(epoch.creep.commits, 'commit')}
              , each below what one run can tell.
            </Notice>
          ) : null}
          {epoch.anchor ? (
            <Notice tone={toneOf(epoch.anchor)}>
              ⚓ {epoch.benchmark}: {epoch.anchor.text}
            </Notice>
          ) : null}
          {epoch.anchor_note ? <Notice>{epoch.anchor_note}</Notice> : null}
          {epoch.older_left_out ? (
            <Notice>
              {epoch.benchmark}: the newest {epoch.points.length} commits; older ones are left out.
            </Notice>
          ) : null}
        </>
      ))}
    </div>
  );
}

/** The server's own picture, which comments and READMEs can show. */
function pictureOf({ epochs }: Track): string {
  const { repository, suite, benchmark, branch, epoch } = epochs[epochs.length - 1]!;
  return url('/plot/history.svg', { repository, suite, benchmark, branch, epoch });
}

function Plot({ data, to, removeLine }: { data: HistoryData; to: string; removeLine: (line: Line) => void }) {
  const model = useMemo(() => modelOf(data, to), [data, to]);
  const [shown, setShown] = useWindow(model);
  const tell = useRef<(at: number | null) => void>(() => undefined);
  const open = (at: number) => {
    const stop = model.stops[at];
    if (stop) navigate(`/runs/${stop.run}`);
  };
  const count = plural(model.count, 'commit');
  return (
    <>
      <Section
        title="Over commits"
        note={
          <>
            {count}; line: median, band: spread of the processes; {titles[to] ?? `ratio to ${to}`}.{' '}
            <a href={pictureOf(data.tracks[0]!)}>First line as SVG</a>
          </>
        }
      >
        <Chart
          model={model}
          label={`Chart of ${plural(model.lines.length, 'line')} over ${count}. Arrow keys move the cursor, with Shift the window; plus and minus zoom, 0 shows all, Enter opens the run.`}
          window={shown}
          setWindow={setShown}
          onCursor={(at) => tell.current(at)}
          onOpen={open}
        />
        <Readout model={model} to={to} tell={tell} remove={removeLine} />
      </Section>
      <Notices data={data} />
      <Changes data={data} model={model} />
    </>
  );
}

function AddBenchmark({ names, add }: { names: string[]; add: (name: string) => void }) {
  const take = (event: Event) => {
    const field = event.currentTarget as HTMLInputElement;
    if (!names.includes(field.value)) return;
    add(field.value);
    field.value = '';
  };
  return (
    <>
      <input
        type="search"
        data-search
        list="benchmark-names"
        aria-label="Add a benchmark"
        placeholder="Add a benchmark"
        onInput={take}
      />
      <datalist id="benchmark-names">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

const LIKE_MAX = 6;

function Unknown({ name, names, repository }: { name: string; names: string[]; repository: string }) {
  const like = names.filter((one) => one.toLowerCase().includes(name.toLowerCase())).slice(0, LIKE_MAX);
  return (
    <Empty title={`${repository} has no benchmark '${name}'.`}>
      <p class="dim">
        A link names it as suite/benchmark. Choose one above, or{' '}
        {like.length > 0 ? 'one of these' : <Link to={url('/benchmarks', { repository })}>look at all of them</Link>}.
      </p>
      {like.length > 0 ? (
        <ul class="lines">
          {like.map((one) => (
            <li key={one}>
              <Link to={url('/history', { repository, b: one })}>{one}</Link>
            </li>
          ))}
        </ul>
      ) : null}
    </Empty>
  );
}

export default function HistoryPage() {
  const repository = useRepository();
  const query = usePlace().query;
  const [branch, setBranch] = useQuery('branch');
  const [epochs, setEpochs] = useQuery('epochs', 'all');
  const asked = query.getAll('b');
  const testbeds = query.getAll('testbed');
  const names = useData(repository.name && `names ${repository.name}`, (signal) =>
    getAll<{ suite: string; benchmark: string }>(
      '/api/v1/benchmarks',
      'benchmarks',
      { repository: repository.name },
      signal,
      4,
    ),
  );
  const all = (names.data ?? []).map((one) => `${one.suite}/${one.benchmark}`).sort();
  // The list of names may be longer than what was read of it: a name with a slash is asked for in any case.
  const whole = asked
    .slice(0, BENCHMARKS_MAX)
    .flatMap((name) => wholeName(name, all) ?? (name.includes('/') ? name : []));
  const benchmarks = asked.length > 0 ? whole : all.slice(0, 1);
  const unknown = names.data ? asked.filter((name) => !wholeName(name, all)) : [];
  const [to, setTo] = useQuery('to', benchmarks.length > 1 ? 'start' : 'time'); // several fit one axis as ratios only
  const wanted = { repository: repository.name, benchmarks, testbeds, branch, allEpochs: epochs === 'all' };
  const key = repository.name && benchmarks.length > 0 ? JSON.stringify(wanted) : '';
  const { data, error, again } = useData(key, (signal) => loadHistory(wanted, signal));
  const kept = useRef<HistoryData>();
  if (data) kept.current = data;
  const shown = data ?? (error ? undefined : kept.current);
  const references = [...new Set(shown?.references.map((one) => one.name) ?? [])];
  const work = shown?.tracks.some((track) => track.epochs.some((epoch) => epoch.work));
  const none = names.data && all.length === 0;
  const removeLine = (line: Line) => {
    const used = shown!.tracks.map((track) => track.testbed);
    if (new Set(used).size > 1) setQuery({ testbed: [...new Set(used)].filter((one) => one !== line.testbed) });
    else setQuery({ b: benchmarks.filter((one) => !one.endsWith('/' + line.name)) });
  };
  const toggle = (testbed: string) => {
    const now = testbeds.length > 0 ? testbeds : [...new Set(shown!.tracks.map((track) => track.testbed))];
    setQuery({ testbed: now.includes(testbed) ? now.filter((one) => one !== testbed) : [...now, testbed] });
  };
  return (
    <div class="page">
      <div class="page-head">
        <h1>History</h1>
      </div>
      <div class="filters">
        <RepositoryChoice chosen={repository} />
        <AddBenchmark names={all} add={(name) => setQuery({ b: [...benchmarks, name].slice(-BENCHMARKS_MAX) })} />
        <label>
          Branch
          <input
            placeholder={repository.branch}
            value={branch}
            size={12}
            onChange={(event) => setBranch(event.currentTarget.value)}
          />
        </label>
        <label>
          Show
          <select class="shown-choice" value={to} onChange={(event) => setTo(event.currentTarget.value)}>
            <option value="time">times</option>
            {work || to === 'rate' ? <option value="rate">TFLOP/s</option> : null}
            {work || to === 'roof' ? <option value="roof">share of the roof</option> : null}
            <option value="start">ratio to the epoch's start</option>
            {references.map((name) => (
              <option key={name} value={name}>
                ratio to {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Epochs
          <select value={epochs} onChange={(event) => setEpochs(event.currentTarget.value)}>
            <option value="all">all, shaded in turn</option>
            <option value="newest">the newest</option>
          </select>
        </label>
        <div class="chips" role="group" aria-label="Testbeds">
          {shown && shown.testbeds.length > 1
            ? shown.testbeds.map((testbed) => (
                <button
                  key={testbed}
                  type="button"
                  class="chip"
                  aria-pressed={shown.tracks.some((track) => track.testbed === testbed)}
                  onClick={() => toggle(testbed)}
                >
                  {testbed}
                </button>
              ))
            : null}
        </div>
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {names.error ? <ErrorBox error={names.error} again={names.again} /> : null}
      {repository.known && !repository.name ? (
        <Empty title="No repository yet.">
          <p class="dim">
            An administrator adds one with <code>kernelgate repository add</code>.
          </p>
        </Empty>
      ) : null}
      {none ? (
        <Empty title="No benchmark has a figure yet.">
          <p class="dim">The first finished run of {repository.name} brings them.</p>
        </Empty>
      ) : null}
      {shown && shown.tracks.length > 0 ? <Plot data={shown} to={to} removeLine={removeLine} /> : null}
      {unknown.length > 0 && !none && !shown?.tracks.length ? (
        <Unknown name={unknown[0]!} names={all} repository={repository.name} />
      ) : null}
      {shown && shown.tracks.length === 0 && unknown.length === 0 ? (
        <Empty title="No figure fits.">
          <p class="dim">Look at another branch or testbed.</p>
        </Empty>
      ) : null}
      {!shown &&
      !error &&
      !none &&
      (unknown.length === 0 || benchmarks.length > 0) &&
      !(repository.known && !repository.name) ? (
        <Loading lines={16} />
      ) : null}
    </div>
  );
}
