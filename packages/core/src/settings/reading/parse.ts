/** Parses a settings file into one object, without dangerous keys and with limited depth. */
import { JsoncError, parseJsonc, visitJsonc } from '../../base/jsonc.js';
import { isObject } from '../../base/objects.js';
import { formatPath, isForbiddenKey, type KeyPath } from '../key-path.js';

/** A problem in a file, before its line is looked up. */
export interface Finding {
  path: KeyPath;
  message: string;
  hint?: string;
  /** The value restricts something, so continuing without it would be unsafe. */
  fatal?: boolean;
  /** Concerns a restriction: never cut from the list. */
  guard?: boolean;
  /** No setting has this name: the least important kind. */
  unknown?: boolean;
  /** Its position, if not that of `path`. */
  offset?: number;
}

export interface ParsedSettings {
  root: Record<string, unknown>;
  findings: Finding[];
}

const DEEPEST = 100;
const MAX_REPEATED = 100;

/** @throws JsoncError when the text is not JSON or not one object */
export function parseSettings(text: string): ParsedSettings {
  if (text.trim() === '') return { root: {}, findings: [] };
  const value = parseJsonc(text);
  if (!isObject(value)) throw new JsoncError('The file must hold one JSON object', 1, 1);
  const { root, findings, keys } = cleanSettings(value);
  if (mayRepeat(text, keys)) findings.push(...repeatedKeys(text));
  return { root, findings };
}

/** A copy without dangerous keys and without a depth that could exhaust the stack. */
export function cleanSettings(value: Record<string, unknown>): ParsedSettings & { keys: number } {
  const state: Cleaning = { findings: [], path: [], keys: 0 };
  const root = cleanObject(value, state);
  return { root, findings: state.findings, keys: state.keys };
}

interface Cleaning {
  findings: Finding[];
  path: (string | number)[];
  keys: number;
}

function cleanObject(value: Record<string, unknown>, state: Cleaning): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    state.keys++;
    if (isForbiddenKey(key)) {
      report(state, key, 'this name is reserved and never read', 'Remove it.');
      continue;
    }
    const cleaned = clean(value[key], key, state);
    if (cleaned !== undefined) result[key] = cleaned;
  }
  return result;
}

function clean(value: unknown, key: string | number, state: Cleaning): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (state.path.length >= DEEPEST) {
    report(state, key, `nested more than ${DEEPEST} levels deep; the rest of it is ignored`);
    return undefined;
  }
  state.path.push(key);
  const result = isObject(value)
    ? cleanObject(value, state)
    : (value as unknown[]).map((item, index) => clean(item, index, state));
  state.path.pop();
  return result;
}

function report({ findings, path }: Cleaning, key: string | number, message: string, hint?: string): void {
  findings.push({ path: [...path, key], message, hint });
}

/** A text with more key-like places than keys may repeat a key; only then is it parsed again. */
function mayRepeat(text: string, keys: number): boolean {
  return (text.match(/"\s*:/g)?.length ?? 0) > keys;
}

function repeatedKeys(text: string): Finding[] {
  const seen = new Map<string, number>();
  const findings: Finding[] = [];
  visitJsonc(text, (path, offset) => {
    if (typeof path.at(-1) === 'number') return;
    const id = JSON.stringify(path);
    const first = seen.get(id);
    seen.set(id, offset);
    // Inside a repeated section every key would be reported again.
    if (first === undefined || findings.length >= MAX_REPEATED) return;
    if (findings.some((other) => isBelow(path, other.path))) return;
    const line = text.slice(0, first).split('\n').length;
    findings.push({
      path: [...path],
      offset,
      message: `this key is in the file twice (before on line ${line}); the last one counts`,
      hint: `Keep one ${formatPath(path)}.`,
    });
  });
  return findings;
}

function isBelow(path: KeyPath, above: KeyPath): boolean {
  return path.length > above.length && above.every((key, index) => key === path[index]);
}
