// SPDX-License-Identifier: Apache-2.0
// Kernels that do not work: the error, its source line and fingerprint, and earlier occurrences.
import { getJson, url } from '../lib/api';
import { useData } from '../lib/data';
import { plural } from '../lib/format';
import { alike } from '../lib/group';
import { Link } from '../lib/router';
import type { Comparison, Run } from '../lib/types';
import { isFailure } from '../lib/verdict';
import { Badge, ErrorBox, Hash, Section, Time } from '../ui/parts';
import type { FailureSeen as Occurrence } from '../lib/wire';

/** Runs in which a failure with the same fingerprint was seen, the present one left out. */
export function Occurrences({ run, fingerprint }: { run: Run; fingerprint: string }) {
  const path = url('/api/v1/failures', { repository: run.repository, fingerprint, limit: 20 });
  const { data, error, again } = useData(path, (signal) => getJson<{ failures: Occurrence[] }>(path, signal));
  if (error) return <ErrorBox error={error} again={again} />;
  if (!data) return <p class="dim">…</p>;
  const others = data.failures.filter((one) => one.run !== run.id);
  if (others.length === 0) return <p class="dim">Not seen in any other run</p>;
  return (
    <ul class="lines">
      {others.map((one) => (
        <li key={one.run}>
          <Link to={`/runs/${one.run}`}>
            #{one.run} {one.subject}
          </Link>{' '}
          <Hash value={one.commit} plain />{' '}
          <span class="dim">
            {one.branch}, <Time at={one.finished_at} age />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** "kernels/gemm.cu:214" in the text of an error, where it names one. */
export function sourceLine(text: string): string | null {
  return /[\w./+-]+\.(?:cu|cuh|cpp|hpp|c|h|py):\d+/.exec(text)?.[0] ?? null;
}

const NAMES_SHOWN = 3;

function Failure({ run, cases }: { run: Run; cases: Comparison[] }) {
  const one = cases[0]!;
  const place = sourceLine(one.reason);
  const rest = cases.slice(NAMES_SHOWN);
  return (
    <article class="card failure">
      <header>
        <Badge name={one.verdict} note={cases.length > 1 ? `${cases.length} benchmarks` : undefined} />
        {cases.slice(0, NAMES_SHOWN).map((each) => (
          <code key={each.suite + each.benchmark} class="wrap">
            {each.benchmark}
          </code>
        ))}
        {place ? (
          <span class="dim">
            at <code>{place}</code>
          </span>
        ) : null}
      </header>
      {rest.length > 0 ? (
        <details>
          <summary>{plural(rest.length, 'more benchmark')}</summary>
          <ul class="lines">
            {rest.map((each) => (
              <li key={each.suite + each.benchmark}>
                <code class="wrap">{each.benchmark}</code>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <pre tabIndex={0}>{one.reason}</pre>
      {one.fingerprint ? (
        <>
          <p class="dim small">
            Fingerprint <code>{one.fingerprint}</code>
          </p>
          <h3>Earlier occurrences</h3>
          <Occurrences run={run} fingerprint={one.fingerprint} />
        </>
      ) : null}
    </article>
  );
}

export function Failures({ run }: { run: Run }) {
  const broken = run.comparisons.filter((one) => isFailure(run.verdicts, one.verdict));
  if (broken.length === 0) return null;
  return (
    <Section title="Failures">
      <div class="cards">
        {alike(broken).map((cases) => (
          <Failure key={cases[0]!.suite + cases[0]!.benchmark} run={run} cases={cases} />
        ))}
      </div>
    </Section>
  );
}
