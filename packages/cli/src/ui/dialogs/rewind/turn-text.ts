/** How the list describes a prompt. */
import { basename } from 'node:path';
import type { RewindTurn } from '@gemini-cli/core';
import { cleanLine } from '../../text/clean.js';

const MAX_LABEL_LENGTH = 100;
const MAX_FILES = 3;

export function turnLabel({ text }: RewindTurn): string {
  return cleanLine(text.slice(0, MAX_LABEL_LENGTH)) || '(empty)';
}

/** `2 files (a.ts, b.ts) +10 -3`; lines that commands changed are not counted. */
export function turnDetail({ files, added, removed }: RewindTurn): string {
  if (files.length === 0) return 'No files changed';
  const names = files.slice(0, MAX_FILES).map(({ path }) => cleanLine(basename(path)));
  const more = files.length > MAX_FILES ? ', …' : '';
  const counted = files.filter((file) => file.added !== undefined).length;
  const counts = counted === 0 ? '' : ` +${added} -${removed}${counted < files.length ? ' by edits' : ''}`;
  return `${files.length} file${files.length === 1 ? '' : 's'} (${names.join(', ')}${more})${counts}`;
}
