/** The user's keys are not visible to other programs and other users (row 22). */
import { lstatSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { callTool, mountNamespace, type TestRig, text } from '../test-utils.js';
import { attack, callOnce } from './attack.js';

const KEY = 'k3y-of-the-user-0123456789';
const withKey = { env: { GEMINI_API_KEY: KEY } };

attack(
  22,
  'no process shows the key in its arguments',
  async (rig) => {
    await shell(rig, "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' > seen.txt");
    expect(rig.read('seen.txt')).toContain('gemini.cjs');
    expect(rig.read('seen.txt')).not.toContain(KEY);
  },
  withKey,
);

for (const [what, env, settings] of [
  ['with redaction on', {}, { security: { environmentVariableRedaction: { enabled: true } } }],
  ['on a build machine of GitHub', { GITHUB_SHA: 'abc' }, {}],
  [
    'when blocked by name',
    {},
    { security: { environmentVariableRedaction: { enabled: true, blocked: ['GEMINI_API_KEY'] } } },
  ],
] as const) {
  attack(
    22,
    `a command does not get keys ${what}`,
    async (rig) => {
      await shell(rig, 'env > seen.txt');
      expect(rig.read('seen.txt')).toContain('PATH=');
      for (const secret of [KEY, 'hunter2hunter2']) expect(rig.read('seen.txt')).not.toContain(secret);
    },
    { env: { ...withKey.env, DB_PASSWORD: 'hunter2hunter2', ...env }, settings },
  );
}

attack(
  22,
  'other users cannot read what a session writes to the home directory, whatever the umask',
  async (rig) => {
    rig.write('a.txt', 'one\n');
    rig.model.replies(
      [
        callTool('write_file', { file_path: 'a.txt', content: 'two\n' }),
        callTool('run_shell_command', { command: 'seq 1 60000; echo three > b.txt' }),
        callTool('run_shell_command', { command: 'echo hello', is_background: true }),
      ],
      [text('ok')],
    );
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo', {
      under: ['bash', '-c', 'umask 0; exec "$@"', 'bash'],
    });
    expect(run.exitCode, run.stderr).toBe(0);
    const made = [...openToOthers(join(rig.home, '.gemini'))];
    expect(made).toEqual([]);
  },
  withKey,
);

for (const format of ['text', 'json', 'stream-json']) {
  attack(
    22,
    `the key in the output of a command is masked in ${format} and for the model`,
    async (rig) => {
      rig.model.replies([callTool('run_shell_command', { command: 'env' })], [text('ok')]);
      const run = await rig.cli('-d', '-p', 'x', '--approval-mode', 'yolo', '-o', format);
      expect(run.stdout + run.stderr).not.toContain(KEY);
      expect(JSON.stringify(rig.model.requests.map(({ body }) => body))).not.toContain(KEY);
    },
    withKey,
  );
}

attack(
  22,
  'the key is not sent over plain http to another machine',
  async (rig) => {
    const { port, keys } = await listener();
    const hosts = rig.write('hosts', '127.0.0.1 localhost model.example\n');
    const run = await rig.cli('-p', 'x', {
      env: { GOOGLE_GEMINI_BASE_URL: `http://model.example:${port}` },
      under: [...mountNamespace(), 'bash', '-c', `mount --bind '${hosts}' /etc/hosts && exec "$@"`, 'bash'],
    });
    expect(keys).toEqual([]);
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toMatch(/https/);
  },
  withKey,
);

async function shell(rig: TestRig, command: string): Promise<void> {
  const { answer } = await callOnce(rig, 'run_shell_command', { command }, { mode: 'yolo' });
  expect(answer.error).toBeUndefined();
}

/** Files that existed before have the mode the test gave them. */
const GIVEN = new Set(['trustedFolders.json', 'settings.json']);

/** Files that other users could read; a file in a closed folder cannot be read. */
function* openToOthers(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mode } = lstatSync(path);
    if (GIVEN.has(name) || (mode & 0o077) === 0) continue;
    if (lstatSync(path).isDirectory()) yield* openToOthers(path);
    else yield `${path} ${(mode & 0o777).toString(8)}`;
  }
}

async function listener(): Promise<{ port: number; keys: unknown[] }> {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['x-goog-api-key'] ?? request.headers.authorization);
    response.writeHead(400).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, keys };
}
