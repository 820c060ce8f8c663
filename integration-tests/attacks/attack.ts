/** What the attack suite shares: one test per variant, counted by the table, and the questions asked of each. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  callTool,
  type RigOptions,
  type RunResult,
  type StreamEvent,
  type TestRig,
  type ToolAnswer,
  testRig,
  text,
  toolResponses,
} from '../test-utils.js';

/** Registers one variant of a row of `table.json`; the table is made from these names. */
export function attack(
  row: number,
  variant: string,
  run: (rig: TestRig) => Promise<void>,
  options: RigOptions & { timeoutMs?: number } = {},
): void {
  const { timeoutMs = 30_000, ...rigOptions } = options;
  it(`[attack ${row}] ${variant}`, { timeout: timeoutMs }, async () => run(await testRig(rigOptions)));
}

export interface CallOptions {
  mode?: 'default' | 'auto_edit' | 'yolo' | 'plan';
  env?: Record<string, string | undefined>;
  flags?: string[];
  /** A command that the program is started by. */
  under?: string[];
}

export interface Outcome {
  run: RunResult;
  /** What the model is told. */
  answer: ToolAnswer['response'];
  /** What the user is told in `stream-json`. */
  result: StreamEvent;
}

/** The built program runs headless, and the model asks for this one call. */
export async function callOnce(
  rig: TestRig,
  name: string,
  args: object,
  { mode = 'default', env, flags = [], under }: CallOptions = {},
): Promise<Outcome> {
  rig.model.replies([callTool(name, args)], [text('done')]);
  const options = { ...(env && { env }), ...(under && { under }) };
  const run = await rig.cli('-p', 'go on', '--approval-mode', mode, '-o', 'stream-json', ...flags, options);
  const result = run.events().find(({ type }) => type === 'tool_result');
  const [answer] = toolResponses(rig);
  if (!answer || !result) throw new Error(`No answer of ${name}: ${run.stdout}\n${run.stderr}`);
  return { run, answer: answer.response, result };
}

/** Refused by policy; the model, the reader of the events and the reader of stderr are told. */
export function expectDenied({ run, answer, result }: Outcome, reason: RegExp | string = ''): void {
  expect(answer.error).toMatch(/^Tool execution denied by policy\./);
  expect(answer.error).toMatch(reason);
  expect(result).toMatchObject({ status: 'error', error: { type: 'policy_violation' } });
  expect(run.stderr).toContain('Tool execution denied by policy.');
  expect(run.exitCode, run.stderr).toBe(0);
}

/** Refused by the tool itself; all are told. */
export function expectFailed({ run, answer, result }: Outcome, reason: RegExp | string): void {
  expect(answer.error).toMatch(reason);
  expect(result['status']).toBe('error');
  expect(run.stderr).toContain('Error executing tool');
  expect(run.exitCode, run.stderr).toBe(0);
}

/** A policy file of the user. */
export function userPolicy(rig: TestRig, ...rules: string[]): void {
  rig.writeHome('policies/rules.toml', rules.join('\n'));
}

export function shellRule(
  decision: 'allow' | 'deny' | 'ask_user',
  prefixes: string[],
  priority = 100,
): string {
  return [
    '[[rule]]',
    'toolName = "run_shell_command"',
    `commandPrefix = ${JSON.stringify(prefixes)}`,
    `decision = "${decision}"`,
    `priority = ${priority}`,
    '',
  ].join('\n');
}

export interface Traps {
  /** With the traps first on the PATH. */
  env: { PATH: string };
  /** Which were started, with their arguments. */
  sprung(): string[];
}

/** Harmless programs under dangerous names: they write down that they were started, and do nothing else. */
export function setTraps(rig: TestRig, names: string[]): Traps {
  const directory = join(rig.home, 'traps');
  const log = join(rig.home, 'sprung.log');
  mkdirSync(directory, { recursive: true });
  for (const name of names) {
    const path = join(directory, name);
    writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> '${log}'\n`);
    chmodSync(path, 0o755);
  }
  return {
    env: { PATH: [directory, process.env['PATH']].join(delimiter) },
    sprung: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
  };
}

/** A program in the workspace that leaves a mark when something starts it. */
export function plantProgram(rig: TestRig, path: string): { ran: () => boolean } {
  const mark = join(rig.home, `ran-${path.replaceAll('/', '-')}`);
  const file = rig.write(path, `#!/bin/sh\ntouch '${mark}'\ncat 2>/dev/null\n`);
  chmodSync(file, 0o755);
  return { ran: () => existsSync(mark) };
}
