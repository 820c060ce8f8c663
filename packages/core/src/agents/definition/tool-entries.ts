/** Entries of `tools` in an agent file: our names, older spellings, Claude Code's names, patterns. */
import { CLAUDE_TOOL_NAMES, geminiToolName } from '../../protocol/claude-tool-names.js';
import { canonicalToolName } from '../../protocol/tool-names.js';
import { BUILTIN_TOOLS } from '../../tools/catalog.js';
import type { FieldIssue } from './issue.js';
import { type Check, list, text } from './shape.js';

/** Agents never call agents: the entry is accepted and has no effect. */
export const INVOKE_AGENT = 'invoke_agent';

/** Tools that come and go during a session, so that the catalog does not list them. */
const OTHER_TOOLS = [
  INVOKE_AGENT,
  'activate_skill',
  'analyze_screenshot',
  'complete_task',
  'list_mcp_resources',
  'read_mcp_resource',
  'recall_turn',
  'search_tools',
];

/** `*`, `mcp_*`, `mcp_<server>_*`, `mcp_<server>_<tool>`, `discovered_tool_<name>`. */
const PATTERN = /^(?:\*|mcp_\*|mcp_[\w.:-]+(?:_\*)?|discovered_tool_[\w.:-]+)$/;

let known: ReadonlySet<string> | undefined;

/** Whether a name is that of a tool that the program itself has. */
export function isBuiltinTool(name: string): boolean {
  known ??= new Set([...BUILTIN_TOOLS.map((tool) => tool.name), ...OTHER_TOOLS]);
  return known.has(name);
}

/** The name here. Undefined: unknown, or a tool of Claude Code without an equivalent. */
export function toolNamed(entry: string): string | undefined {
  const name = canonicalToolName(entry);
  if (isBuiltinTool(name)) return name;
  // First: `mcp__server__tool` fits the pattern, too, but is Claude Code's spelling.
  return geminiToolName(entry) ?? (PATTERN.test(entry) ? entry : undefined);
}

/** The tools of a checked list: each once, in the order of the file. */
export function toolsNamed(entries: readonly string[]): string[] {
  const names = entries.map(toolNamed).filter((name) => name !== undefined && name !== INVOKE_AGENT);
  return [...new Set(names as string[])];
}

/** Splits Claude Code's form `Read, Bash(git add, git commit), Grep` at commas outside parentheses. */
export function splitTools(text: string): string[] {
  const entries = text.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** `tools` of an agent file. */
export const toolList: Check = (value, field) => {
  if (typeof value !== 'string') return list(toolEntry)(value, field);
  const names = splitTools(value).map((entry) => toolNamed(entry.replace(/\(.*/s, '')) ?? entry);
  const cure = `Write a list: tools: [${names.join(', ').slice(0, 200)}].`;
  return list(toolEntry)(value, field).map((issue) => ({ ...issue, cure }));
};

const toolEntry: Check = (value, field) => {
  const wrong = text({ nonEmpty: true })(value, field);
  if (wrong.length > 0 || toolNamed(String(value)) !== undefined) return wrong;
  return [invalid(String(value), field)];
};

function invalid(entry: string, field: string): FieldIssue {
  const shown = entry.slice(0, 60);
  const bare = /^(\w+)\(.*\)$/s.exec(entry)?.[1];
  const message = `Invalid tool name: '${shown}'`;
  if (bare !== undefined && toolNamed(bare) !== undefined)
    return {
      field,
      message,
      cure: `Write ${toolNamed(bare)}; limits on its arguments belong into policy rules.`,
    };
  if (Object.hasOwn(CLAUDE_TOOL_NAMES, entry))
    return { field, message, cure: 'Remove it: this tool of Claude Code has no equivalent here.' };
  return { field, message, cure: 'Write the name of a tool (/tools lists them), or remove it.' };
}
