// SPDX-License-Identifier: Apache-2.0
// The HTTP API (docs/openapi.yaml). What the server refuses arrives as an ApiError with the problem document's own
// words; a server that cannot be reached is one too.
import type { Problem as SentProblem } from './wire';

/** As the server sends it, or as the page makes one when there was no answer. */
export type Problem = Pick<SentProblem, 'title' | 'status' | 'detail' | 'code'> & Partial<SentProblem>;

export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

const unreachable: Problem = {
  title: 'No response',
  status: 0,
  detail: 'The server does not respond.',
  code: 'unreachable',
  fix: 'Check that the server is running and that you are online, then reload the page.',
};

/** Sent with each request that changes something, once a session has begun. */
let csrf = '';
export function setCsrfToken(token: string): void {
  csrf = token;
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Partial<Problem>;
    if (typeof body.detail === 'string' && typeof body.status === 'number') return body as Problem;
  } catch {
    // not a problem document: say what is known
  }
  return {
    title: response.statusText,
    status: response.status,
    detail: `The server answered ${response.status}.`,
    code: 'unknown',
  };
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method !== 'GET' && csrf) headers['X-CSRF-Token'] = csrf;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      signal,
      credentials: 'same-origin',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(unreachable);
  }
  if (!response.ok) throw new ApiError(await problemOf(response));
  return response;
}

type Query = Record<string, string | number | undefined>;

/** A path of the API with its query; empty values are left out. */
export function url(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return path + (text ? '?' + text : '');
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await send('GET', path, undefined, signal)).json()) as T;
}

export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  return (await send('GET', path, undefined, signal)).text();
}

export async function post<T>(path: string, body?: unknown, method: 'POST' | 'PATCH' | 'DELETE' = 'POST'): Promise<T> {
  const response = await send(method, path, body);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** All pages of a list, following `next`; at most `pages_max` of them. */
export async function getAll<T>(
  path: string,
  member: string,
  query: Query = {},
  signal?: AbortSignal,
  pages_max = 40,
): Promise<T[]> {
  const out: T[] = [];
  let before: string | undefined;
  for (let page = 0; page < pages_max; ++page) {
    const answer = await getJson<Record<string, unknown>>(url(path, { ...query, limit: 500, before }), signal);
    out.push(...(answer[member] as T[]));
    if (answer.next === null || answer.next === undefined) return out;
    before = String(answer.next);
  }
  return out;
}
