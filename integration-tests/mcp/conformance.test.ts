/** The client scenarios of MCP's own conformance suite. docs/mcp.md lists them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '../..');
const PACKAGE = require.resolve('@modelcontextprotocol/conformance/package.json');
const SUITE = join(PACKAGE, '../dist/index.js');
const HOOKS = pathToFileURL(join(import.meta.dirname, 'conformance-on-node20.mjs')).href;

const SCENARIOS = [
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
];
/** Measures times, which a busy machine makes longer: that is a warning of the suite, not a failure. */
const TIMED = 'sse-retry';
/** Grants without a user, which the program does not have. */
const NOT_APPLICABLE = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
];

let folder: string;
let client: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  client = join(folder, 'client.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: [join(import.meta.dirname, 'conformance-client.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outfile: client,
    conditions: ['gemini-source'],
    define: { __VERSION__: '"0.0.0-test"', __COMMIT__: '"test"', __DEV__: 'false', __SANDBOX_IMAGE__: '""' },
    // Libraries of the CommonJS kind need it.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO';
  description: string;
}

async function suite(args: string[]): Promise<{ code: number; text: string }> {
  const options = { cwd: root, timeout: 60_000, maxBuffer: 16 * 1024 * 1024 };
  try {
    const { stdout, stderr } = await run(process.execPath, ['--import', HOOKS, SUITE, ...args], options);
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const {
      code = -1,
      stdout = '',
      stderr = '',
    } = error as { code?: number; stdout?: string; stderr?: string };
    return { code, text: stdout + stderr };
  }
}

async function runScenario(name: string): Promise<{ code: number; text: string; checks: Check[] }> {
  const output = join(folder, name.replace('/', '-'));
  const command = `${process.execPath} ${client}`;
  const result = await suite(['client', '--command', command, '--scenario', name, '-o', output]);
  const [made = ''] = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('checks.json'),
  );
  return { ...result, checks: JSON.parse(readFileSync(join(output, made), 'utf8')) };
}

/** A check that succeeds only if the client did something. */
function evidenceOf(scenario: string): string {
  if (scenario.startsWith('auth/2025-03-26')) return 'token-request';
  if (scenario.startsWith('auth/')) return 'prm-pathbased-requested';
  const core: Record<string, string> = {
    initialize: 'mcp-client-initialization',
    tools_call: 'tool-add-numbers',
    'elicitation-sep1034-client-defaults': 'client-elicitation-sep1034-boolean-default',
  };
  return core[scenario] ?? '';
}

describe('our client in the conformance suite', () => {
  it('runs every client scenario that there is, except grants without a user', async () => {
    const { text } = await suite(['list', '--client']);
    const listed = [...text.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...SCENARIOS, TIMED, ...NOT_APPLICABLE].sort());
  });

  it.concurrent.each(SCENARIOS)('passes %s', { timeout: 90_000 }, async (name) => {
    const { code, text, checks } = await runScenario(name);
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    expect(failed).toEqual([]);
    const passed = checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id);
    expect(passed).toContain(evidenceOf(name));
    expect(code, text).toBe(0);
  });

  it('passes sse-retry', { timeout: 90_000 }, async () => {
    const { checks, text } = await runScenario(TIMED);
    expect(checks.filter(({ status }) => status === 'FAILURE')).toEqual([]);
    expect(checks.find(({ id }) => id === 'client-sse-last-event-id')?.status, text).toBe('SUCCESS');
  });
});
