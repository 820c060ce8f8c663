/** The list of tools of another program as ours. A list that maps to nothing stays a list: the agent gets no tools. */
import { CLAUDE_TOOL_NAMES } from '../../../protocol/claude-tool-names.js';
import { INVOKE_AGENT, splitTools, toolNamed } from '../tool-entries.js';
import type { FixNotes } from './fix-notes.js';

const TOOL_KEYS = ['tools', 'allowed-tools', 'allowedTools', 'allowed_tools'];

/** @returns undefined: the file limits nothing, and the agent has the tools of the session */
export function fixTools(data: Readonly<Record<string, unknown>>, notes: FixNotes): string[] | undefined {
  const key = TOOL_KEYS.find((name) => Object.hasOwn(data, name));
  const isLimited = Object.hasOwn(data, 'disallowedTools');
  if (key === undefined && !isLimited) return undefined;
  const given = key === undefined ? undefined : entriesOf(data[key]);
  const isAll = given === undefined || (isLimited && given.includes('*'));
  const mapped = isAll ? allMapped() : mapTools(given, notes);
  const disallowed = entriesOf(data['disallowedTools']);
  const without = mapTools(disallowed, { changes: [], losses: [] });
  if (isAll)
    notes.losses.push(
      'disallowedTools became a list of tools: those of MCP servers are not in it. Add them.',
    );
  for (const entry of disallowed.filter((one) => one.includes('(')))
    notes.losses.push(`${entry.slice(0, 60)} in disallowedTools removes the whole tool.`);
  const tools = mapped.filter((name) => {
    const part = without.find((one) => one !== name && covers(name, one));
    if (part !== undefined)
      notes.losses.push(
        `${name} is removed: it includes the disallowed ${part}. List the tools that it may use.`,
      );
    return part === undefined && !without.some((one) => covers(one, name));
  });
  if (given === undefined || String(given) !== String(tools))
    notes.changes.push(`tools: [${tools.join(', ')}].`);
  if (tools.length === 0) notes.losses.push('The agent has no tools: none of the listed ones exists here.');
  return tools;
}

/** `*`, `mcp_*` and `mcp_server_*` stand for other tools, too. */
function covers(pattern: string, name: string): boolean {
  return pattern === name || (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)));
}

function entriesOf(value: unknown): string[] {
  if (typeof value === 'string') return splitTools(value);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').flatMap(splitTools) : [];
}

function mapTools(entries: readonly string[], notes: FixNotes): string[] {
  const names = entries.flatMap((entry) => {
    const [, bare = entry, limits] = /^([\w*:-]+)\((.*)\)?$/s.exec(entry) ?? [];
    const name = toolNamed(bare);
    if (name === undefined) {
      notes.losses.push(`Removed the tool ${entry.slice(0, 60)}, which does not exist here.`);
      return [];
    }
    if (limits !== undefined && name !== INVOKE_AGENT)
      notes.losses.push(
        `${entry.slice(0, 60)} is ${name} now, for any arguments: limit it with policy rules.`,
      );
    return name === INVOKE_AGENT ? [] : [name];
  });
  return [...new Set(names)];
}

function allMapped(): string[] {
  const names = Object.values(CLAUDE_TOOL_NAMES).filter(
    (name) => name !== undefined && name !== '*' && name !== INVOKE_AGENT,
  );
  return [...new Set(names as string[])];
}
