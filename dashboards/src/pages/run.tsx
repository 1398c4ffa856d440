// SPDX-License-Identifier: Apache-2.0
// One run: what it came to in a sentence, and every benchmark on one forest plot.
import { getJson } from '../lib/api';
import { useData } from '../lib/data';
import type { PageProps } from '../routes';
import type { Run } from '../lib/types';
import { outcomeOf } from '../lib/verdict';
import { Badge, ErrorBox, Loading } from '../ui/parts';

export default function RunPage({ parameters }: PageProps) {
  const path = `/api/v1/runs/${encodeURIComponent(parameters.id ?? '')}`;
  const { data: run, error, again } = useData(path, (signal) => getJson<Run>(path, signal));
  if (error && !run) return <div class="page"><h1>Run {parameters.id}</h1><ErrorBox error={error} again={again} /></div>;
  if (!run) return <Loading lines={12} />;
  return (
    <div class="page">
      <div class="page-head"><h1>Run {run.id}: {run.subject}</h1><Badge name={outcomeOf(run)} /></div>
      <p>{run.summary}</p>
    </div>
  );
}
