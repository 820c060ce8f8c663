/** Reads what a hook printed. Nothing of it is trusted: wrong types are dropped, names of prototypes never kept. */
import { isObject } from '../../base/objects.js';
import { isDenial } from '../decision.js';
import type { HookDecision, HookOutput } from '../types.js';

const DECISIONS: ReadonlySet<unknown> = new Set(['ask', 'block', 'deny', 'approve', 'allow']);
const DEFAULT_REASON = 'A hook blocked this without a reason.';
/** Exit code of a hook that blocks. */
const BLOCKS = 2;

export interface PrintedResult {
  success: boolean;
  output?: HookOutput;
  /** For the user: why it failed. */
  warning?: string;
}

/** By exit code: 0 good, 2 blocks, any other failed without effect. */
export function readPrinted(printed: { stdout: string; stderr: string; exitCode: number }): PrintedResult {
  const { exitCode } = printed;
  const stdout = printed.stdout.trim();
  const stderr = printed.stderr.trim();
  const json = jsonObject(stdout) ?? (stdout === '' ? jsonObject(stderr) : undefined);
  const output = json && readOutput(json);
  if (exitCode === BLOCKS) return { success: true, output: blocking(output, stderr, stdout) };
  if (exitCode === 0) {
    if (output) return { success: true, output };
    return { success: true, output: stdout === '' ? {} : { decision: 'allow', systemMessage: stdout } };
  }
  const text = output ? (output.systemMessage ?? output.reason ?? '') : stderr || stdout;
  const ended = `exited with code ${exitCode}`;
  return { success: false, warning: text === '' ? ended : `Warning: ${text} (${ended})` };
}

/** What a hook printed that succeeded without a JSON object. */
export function plainText(printed: { stdout: string; stderr: string; exitCode: number }): string | undefined {
  const stdout = printed.stdout.trim();
  const isPlain = printed.exitCode === 0 && !jsonObject(stdout === '' ? printed.stderr.trim() : stdout);
  return isPlain ? stdout : undefined;
}

function blocking(output: HookOutput | undefined, stderr: string, stdout: string): HookOutput {
  if (!output) return { decision: 'deny', reason: stderr || stdout || DEFAULT_REASON };
  // JSON on stderr is the output itself, not a reason.
  const said = jsonObject(stderr) ? '' : stderr;
  const own = isDenial(output.decision) ? output.reason || said : said || output.reason;
  return { ...output, decision: 'deny', reason: own || DEFAULT_REASON };
}

/** A JSON string that contains JSON is decoded once more. */
function jsonObject(text: string): Record<string, unknown> | undefined {
  const value = parse(text);
  const inner = typeof value === 'string' ? parse(value) : value;
  return isObject(inner) ? inner : undefined;
}

function parse(text: string): unknown {
  // Most plain text is not worth a parser's error.
  if (!/^["{]/.test(text)) return undefined;
  try {
    return JSON.parse(text, withoutPrototypes);
  } catch {
    return undefined;
  }
}

function withoutPrototypes(key: string, value: unknown): unknown {
  return key === '__proto__' || key === 'constructor' || key === 'prototype' ? undefined : value;
}

/** Keeps what has the right type. Also for what functions of programs return. */
export function readOutput(value: Record<string, unknown>): HookOutput {
  const { hookSpecificOutput: specific } = value;
  return {
    ...flag(value, 'continue'),
    ...flag(value, 'suppressOutput'),
    ...text(value, 'stopReason'),
    ...text(value, 'systemMessage'),
    ...text(value, 'reason'),
    ...(DECISIONS.has(value['decision']) && { decision: value['decision'] as HookDecision }),
    ...(isObject(specific) && { hookSpecificOutput: specific }),
  };
}

function flag(value: Record<string, unknown>, key: string): Record<string, boolean> {
  const given = value[key];
  return typeof given === 'boolean' ? { [key]: given } : {};
}

function text(value: Record<string, unknown>, key: string): Record<string, string> {
  const given = value[key];
  return typeof given === 'string' ? { [key]: given } : {};
}
