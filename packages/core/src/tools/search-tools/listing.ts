/** Names of the tools that are not declared, by heading, for the description of `search_tools`. */
import { headOf } from '../../base/cut-text.js';
import type { AnyDeclarativeTool } from '../tools.js';

/** The limit of the listing, however many tools there are. */
export const LISTING_BYTES = 6000;
const LONGEST_HEADING = 64;
/** Room for "- ", ": " and ", … 12345 more". */
const LINE_EXTRA = 32;
/** Room for the line that counts the headings left out. */
const LAST_LINE = 64;

interface Group {
  heading: string;
  names: string[];
}

export function listDeferred(tools: readonly AnyDeclarativeTool[], budget = LISTING_BYTES): string {
  const groups = groupsOf(tools);
  const lines: string[] = [];
  let left = budget - LAST_LINE;
  for (const [index, group] of groups.entries()) {
    const share = Math.floor(left / (groups.length - index));
    const line = lineOf(group, Math.max(share, shortestLine(group)));
    const size = Buffer.byteLength(line) + 1;
    if (size > left) {
      const count = groups.slice(index).reduce((sum, { names }) => sum + names.length, 0);
      lines.push(`- … ${count} more in ${groups.length - index} other groups`);
      break;
    }
    lines.push(line);
    left -= size;
  }
  return lines.join('\n');
}

/** `- github (mcp_github_…): create_issue, list_issues`: the common prefix is written once. */
function lineOf({ heading, names }: Group, share: number): string {
  const prefix = commonPrefix(names);
  const start = `- ${cut(heading)}${prefix ? ` (${prefix}…)` : ''}: `;
  const room = share - Buffer.byteLength(start) - LINE_EXTRA;
  const shown: string[] = [];
  let used = 0;
  for (const name of names) {
    const short = name.slice(prefix.length);
    used += Buffer.byteLength(short) + 2;
    if (used > room && shown.length > 0) break;
    shown.push(short);
  }
  const rest = names.length - shown.length;
  return start + shown.join(', ') + (rest > 0 ? `, … ${rest} more` : '');
}

/** The length of a line with one name. */
function shortestLine({ heading, names }: Group): number {
  return Buffer.byteLength(`${cut(heading)}${names[0] ?? ''}`) + LINE_EXTRA;
}

/** Up to the last `_` that all names share. */
function commonPrefix([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return '';
  let length = first.length;
  for (const name of others) {
    while (!name.startsWith(first.slice(0, length))) length--;
  }
  return first.slice(0, first.slice(0, length).lastIndexOf('_') + 1);
}

function groupsOf(tools: readonly AnyDeclarativeTool[]): Group[] {
  const groups = new Map<string, string[]>();
  for (const { name, deferUnder = '' } of tools) {
    const names = groups.get(deferUnder);
    if (names) names.push(name);
    else groups.set(deferUnder, [name]);
  }
  return [...groups].map(([heading, names]) => ({ heading, names }));
}

function cut(heading: string): string {
  const line = heading.replace(/\s+/g, ' ');
  return line.length > LONGEST_HEADING ? `${headOf(line, LONGEST_HEADING)}…` : line;
}
