/** `/docs [page]`: lists the pages of this installation, which match its version, or shows one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { findDocsFolder, visibleName } from '@gemini-cli/core';
import { type Action, type Completion, failure } from './define.js';

export const docs: Action = (_context, args) => {
  const folder = findDocsFolder();
  if (!folder) return failure('This installation came without documentation.');
  const wanted = args.trim().replace(/\.md$/, '');
  if (wanted === '') return { type: 'items', items: [listOf(folder)] };
  if (!pagesIn(folder).includes(wanted))
    return failure(`There is no page "${visibleName(wanted)}". /docs lists them.`);
  return { type: 'items', items: [{ type: 'markdown', text: textOf(folder, wanted) }] };
};

export const completePage: Completion = (_context, partialArg) => {
  const folder = findDocsFolder();
  return folder ? pagesIn(folder).filter((page) => page.startsWith(partialArg)) : [];
};

function listOf(folder: string) {
  const rows = pagesIn(folder).map((page) => ({ name: page, note: titleOf(textOf(folder, page)) }));
  const title = `Documentation, in ${folder}. Read a page with /docs <page>`;
  return { type: 'list' as const, title, rows, empty: 'There are no pages.' };
}

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length).replaceAll(sep, '/'))
    .sort();
}

function textOf(folder: string, page: string): string {
  return readFileSync(join(folder, `${page}.md`), 'utf8');
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}
