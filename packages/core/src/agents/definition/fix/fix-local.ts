/** The fields of a local agent as they are written here. */
import { isClaudeModel } from '../claude-format.js';
import { LOCAL_FIELDS } from '../local-fields.js';
import { fixName } from './fix-name.js';
import type { FixNotes } from './fix-notes.js';
import { fixTools } from './fix-tools.js';

type Fields = Record<string, unknown>;

const MAX_DESCRIPTION = 1024;
const GEMINI_MODEL =
  /^(?:inherit|auto[\w.-]*|pro|flash|flash-lite|(?:gemini|gemma)-[\w.-]+|[\w.-]+\/[\w./:-]+)$/;

/** Other spellings of known keys. */
const RENAMED: Readonly<Record<string, string>> = {
  maxTurns: 'max_turns',
  timeoutMins: 'timeout_mins',
  max_time_minutes: 'timeout_mins',
  displayName: 'display_name',
  mcpServers: 'mcp_servers',
};

export function fixLocalFields(
  given: Readonly<Fields>,
  file: { body: string; fileName: string },
  notes: FixNotes,
): Fields {
  const data = renamed(given, notes);
  const name = fixName(data['name'], file.fileName, notes);
  const description = fixDescription(data['description'], file.body, name, notes);
  const kept: Fields = { name, description, kind: 'local' };
  const displayName = valid('display_name', data['display_name'], notes);
  if (displayName !== undefined) kept['display_name'] = displayName;
  const tools = fixTools(data, notes);
  if (tools) kept['tools'] = tools;
  for (const key of ['mcp_servers', 'temperature', 'max_turns', 'timeout_mins']) {
    const value = valid(key, toNumber(data[key]), notes);
    if (value !== undefined) kept[key] = value;
  }
  const model = fixModel(data['model'], notes);
  if (model !== undefined) kept['model'] = model;
  const known = new Set([
    ...Object.keys(LOCAL_FIELDS),
    'disallowedTools',
    'allowed-tools',
    'allowedTools',
    'allowed_tools',
  ]);
  const removed = Object.keys(data).filter((key) => !known.has(key));
  if (removed.length > 0) notes.changes.push(`Removed ${removed.map((key) => key.slice(0, 60)).join(', ')}.`);
  return kept;
}

function renamed(given: Readonly<Fields>, notes: FixNotes): Fields {
  const entries = Object.entries(given).map(([key, value]) => {
    const to = Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined;
    if (to === undefined || Object.hasOwn(given, to)) return [key, value] as const;
    notes.changes.push(`${key} is called ${to} here.`);
    return [to, value] as const;
  });
  return Object.fromEntries(entries);
}

function fixDescription(value: unknown, body: string, name: string, notes: FixNotes): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const line = body.split('\n').find((text) => /\w/.test(text)) ?? name;
  notes.changes.push('The description is the first line of the text.');
  return (
    line
      .replace(/^[#>*\s-]+/, '')
      .trim()
      .slice(0, MAX_DESCRIPTION) || name
  );
}

function fixModel(value: unknown, notes: FixNotes): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && GEMINI_MODEL.test(value) && !isClaudeModel(value)) return value;
  notes.changes.push(`The model is inherit instead of ${String(value).slice(0, 60)}.`);
  return 'inherit';
}

/** The value if it is right as it is; else it is dropped and its default counts. */
function valid(key: string, value: unknown, notes: FixNotes): unknown {
  if (value === undefined) return undefined;
  const issues = LOCAL_FIELDS[key]?.(value, key) ?? [];
  if (issues.length === 0) return value;
  notes.losses.push(`Removed ${key}, which was not valid: ${issues[0]?.message}.`);
  return undefined;
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
}
