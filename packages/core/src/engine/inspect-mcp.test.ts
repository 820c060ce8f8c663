import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import type { McpServerFields } from '../mcp/config.js';
import { environmentOf } from '../platform/environment.js';
import { LoadedSettings } from '../settings/loaded-settings.js';
import { configuredServers, visibleProblem } from './inspect-mcp.js';

function folder(mcpServers: Record<string, McpServerFields>, { isTrusted = true } = {}) {
  const temp = tempDir();
  onTestFinished(() => temp.cleanup());
  const root = realpathSync(temp.path);
  const cwd = join(root, 'project');
  const file = join(cwd, '.gemini/settings.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers }));
  writeFileSync(join(cwd, 'run.sh'), '', { mode: 0o755 });
  const env = { PATH: dirname(process.execPath), GEMINI_CLI_HOME: root };
  const settings = LoadedSettings.load({ cwd, env, trusted: isTrusted });
  const environment = environmentOf(env, cwd);
  return { settings, environment, cwd, isTrusted, notice: () => undefined };
}

it.each<[McpServerFields, string | undefined]>([
  [{ command: 'node' }, undefined],
  [{ command: process.execPath }, undefined],
  [{ command: './run.sh' }, undefined],
  [{ command: './other.sh' }, 's: the command "./other.sh" was not found'],
  [{ command: 'no-such-program' }, 's: the command "no-such-program" was not found'],
  [{ command: 'node', cwd: 'nowhere' }, '(cwd) does not exist'],
  [{ url: 'https://a.example/mcp' }, undefined],
  [{ url: 'not an address' }, 'is not an http or https address'],
  [{ url: 'localhost:3000/mcp' }, 'is not an http or https address'],
  [{ url: '', command: 'node' }, undefined],
  [
    { url: 'https://a.example/mcp', headers: { A: '$UNSET' } },
    's: its header "A" names $UNSET, which is not set',
  ],
])('%j: %s', (fields, problem) => {
  const request = folder({ s: fields });
  const [server] = configuredServers(request);
  const found = server && visibleProblem(server, request);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

it('lists the servers of an untrusted folder as blocked, with nothing of them but what is shown', () => {
  const request = folder(
    { s: { command: 'node', args: ['x'], env: { A: 'b' }, trust: true } },
    { isTrusted: false },
  );
  expect(configuredServers(request)).toMatchObject([
    { name: 's', block: { kind: 'untrusted' }, config: { command: 'node', args: ['x'] } },
  ]);
  expect(configuredServers(request)[0]?.config).not.toHaveProperty('trust');
});

it('names a wrong address of an extension as it is written, without the value of its setting', () => {
  const request = folder({});
  const servers = { s: { httpUrl: '${API_KEY}/mcp' } };
  const extensionServers = [{ name: 'e', settings: { API_KEY: 'the-secret' }, servers }];
  const [server] = configuredServers({ ...request, extensionServers });
  expect(server && visibleProblem(server, request)).toBe(
    's: "${API_KEY}/mcp" is not an http or https address',
  );
});
