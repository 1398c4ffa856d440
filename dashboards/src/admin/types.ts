// SPDX-License-Identifier: Apache-2.0
// What the admin page reads of the API.
export type { Delivery, LoggedAction, OutboxMessage as Message, Repository, Token } from '../lib/wire';
