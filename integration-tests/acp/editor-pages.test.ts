/** The configurations in docs/editors start a program that answers as the protocol's schema says. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { testRig } from '../test-utils.js';

interface Server {
  command: string;
  args: string[];
  env: Record<string, string>;
  type?: string;
}

const require = createRequire(import.meta.url);
const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
ajv.addSchema(
  JSON.parse(readFileSync(require.resolve('@agentclientprotocol/sdk/schema/schema.json'), 'utf8')),
  'acp',
);
const FOLDER = join(import.meta.dirname, '../../docs/editors');
const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

/** Where a page writes arguments of `gemini`: JSON, Lua with and without the command before them, a shell. */
const ARGUMENTS: [RegExp, (found: string) => string[]][] = [
  [/"args": (\[[^\]]*\])/g, (found) => JSON.parse(found)],
  [/\bargs = \{([^}]*)\}/g, (found) => JSON.parse(`[${found}]`)],
  [/\{ "gemini", ([^}]*)\}/g, (found) => JSON.parse(`[${found}]`)],
  [/gemini ((?:--?[\w-]+ ?)+)/g, (found) => found.trim().split(' ')],
  [/`(--experimental-acp)`/g, (found) => [found]],
];

describe.each(pages)('docs/editors/%s', (page) => {
  const text = readFileSync(join(FOLDER, page), 'utf8');
  const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));

  it('has an entry with the fields that editors read', () => {
    expect(blocks).not.toEqual([]);
    for (const block of blocks) {
      const server: Server = block.agent_servers?.Gemini ?? block;
      const { type = 'custom', ...rest } = server;
      expect([type, rest]).toEqual(['custom', { command: 'gemini', args: ['--acp'], env: {} }]);
    }
  });

  it('starts gemini with arguments on which it answers, and names ways to sign in that it has', async () => {
    const lists = ARGUMENTS.flatMap(([pattern, read]) =>
      [...text.matchAll(pattern)].map(([, found = '']) => JSON.stringify(read(found))),
    );
    expect(lists).toContain('["--acp"]');
    for (const list of new Set(lists)) {
      const { authMethods } = await initialized(JSON.parse(list));
      const ids = authMethods.map(({ id }) => id);
      for (const [, id] of text.matchAll(/auth_method = "([^"]+)"/g)) expect(ids).toContain(id);
    }
  });
});

/** What the program answers when an editor has started it with these arguments. */
async function initialized(args: readonly string[]): Promise<{ authMethods: { id: string }[] }> {
  const rig = await testRig();
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: 1, clientCapabilities: {} },
  };
  const run = await rig.cli(...args, { stdin: `${JSON.stringify(initialize)}\n` });
  expect([args, run.exitCode]).toEqual([args, 0]);
  const { result } = JSON.parse(run.stdout);
  const fits = ajv.getSchema('acp#/$defs/InitializeResponse');
  expect([fits?.(result), fits?.errors]).toEqual([true, null]);
  expect(result.agentCapabilities.loadSession).toBe(true);
  return result;
}
