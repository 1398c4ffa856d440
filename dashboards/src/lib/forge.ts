// SPDX-License-Identifier: Apache-2.0
// Where a forge shows a commit of a repository. Pure; forge_test.ts holds it.

const FORGES: [RegExp, string, string][] = [
  [/^(www\.)?github\./, 'GitHub', '/commit/'],
  [/^gitlab\./, 'GitLab', '/-/commit/'],
  [/^codeberg\.org$/, 'Codeberg', '/commit/'],
  [/^bitbucket\.org$/, 'Bitbucket', '/commits/'],
];

export interface ForgeLink {
  name: string;
  href: string;
}

/** Of "https://host/owner/name.git", "ssh://git@host/owner/name" or "git@host:owner/name"; null: no known forge. */
export function commitAt(repositoryUrl: string, commit: string): ForgeLink | null {
  const parts =
    /^(?:https|ssh):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(repositoryUrl) ??
    /^[^@/\s]+@([^/:\s]+):(?!\/)(.+?)(?:\.git)?\/?$/.exec(repositoryUrl);
  if (!parts || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const [, host, path] = parts as unknown as [string, string, string];
  const forge = FORGES.find(([pattern]) => pattern.test(host));
  if (!forge || !/^[\w.~/-]+$/.test(path)) return null;
  return { name: forge[1], href: `https://${host}/${path}${forge[2]}${commit}` };
}
