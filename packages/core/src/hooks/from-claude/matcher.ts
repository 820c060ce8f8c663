/** Converts the matcher of a Claude Code hook. */
import { CLAUDE_TOOL_NAMES, geminiToolName } from '../../protocol/claude-tool-names.js';

export interface ConvertedMatchers {
  /** One per definition; undefined: everything. Empty: no such event happens here. */
  matchers: readonly (string | undefined)[];
  /** Names in the matcher that have no equivalent. */
  lost: readonly string[];
}

const NAMES = Object.keys(CLAUDE_TOOL_NAMES).filter((name) => name !== '*');
const MCP = String.raw`mcp__[^|()$\s]*`;
const WORD = new RegExp(String.raw`(?<![\w-])(?:${MCP}|(?:${NAMES.join('|')})(?![\w-]))`, 'g');

/** Claude Code's tool names, as whole words, become ours; the rest of the expression stays. */
export function toolMatcher(matcher: string): ConvertedMatchers {
  const lost: string[] = [];
  const converted = matcher.replace(WORD, (word) => {
    if (word.startsWith('mcp__')) return mcpPattern(word);
    const name = geminiToolName(word);
    if (name === undefined) lost.push(word);
    return name ?? word;
  });
  const isList = /^[\w-]+(?:\|[\w-]+)+$/.test(converted);
  return { matchers: [isList ? [...new Set(converted.split('|'))].join('|') : converted], lost };
}

/** `mcp__server__.*` may have patterns in place of both names; a server alone stands for all of its tools. */
function mcpPattern(word: string): string {
  return geminiToolName(word)?.replace(/_\*$/, '_.*') ?? word.replace('mcp__', 'mcp_');
}

/** Claude Code takes a list; ours is compared as a whole, so each value becomes a definition. */
export function valueMatcher(matcher: string, known: readonly string[]): ConvertedMatchers {
  const values = matcher.split('|').map((value) => value.trim());
  return {
    matchers: values.filter((value) => known.includes(value)),
    lost: values.filter((value) => !known.includes(value)),
  };
}

export function matchesAll(matcher: string | undefined): boolean {
  return matcher === undefined || ['', '*', '.*'].includes(matcher.trim());
}
