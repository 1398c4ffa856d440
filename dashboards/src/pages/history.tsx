// SPDX-License-Identifier: Apache-2.0
// Benchmarks over commits: several benchmarks and testbeds on one axis, absolute or relative to a baseline. Every state
// is in the URL: b (suite/benchmark), testbed, branch, epochs, to, from and until.
import { useMemo, useRef } from 'preact/hooks';
import { Changes, Notices } from '../history/changes';
import { modelOf, titles } from '../history/model';
import { Readout } from '../history/readout';
import { setQuery, useWindow } from '../history/window';
import { getAll, url } from '../lib/api';
import { useData } from '../lib/data';
import { plural } from '../lib/format';
import { wholeName, type Line, type Track } from '../lib/history';
import { loadHistory, type HistoryData } from '../lib/history_load';
import { Link, navigate, usePlace, useQuery } from '../lib/router';
import { Chart } from '../ui/chart';
import { RepositoryChoice, useRepository, type ChosenRepository } from '../ui/choose';
import { Empty, ErrorBox, Loading, Section } from '../ui/parts';

const BENCHMARKS_MAX = 6;
const KEYS =
  'Arrow keys move the cursor, with Shift the window; plus and minus zoom, 0 shows all, Enter opens the run.';

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
            {count}; line: median, band: range of the processes; {titles[to] ?? `relative to ${to}`}.{' '}
            <a href={pictureOf(data.tracks[0]!)}>First line as SVG</a>
          </>
        }
      >
        <Chart
          model={model}
          label={`Chart of ${plural(model.lines.length, 'line')} over ${count}. ${KEYS}`}
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
        Links name benchmarks as suite/benchmark. Choose one above, or{' '}
        {like.length > 0 ? (
          'try one of these'
        ) : (
          <Link to={url('/benchmarks', { repository })}>list all benchmarks</Link>
        )}
        .
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

interface FiltersProps {
  repository: ChosenRepository;
  all: string[];
  benchmarks: string[];
  shown: HistoryData | undefined;
  to: [string, (to: string) => void];
}

function Filters({ repository, all, benchmarks, shown, to: [to, setTo] }: FiltersProps) {
  const [branch, setBranch] = useQuery('branch');
  const [epochs, setEpochs] = useQuery('epochs', 'all');
  const references = [...new Set(shown?.references.map((one) => one.name) ?? [])];
  const work = shown?.tracks.some((track) => track.epochs.some((epoch) => epoch.work));
  return (
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
          <option value="time">time</option>
          {work || to === 'rate' ? <option value="rate">TFLOP/s</option> : null}
          {work || to === 'roof' ? <option value="roof">share of the roof</option> : null}
          <option value="start">relative to the epoch's start</option>
          {references.map((name) => (
            <option key={name} value={name}>
              relative to {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Epochs
        <select value={epochs} onChange={(event) => setEpochs(event.currentTarget.value)}>
          <option value="all">all, alternately shaded</option>
          <option value="newest">the latest</option>
        </select>
      </label>
      <Testbeds shown={shown} />
    </div>
  );
}

function Testbeds({ shown }: { shown: HistoryData | undefined }) {
  if (!shown || shown.testbeds.length < 2) return null;
  const now = [...new Set(shown.tracks.map((track) => track.testbed))];
  const toggle = (testbed: string) =>
    setQuery({ testbed: now.includes(testbed) ? now.filter((one) => one !== testbed) : [...now, testbed] });
  return (
    <div class="chips" role="group" aria-label="Testbeds">
      {shown.testbeds.map((testbed) => (
        <button
          key={testbed}
          type="button"
          class="chip"
          aria-pressed={now.includes(testbed)}
          onClick={() => toggle(testbed)}
        >
          {testbed}
        </button>
      ))}
    </div>
  );
}

interface NothingProps {
  repository: ChosenRepository;
  all: string[];
  unknown: string[];
  shown: HistoryData | undefined;
  /** The names of the benchmarks, or their figures, are still to come. */
  waits: boolean;
}

/** Where there is no plot: why not, or what is being waited for. */
function Nothing({ repository, all, unknown, shown, waits }: NothingProps) {
  if (shown && shown.tracks.length > 0) return null;
  if (repository.known && !repository.name)
    return (
      <Empty title="No repositories yet">
        <p class="dim">
          An administrator adds one with <code>kernelgate repository add</code>.
        </p>
      </Empty>
    );
  if (waits) return <Loading lines={16} />;
  if (all.length === 0)
    return (
      <Empty title="No benchmarks yet">
        <p class="dim">They appear after the first finished run of {repository.name}.</p>
      </Empty>
    );
  if (unknown.length > 0) return <Unknown name={unknown[0]!} names={all} repository={repository.name} />;
  return (
    <Empty title="No data for this benchmark">
      <p class="dim">Try another branch or testbed.</p>
    </Empty>
  );
}

export default function HistoryPage() {
  const repository = useRepository();
  const query = usePlace().query;
  const [branch] = useQuery('branch');
  const [epochs] = useQuery('epochs', 'all');
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
  const removeLine = (line: Line) => {
    const used = shown!.tracks.map((track) => track.testbed);
    if (new Set(used).size > 1) setQuery({ testbed: [...new Set(used)].filter((one) => one !== line.testbed) });
    else setQuery({ b: benchmarks.filter((one) => !one.endsWith('/' + line.name)) });
  };
  return (
    <div class="page">
      <div class="page-head">
        <h1>History</h1>
      </div>
      <Filters repository={repository} all={all} benchmarks={benchmarks} shown={shown} to={[to, setTo]} />
      {error ? <ErrorBox error={error} again={again} /> : null}
      {names.error ? <ErrorBox error={names.error} again={names.again} /> : null}
      {shown && shown.tracks.length > 0 ? <Plot data={shown} to={to} removeLine={removeLine} /> : null}
      {error || names.error ? null : (
        <Nothing {...{ repository, all, unknown, shown }} waits={!names.data || (!shown && benchmarks.length > 0)} />
      )}
    </div>
  );
}
