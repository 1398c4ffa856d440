// SPDX-License-Identifier: Apache-2.0
// A real server over a store of its own in a temporary folder, with a token of each role.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Server {
  constructor(kernelgate) {
    this.kernelgate = kernelgate;
    this.folder = mkdtempSync(join(tmpdir(), 'kernelgate-dashboard-'));
    this.tokens = {};
  }

  token(role, name = role) {
    const store = join(this.folder, 'kernelgate.sqlite');
    const printed = execFileSync(this.kernelgate, ['token', 'create', '--db', store, '--name', name, '--role', role], {
      timeout: 60000,
    });
    this.tokens[role] = /kg_[0-9a-f]{64}/.exec(printed.toString())[0];
  }

  async start(...flags) {
    for (const role of ['read', 'trigger', 'runner', 'admin']) this.token(role);
    const portFile = join(this.folder, 'port');
    this.child = spawn(
      this.kernelgate,
      [
        'server',
        '--listen',
        '127.0.0.1:0',
        '--data',
        this.folder,
        '--port-file',
        portFile,
        '--no-access-log',
        ...flags,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    for (let i = 0; !existsSync(portFile); ++i) {
      if (i > 600 || this.child.exitCode !== null) throw new Error('the server did not start');
      await pause(50);
    }
    this.url = `http://127.0.0.1:${readFileSync(portFile, 'utf8').trim()}`;
  }

  async call(role, method, path, body) {
    const response = await fetch(this.url + '/api/v1' + path, {
      method,
      headers: { Authorization: `Bearer ${this.tokens[role]}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  /** Asks the server to end, and ends it where it does not: a test that waits for it for ever tells nothing. */
  async stop() {
    if (this.child && this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGTERM');
      const late = setTimeout(() => this.child.kill('SIGKILL'), 20000);
      await ended;
      clearTimeout(late);
    }
    rmSync(this.folder, { recursive: true, force: true });
    assert.ok(!this.child || this.child.signalCode === null, `the server ended by ${this.child?.signalCode}`);
  }
}
