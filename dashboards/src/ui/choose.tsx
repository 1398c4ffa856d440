// SPDX-License-Identifier: Apache-2.0
// The repository of a page: from the URL, else the first one there is.
import { getAll, getJson, url } from '../lib/api';
import { useData } from '../lib/data';
import { useQuery } from '../lib/router';
import '../style/pages.css';
import type { Epoch, Repository } from '../lib/wire';

export interface ChosenRepository {
  name: string;
  branch: string;
  all: Repository[];
  set: (name: string) => void;
  /** True once it is known whether there is one. */
  known: boolean;
}

/** All repositories, newest first; `known` once the server has answered. */
export function useRepositories(): { all: Repository[]; known: boolean } {
  const { data, error } = useData('repositories', (signal) =>
    getJson<{ repositories: Repository[] }>(url('/api/v1/repositories', { limit: 500 }), signal),
  );
  return { all: data?.repositories ?? [], known: !!data || !!error };
}

export function useRepository(): ChosenRepository {
  const [asked, set] = useQuery('repository');
  const { all, known } = useRepositories();
  const oldest = all[all.length - 1];
  const chosen = all.find((one) => one.name === asked) ?? (asked ? undefined : oldest);
  return {
    name: asked || (oldest?.name ?? ''),
    branch: chosen?.default_branch ?? 'main',
    all,
    set,
    known,
  };
}

export function RepositoryChoice({ chosen }: { chosen: ChosenRepository }) {
  return (
    <label>
      Repository
      <select class="repository-choice" value={chosen.name} onChange={(event) => chosen.set(event.currentTarget.value)}>
        {chosen.known && chosen.name && !chosen.all.some((one) => one.name === chosen.name) ? (
          <option value={chosen.name}>{chosen.name} (unknown)</option>
        ) : null}
        {chosen.all.map((one) => (
          <option key={one.name} value={one.name}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Which machine a page shows; nothing where there is only one. */
export function TestbedChoice({ value, set }: { value: string; set: (name: string) => void }) {
  const { data } = useData('epochs', (signal) => getAll<Epoch>('/api/v1/epochs', 'epochs', {}, signal, 4));
  const names = [...new Set((data ?? []).map((one) => one.testbed))];
  if (names.length < 2 && !value) return null;
  return (
    <label>
      Testbed
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">any</option>
        {[...new Set([...names, ...(value ? [value] : [])])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export function NameFilter({ text, setText }: { text: string; setText: (text: string, replace?: boolean) => void }) {
  return (
    <input
      type="search"
      data-search
      aria-label="Filter by name"
      placeholder="Filter by name"
      value={text}
      onInput={(event) => setText(event.currentTarget.value, true)}
    />
  );
}
