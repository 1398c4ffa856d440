// SPDX-License-Identifier: Apache-2.0
// The repository of a page: from the URL, else the first one there is.
import { getJson, url } from '../lib/api';
import { useData } from '../lib/data';
import { useQuery } from '../lib/router';
import '../style/pages.css';
import type { Repository } from '../lib/wire';

export interface ChosenRepository {
  name: string;
  branch: string;
  all: Repository[];
  set: (name: string) => void;
  /** True once it is known whether there is one. */
  known: boolean;
}

export function useRepository(): ChosenRepository {
  const [asked, set] = useQuery('repository');
  const { data, error } = useData('repositories', (signal) =>
    getJson<{ repositories: Repository[] }>(url('/api/v1/repositories', { limit: 500 }), signal),
  );
  const all = data?.repositories ?? [];
  const oldest = all[all.length - 1];
  const chosen = all.find((one) => one.name === asked) ?? (asked ? undefined : oldest);
  return {
    name: asked || (oldest?.name ?? ''),
    branch: chosen?.default_branch ?? 'main',
    all,
    set,
    known: !!data || !!error,
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
