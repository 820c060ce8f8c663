/** One headless run beside a hostile MCP server, and what must hold after each. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  callTool,
  declaredTools,
  type RunResult,
  type ServerPlan,
  scriptedServer,
  type TestRig,
  type ToolAnswer,
  text,
  toolResponses,
} from '../test-utils.js';

/** Known to the program, and to no server. */
export const KEYS = { GEMINI_API_KEY: 'the-users-own-key-7391', OTHER_SERVICE_TOKEN: 'another-secret-5520' };
/** Control, bidirectional and invisible characters, but for line ends and tabs. */
export const CONTROL = /[^\P{C}\n\t]/u;

export interface HostileServer {
  /** `bad` where absent. */
  name?: string;
  /** A scripted server as a process; absent where `server` is given. */
  plan?: ServerPlan;
  server?: object;
  /** What the model calls of it, by the name it sees. */
  calls?: [string, object?][];
  isTrusted?: boolean;
  timeout?: number;
}

export interface HostileRun {
  run: RunResult;
  /** What the model is told about each of the calls. */
  answers: ToolAnswer['response'][];
  /** Tools of all servers in the first request. */
  offered: string[];
}

/**
 * The program ends well, a good server beside the hostile one works, no key reaches a server, nothing that is printed
 * controls the terminal, and no process is left.
 */
export async function runBeside(rig: TestRig, hostile: HostileServer): Promise<HostileRun> {
  const { name = 'bad', plan = {}, calls = [], isTrusted = true, timeout = 10_000 } = hostile;
  const probe = randomUUID();
  const environmentFile = join(rig.home, 'environment.json');
  const bad = hostile.server ?? scriptedServer({ child: true, ...plan, environmentFile });
  const env = { TEST_PROBE: probe };
  const mcpServers = {
    [name]: { trust: isTrusted, timeout, env, ...bad },
    good: { ...scriptedServer(), trust: true, env },
  };
  rig.writeHome('settings.json', JSON.stringify({ mcpServers }));
  const before = rig.model.requests.length;
  rig.model.replies(
    ...[...calls, ['mcp_good_echo', { text: 'hi' }] as const].map(([tool, args = {}]) => [
      callTool(tool, args),
    ]),
    [text('ok')],
  );
  const run = await rig.cli('-p', 'go on', { env: { ...KEYS, NO_COLOR: '1' }, timeoutMs: 55_000 });
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: 'ok\n' });
  expect(run.stderr).not.toMatch(CONTROL);
  const answers = [...calls, 'good'].map((_, index) => answerAt(rig, before + index + 1));
  expect(answers.pop()?.output).toContain('echo: {"text":"hi"}');
  if (existsSync(environmentFile)) expectNoKeys(readFileSync(environmentFile, 'utf8'));
  expect(processesWith(probe)).toBe(0);
  const offered = declaredTools(rig, before).filter((tool) => tool.startsWith('mcp_'));
  return { run, answers, offered };
}

function answerAt(rig: TestRig, index: number): ToolAnswer['response'] {
  const response = toolResponses(rig, index).at(-1)?.response;
  if (!response) throw new Error(`Request ${index} has no answer of a tool.`);
  return response;
}

export function expectNoKeys(seen: string): void {
  for (const key of Object.values(KEYS)) expect(seen).not.toContain(key);
}

/** Running processes with this value in their environment. */
function processesWith(probe: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TEST_PROBE=${probe}`)
      );
    } catch {
      return false;
    }
  }).length;
}
