import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedServer } from '@gemini-cli/test-utils/rig';
import { expect, it, onTestFinished } from 'vitest';
import { createIde } from './create.js';

const DIFF_TOOLS = ['openDiff', 'closeDiff'].map((name) => ({ name, inputSchema: { type: 'object' } }));

function client(variables: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-ide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], TMPDIR: folder, TERM_PROGRAM: 'vscode', ...variables };
  const ide = createIde({ variables: env, cwd: folder, home: folder }, () => undefined);
  onTestFinished(() => ide.disconnect());
  return ide;
}

it('talks to a companion on stdio, where the variables name one', async () => {
  const { command, args } = scriptedServer({ tools: DIFF_TOOLS });
  const ide = client({
    GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: command,
    GEMINI_CLI_IDE_SERVER_STDIO_ARGS: JSON.stringify(args),
  });
  await ide.connect();
  expect([ide.status.kind, ide.showsDiffs]).toEqual(['connected', true]);
});

it('shows no diffs in a companion that lacks the tools', async () => {
  const { command, args } = scriptedServer();
  const ide = client({
    GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: command,
    GEMINI_CLI_IDE_SERVER_STDIO_ARGS: JSON.stringify(args),
  });
  await ide.connect();
  expect([ide.status.kind, ide.showsDiffs]).toEqual(['connected', false]);
});

it.each([
  ['is missing', { GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: '/nowhere/companion' }, /not found/],
  [
    'ends at once',
    {
      GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: process.execPath,
      GEMINI_CLI_IDE_SERVER_STDIO_ARGS: '["-e", "process.exit(3)"]',
    },
    /code 3/,
  ],
])('says why when the program %s', async (_what, variables, why) => {
  const ide = client(variables);
  await ide.connect();
  expect(ide.status).toMatchObject({ kind: 'disconnected', reason: expect.stringMatching(why) });
});
