/** What whole-program tests share: the test bed, and short ways to look at what the model was sent. */
import { readFileSync } from 'node:fs';
import type * as Engine from '@gemini-cli/test-utils';
import {
  callTool,
  type RunResult,
  type Script,
  type StreamEvent,
  type TestRig,
  text,
} from '@gemini-cli/test-utils/rig';

export * from '@gemini-cli/test-utils/rig';

/** Answers to tool calls in the n-th request (from 0; default the last), in the order they were sent. */
export function toolResponses(rig: TestRig, index = rig.model.requests.length - 1): ToolAnswer[] {
  const parts = rig.model.requests[index]?.body.contents.at(-1)?.parts ?? [];
  return parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : []));
}

export interface ToolAnswer {
  id?: string;
  name: string;
  response: { output?: string; error?: string };
}

/** Names of the tools declared in the n-th request. */
export function declaredTools(rig: TestRig, index = 0): string[] {
  const tools = rig.model.requests[index]?.body.tools ?? [];
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
}

/** All text of the user's last message in the n-th request. */
export function userText(rig: TestRig, index = 0): string {
  const parts = rig.model.requests[index]?.body.contents.at(-1)?.parts ?? [];
  return parts.map((part) => part.text ?? '').join('\n');
}

/** An engine in this process; only these two load its sources. */
export async function createTestConfig(...args: Parameters<typeof Engine.createTestConfig>) {
  const { createTestConfig } = await import('@gemini-cli/test-utils');
  return createTestConfig(...args);
}

export async function executeCommand(...args: Parameters<typeof Engine.executeCommand>) {
  const { executeCommand } = await import('@gemini-cli/test-utils');
  return executeCommand(...args);
}

export interface ToolRun {
  run: RunResult;
  /** `output` or `error` of the answer the model got. */
  answer: ToolAnswer['response'];
  /** The `tool_result` event. */
  result: StreamEvent;
}

/** The model calls one tool and is done; the whole program runs in yolo mode unless `mode` says otherwise. */
export async function runTool(rig: TestRig, name: string, args: object, mode = 'yolo'): Promise<ToolRun> {
  const { run, answers, results } = await runTools(rig, [callTool(name, args)], mode);
  const [answer] = answers;
  const [result] = results;
  if (!answer || !result) throw new Error(`No answer of ${name}: ${run.stdout}\n${run.stderr}`);
  return { run, answer: answer.response, result };
}

/** The model makes these calls in one turn and is done. */
export async function runTools(rig: TestRig, calls: Script, mode = 'yolo') {
  rig.model.replies(calls, [text('done')]);
  const run = await rig.cli('-p', 'go on', '--approval-mode', mode, '-o', 'stream-json');
  const results = run.events().filter(({ type }) => type === 'tool_result');
  return { run, answers: toolResponses(rig), results };
}

/** Peak memory of a running process in MB. */
export function peakMemory(pid: number): number {
  const [, kb = 'NaN'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** False for a zombie too: it has ended, and only its parent, often the container's init, has yet to notice. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A command prefix that lets the program see mounts of its own; works without root where namespaces do. */
export function mountNamespace(): string[] {
  return process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];
}
