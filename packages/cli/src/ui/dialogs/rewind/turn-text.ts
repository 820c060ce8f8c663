/** Prompts of the conversation, and one of them opened. */
import { basename } from 'node:path';
import type { CheckpointServices, RewindTurn } from '@gemini-cli/core';
import type { Look } from '../../look.js';
import { markdownLines } from '../../markdown/markdown.js';
import { cleanLine, cleanText } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { narrower } from '../../text/narrow.js';

export type RewindItem = ReturnType<CheckpointServices['rewind']['items']>[number];

const MOST_LABEL = 100;
const MOST_FILES = 3;

export function turnLabel({ text }: RewindTurn): string {
  return cleanLine(text.slice(0, MOST_LABEL)) || '(empty)';
}

/** `2 files (a.ts, b.ts) +10 -3`. */
export function turnDetail({ files, added, removed }: RewindTurn): string {
  if (files.length === 0) return 'No files changed';
  const names = files.slice(0, MOST_FILES).map(({ path }) => cleanLine(basename(path)));
  const more = files.length > MOST_FILES ? ', …' : '';
  return `${files.length} file${files.length === 1 ? '' : 's'} (${names.join(', ')}${more}) +${added} -${removed}`;
}

export function openedLines(look: Look, items: readonly RewindItem[], width: number): string[] {
  const { paint, theme } = look;
  const inner = narrower(look, look.width - width);
  return items.flatMap((item) => {
    switch (item.type) {
      case 'user':
        return wrapText(`> ${cleanText(item.text)}`, width).map((row) =>
          paint(row, { color: theme.text.accent }),
        );
      case 'gemini':
        return markdownLines(item.text, inner);
      case 'thinking':
        return [];
      case 'tool_group':
        return item.tools.flatMap(({ name, description, status }) =>
          wrapText(cleanLine(`${name} ${description} (${status})`), width).map((row) =>
            paint(row, { color: theme.text.secondary }),
          ),
        );
      default:
        return wrapText(cleanText(item.text), width);
    }
  });
}
