// SPDX-License-Identifier: Apache-2.0
// What the admin page reads of the API.

export interface Repository {
  id: number;
  name: string;
  url: string;
  default_branch: string;
  manifest_sha256: string;
  full_name: string;
}

export interface Message {
  id: number;
  run: number;
  target: string;
  phase: string;
  status: string;
  attempts: number;
  next_at: string;
  error: string;
  created_at: string;
}

export interface Delivery {
  id: number;
  delivery: string;
  event: string;
  action: string;
  repository: string;
  sender: string;
  outcome: string;
  status: number;
  detail: string;
  run: number | null;
  seen: number;
  received_at: string;
}

/** An entry of the audit log. */
export interface LoggedAction {
  id: number;
  at: string;
  actor: string;
  act: string;
  subject: string;
  detail: string;
}

export interface Token {
  name: string;
  role: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}
