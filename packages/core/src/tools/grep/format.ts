/** Formats the result of a search for the model and the user. */
import { onOneLine, relativeToRoot } from '../../workspace/tool-path.js';
import type { ToolResult } from '../tools.js';
import type { ShownLine } from './context-lines.js';
import type { GrepHost, GrepParams } from './grep.js';
import type { GrepMatch } from './search-types.js';

export interface FoundText {
  params: GrepParams;
  host: GrepHost;
  /** `in path "src"`, with the filter. */
  place: string;
  matches: readonly GrepMatch[];
  /** Absent when only names are asked for. */
  linesByFile?: ReadonlyMap<string, ShownLine[]>;
  isLimited: boolean;
  limit: number;
}

export function noMatches(params: GrepParams, place: string, hint = ''): ToolResult {
  return {
    llmContent: `No matches found for pattern "${params.pattern}" ${place}.${hint}`,
    returnDisplay: { summary: 'No matches found', matches: [] },
  };
}

export function formatMatches({
  params,
  host,
  place,
  matches,
  linesByFile,
  isLimited,
  limit,
}: FoundText): ToolResult {
  const cut = isLimited ? ` (results limited to ${limit} matches for performance)` : '';
  const count = `${matches.length} ${matches.length === 1 ? 'match' : 'matches'}`;
  const blocks = [...(linesByFile ?? [])].map(([path, lines]) =>
    [
      `File: ${onOneLine(relativeToRoot(host, path))}`,
      ...lines.map(({ line, text, isMatch }) => `L${line}${isMatch ? ':' : '-'} ${text}`),
      '---',
    ].join('\n'),
  );
  return {
    llmContent: `Found ${count} for pattern "${params.pattern}" ${place}${cut}:\n---\n${blocks.join('\n')}`,
    returnDisplay: {
      summary: `Found ${count}${isLimited ? ' (limited)' : ''}`,
      matches: matches.map(({ path, line, text }) => ({
        filePath: relativeToRoot(host, path),
        lineNumber: line,
        line: text,
      })),
    },
  };
}

export function formatNames({ params, host, place, matches, isLimited, limit }: FoundText): ToolResult {
  const cut = isLimited ? ` (results limited to ${limit} files for performance)` : '';
  const files = matches.map(({ path }) => onOneLine(relativeToRoot(host, path)));
  return {
    llmContent: `Found ${files.length} files with matches for pattern "${params.pattern}" ${place}${cut}:\n${files.join('\n')}`,
    returnDisplay: { summary: `Found ${files.length} files${isLimited ? ' (limited)' : ''}`, files },
  };
}
