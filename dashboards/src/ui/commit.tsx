// SPDX-License-Identifier: Apache-2.0
// A commit of a repository: its runs, and its diff where a forge shows that.
import { commitAt } from '../lib/forge';
import { useRepositories } from './choose';
import { Hash } from './parts';

export function Commit({ repository, hash }: { repository: string; hash: string }) {
  const { all } = useRepositories();
  const forge = commitAt(all.find((one) => one.name === repository)?.url ?? '', hash);
  return (
    <>
      <Hash value={hash} />
      {forge ? (
        <>
          {' '}
          <a href={forge.href} aria-label={`Diff of ${hash.slice(0, 10)} on ${forge.name}`}>
            Diff
          </a>
        </>
      ) : null}
    </>
  );
}
