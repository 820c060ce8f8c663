/** The files of a skill's folder as a tree, for the model and for the user who is asked. */
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { visibleName } from '../base/visible-text.js';
import { entriesIn } from '../platform/files/try-read.js';

const MAX_ENTRIES = 200;
const MAX_DEPTH = 6;
const CLOSED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** Links are shown, not followed: what they lead to does not become readable. */
export function folderTree(folder: string): string {
  const lines = [`${visibleName(folder).replace(/[/\\]$/, '')}/`];
  const budget = { left: MAX_ENTRIES };
  addEntries(folder, '', 1, lines, budget);
  if (budget.left < 0) lines.push('… more files are not listed');
  return lines.join('\n');
}

/** Files and folders directly inside. */
export function countItems(folder: string): number {
  return entriesIn(folder).length;
}

function addEntries(
  folder: string,
  indent: string,
  depth: number,
  lines: string[],
  budget: { left: number },
): void {
  const entries = entriesIn(folder).sort(byKindAndName);
  for (const [index, entry] of entries.entries()) {
    if (--budget.left < 0) return;
    const isLast = index === entries.length - 1;
    const isOpen = entry.isDirectory() && !CLOSED.has(entry.name) && depth < MAX_DEPTH;
    const mark = entry.isDirectory() ? (isOpen ? '/' : '/…') : entry.isSymbolicLink() ? ' (link)' : '';
    lines.push(`${indent}${isLast ? '└── ' : '├── '}${visibleName(entry.name)}${mark}`);
    if (isOpen)
      addEntries(join(folder, entry.name), `${indent}${isLast ? '    ' : '│   '}`, depth + 1, lines, budget);
  }
}

function byKindAndName(a: Dirent, b: Dirent): number {
  const kinds = Number(a.isDirectory()) - Number(b.isDirectory());
  return kinds !== 0 ? kinds : a.name < b.name ? -1 : 1;
}
