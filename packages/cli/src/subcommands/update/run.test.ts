import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { updateCommand } from './run.js';

const GLOBAL = 'prefix/lib/node_modules/@our/tool';

async function registry(tags: object): Promise<string> {
  const server = createServer((_request, response) => response.end(JSON.stringify(tags)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function install(folder: string, json: object = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'update-command-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const script = join(root, folder, 'dist/gemini.cjs');
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, '');
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ name: '@our/tool', ...json }));
  return script;
}

async function update(args: string[], script: string, url?: string, result = 0) {
  const said = { stdout: '', stderr: '', ran: [] as string[] };
  const env = url ? { npm_config_registry: url } : { HOME: dirname(script) };
  const io = {
    env,
    stdout: (text: string) => {
      said.stdout += text;
    },
    stderr: (line: string) => {
      said.stderr += `${line}\n`;
    },
  };
  const run = async (command: readonly string[]) => {
    said.ran.push(command.join(' '));
    return result;
  };
  const exitCode = await updateCommand(args, io, { env, version: '1.0.0', script, run });
  return { exitCode, ...said };
}

const INSTALL = 'npm install -g @our/tool@1.1.0';
const FOUND = 'Version 1.1.0 is available; this is 1.0.0.\n';

it('installs a newer version and says how', async () => {
  expect(await update([], install(GLOBAL), await registry({ latest: '1.1.0' }))).toEqual({
    exitCode: 0,
    stdout: `${FOUND}Installing it with: ${INSTALL}\ngemini 1.1.0 is installed; running sessions use it after a restart.\n`,
    stderr: '',
    ran: [INSTALL],
  });
});

it('only looks with --check', async () => {
  expect(await update(['--check'], install(GLOBAL), await registry({ latest: '1.1.0' }))).toEqual({
    exitCode: 0,
    stdout: `${FOUND}gemini update installs it with: ${INSTALL}\n`,
    stderr: '',
    ran: [],
  });
});

it('says that the newest version is installed', async () => {
  expect(await update([], install(GLOBAL), await registry({ latest: '1.0.0' }))).toMatchObject({
    exitCode: 0,
    stdout: 'gemini 1.0.0 is the newest version.\n',
    ran: [],
  });
});

it('reports a failed installation with the command', async () => {
  const { exitCode, stderr } = await update([], install(GLOBAL), await registry({ latest: '1.1.0' }), 243);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: `The command ended with exit code 243. Try it yourself: ${INSTALL}\n`,
  });
});

it('refuses other arguments and copies that it cannot update, and says what to do', async () => {
  const url = await registry({ latest: '1.1.0' });
  const checkout = install('sources/packages/cli');
  mkdirSync(join(dirname(checkout), '../../../.git'));
  const refusals = [
    await update(['now'], install(GLOBAL), url),
    await update([], install('home/.npm/_npx/abc/node_modules/@our/tool'), url),
    await update([], checkout),
    await update([], install(GLOBAL, { private: true })),
    await update([], install(GLOBAL), 'http://127.0.0.1:1/'),
  ];
  expect(refusals.map(({ exitCode, ran }) => [exitCode, ran])).toEqual(refusals.map(() => [1, []]));
  expect(refusals.map(({ stderr }) => stderr)).toEqual([
    'gemini update: unknown argument "now". Choose from --check.\n',
    'This copy cannot be updated: install the new version as you installed this one.\n',
    expect.stringContaining('git pull'),
    expect.stringContaining('npm install -g <tarball>'),
    'The registry has no answer about this package: http://127.0.0.1:1/\n',
  ]);
});
