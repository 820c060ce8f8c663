/** Matchers of a plugin's hooks. A hook whose matcher has no equivalent is skipped: it must not run for everything. */

import { toolNamed } from '../../../agents/definition/tool-entries.js';
import { toolMatcher as fromClaude, matchesAll, valueMatcher } from '../../../hooks/from-claude/matcher.js';
import { toolMatcher } from '../../../hooks/matcher.js';
import { CLAUDE_TOOL_NAMES } from '../../../protocol/claude-tool-names.js';
import { type ServerNames, withServerNames } from './mcp-names.js';

export interface HookMatcher {
  /** Undefined: everything. */
  matcher?: string;
  losses: string[];
  /** Why the hook is skipped. */
  problem?: string;
}

const VALUES: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['startup', 'resume', 'clear'],
  SessionEnd: ['clear', 'logout', 'prompt_input_exit', 'other', 'exit'],
  PreCompact: ['manual', 'auto'],
};

export function matcherFor(claudeEvent: string, written: unknown, servers: ServerNames): HookMatcher {
  if (Array.isArray(written)) return matcherFor(claudeEvent, written.map(String).join('|'), servers);
  if (written === undefined || written === null) return { losses: [] };
  // Claude Code would not run it for everything either.
  if (typeof written !== 'string') return { losses: [], problem: 'its matcher is not a text' };
  if (matchesAll(written)) return { losses: [] };
  if (claudeEvent === 'Notification')
    return { losses: [], problem: `there is no matcher for notifications here ("${clip(written)}")` };
  if (/ToolUse$/.test(claudeEvent)) return tools(written, servers);
  const known = VALUES[claudeEvent];
  if (!known) return { losses: [`the matcher "${clip(written)}" has no meaning here and is dropped`] };
  const { matchers, lost } = valueMatcher(written, known);
  if (matchers.length === 0) return { losses: [], problem: noEquivalent(written) };
  const losses = lost.length > 0 ? [`${lost.map(clip).join(', ')} of the matcher does not happen here`] : [];
  return { matcher: matchers.join('|'), losses };
}

/** A list of names is mapped name by name; in any other expression the names are replaced as words. */
function tools(written: string, servers: ServerNames): HookMatcher {
  const named = written.replace(/mcp__[\w-]+?(?=__|[^\w-]|$)/g, (word) => withServerNames(word, servers));
  const parts = named.split(/[|,](?![^(]*\))/).map((part) => part.trim());
  if (!parts.every((part) => /^[\w-]+(?:\(.*\))?$/.test(part))) {
    const { matchers, lost } = fromClaude(named);
    const losses = lost.length > 0 ? [`nothing here is called ${lost.join(', ')}`] : [];
    const [matcher] = matchers;
    if (matcher === undefined || !isPattern(matcher) || !mayMatch(named, CLAUDE) || !mayMatch(matcher, OURS))
      return { losses: [], problem: noEquivalent(written) };
    return { matcher, losses };
  }
  const mapped = parts.map((part) => {
    const bare = part.replace(/\(.*/, '');
    return { part, bare, name: toolNamed(bare)?.replace(/_\*$/, '_.*') };
  });
  const kept = [...new Set(mapped.flatMap(({ name }) => (name === undefined ? [] : [name])))];
  const lost = mapped.filter(({ name }) => name === undefined).map(({ part }) => clip(part));
  if (kept.length === 0) return { losses: [], problem: noEquivalent(written) };
  const limited = mapped.filter(({ part, bare, name }) => part !== bare && name !== undefined);
  return {
    matcher: kept.join('|'),
    losses: [
      ...(lost.length > 0 ? [`nothing here is called ${lost.join(', ')} (matcher "${clip(written)}")`] : []),
      ...limited.map(({ part }) => `of "${clip(part)}" only the tool is kept`),
    ],
  };
}

const CLAUDE = Object.keys(CLAUDE_TOOL_NAMES).filter((name) => name !== '*');
const OURS = CLAUDE.flatMap((name) => CLAUDE_TOOL_NAMES[name] ?? []);

/** Tools of servers are not known here. */
function mayMatch(matcher: string, tools: readonly string[]): boolean {
  return /mcp/i.test(matcher) || toolMatcher(matcher)(tools);
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

function noEquivalent(written: string): string {
  return `its matcher "${clip(written)}" has no equivalent here`;
}

function clip(text: string): string {
  return text.slice(0, 60);
}
