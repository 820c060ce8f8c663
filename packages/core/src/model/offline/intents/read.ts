/** "show src/a.ts", "show lines 10-20 of src/a.ts", "cat package.json", "what's in README". */
import { readFile } from '../calls.js';
import { type Clause, meaningOf, wholeClause } from '../clause.js';
import { ask, defineFamily, done, failed, type Steps } from '../intent.js';
import { locate } from '../locate.js';
import { parseRead } from '../results.js';
import { block, code, isMedia, languageOf, toolError } from '../say.js';
import { hasExtension, isFileName, looksLikeFolder, looksLikePath, pathOf } from '../words.js';
import { listFolder } from './list.js';

interface ReadDetails {
  path: string;
  from?: number;
  to?: number;
  last?: number;
}

const OF_FILE = '(?:of|in|from) (?:file )?(\\S+)(?: file)?';
const RANGE = '(\\d+)(?: ?(?:-|–|\\.\\.|to|through|until|and) ?(\\d+))?';

const LINES_OF = wholeClause(`(?:show )?lines? ${RANGE} ${OF_FILE}`);
const FILE_LINES = wholeClause(`show(?: file)? (\\S+?),? \\(?lines? ${RANGE}\\)?`);
const COLON_LINES = /^(?:show )?(\S+?):(\d+)(?:-(\d+))?$/i;
const ENDS_OF = wholeClause(`(?:show )?(first|top|last|bottom) (\\d+ )?lines? ${OF_FILE}`);
const HEAD_TAIL = /^(head|tail)(?: -n? ?(\d+))? (\S+)$/i;
const WHOLE =
  /^show(?: (?:contents?|text|source(?: code)?|code)(?: (?:of|in|for))?)?(?: file)? (\S+)(?: file)?(?: (?:contents?|again))?$/i;
const WHAT_IN =
  /^what (?:is(?: there)? (?:in|inside|written in)|does) (?:file )?(\S+)(?: file)?(?: (?:say|contain|hold))?$/i;

const MAX_SHOWN = 150;
/** Lines shown around `file:line`. */
const AROUND = 8;

function match(clause: Clause): ReadDetails | undefined {
  return matchPart(clause) ?? matchWhole(clause);
}

function matchPart(clause: Clause): ReadDetails | undefined {
  const lines = LINES_OF.exec(clause.plain);
  if (lines) return range(clause, lines[3], lines[1], lines[2]);
  const suffix = FILE_LINES.exec(clause.plain);
  if (suffix) return range(clause, suffix[1], suffix[2], suffix[3]);
  const colon = COLON_LINES.exec(clause.plain);
  if (colon?.[1] && looksLikePath(clause, colon[1])) {
    const line = Number(colon[2]);
    if (colon[3]) return range(clause, colon[1], colon[2], colon[3]);
    return { path: pathOf(clause, colon[1]), from: Math.max(1, line - AROUND), to: line + AROUND };
  }
  const ends = ENDS_OF.exec(clause.plain) ?? undefined;
  if (ends) return endsOf(clause, ends[3], /first|top/i.test(ends[1] ?? ''), Number(ends[2] ?? 10));
  const unix = HEAD_TAIL.exec(clause.plain);
  return unix ? endsOf(clause, unix[3], /head/i.test(unix[1] ?? ''), Number(unix[2] ?? 10)) : undefined;
}

function matchWhole(clause: Clause): ReadDetails | undefined {
  // A file name and nothing else: "show a.ts and b.ts".
  if (
    /^\S+$/.test(clause.text) &&
    looksLikePath(clause, clause.text) &&
    isFileName(meaningOf(clause, clause.text))
  ) {
    return { path: pathOf(clause, clause.text) };
  }
  const captured = (WHOLE.exec(clause.plain) ?? WHAT_IN.exec(clause.plain))?.[1];
  if (captured === undefined) return undefined;
  const asks = /^what does/i.test(clause.plain);
  if (asks && !/(?:say|contain|hold)$/i.test(clause.plain)) return undefined;
  const isFolder = looksLikeFolder(clause, captured) && !meaningOf(clause, captured).includes('*');
  const isFile = looksLikePath(clause, captured) || (!asks && hasExtension(clause, captured));
  return isFile || isFolder ? { path: pathOf(clause, captured) } : undefined;
}

function range(clause: Clause, file = '', from = '1', to = from): ReadDetails | undefined {
  if (!looksLikePath(clause, file) && !hasExtension(clause, file)) return undefined;
  const [first, last] = [Math.max(1, Number(from)), Math.max(1, Number(to))];
  return { path: pathOf(clause, file), from: Math.min(first, last), to: Math.max(first, last) };
}

function endsOf(clause: Clause, file = '', isHead: boolean, lines: number): ReadDetails | undefined {
  if (!looksLikePath(clause, file) && !hasExtension(clause, file)) return undefined;
  const path = pathOf(clause, file);
  return isHead ? { path, from: 1, to: Math.max(1, lines) } : { path, last: Math.max(1, lines) };
}

function* steps(details: ReadDetails): Steps {
  const place = yield* locate(details.path);
  if (place.kind === 'unclear') return failed(place.problem);
  if (place.kind === 'folder') return yield* listFolder(place.path);
  const { path } = place;
  if (isMedia(path)) {
    return failed(
      `${code(path)} is not a text file. A language model can look at images and documents; I cannot.`,
    );
  }
  const outcome = yield* ask(readFile(path, details));
  if (!outcome.ok) return failed(toolError(`Reading ${code(path)}`, outcome));
  if (outcome.text.startsWith('Cannot display content of binary file')) return failed(outcome.text);
  return done(render(path, outcome.text, details.last));
}

function render(path: string, text: string, last: number | undefined): string {
  const { content, from, total } = parseRead(text);
  if (content.trim() === '') return `${code(path)} is empty.`;
  const lines = content.replace(/\n$/, '').split('\n');
  const skipped = last === undefined ? 0 : Math.max(0, lines.length - last);
  const shown = lines.slice(skipped, skipped + MAX_SHOWN);
  const first = from + skipped;
  const end = first + shown.length - 1;
  const all = total ?? from + lines.length - 1;
  const isWhole = first === 1 && end >= all;
  const title = isWhole ? `${code(path)}:` : `${code(path)}, lines ${first}-${end} of ${all}:`;
  const next =
    end < all && last === undefined && skipped + shown.length < lines.length
      ? `\n\nMore: ${code(`show lines ${end + 1}-${Math.min(all, end + MAX_SHOWN)} of ${path}`)}`
      : '';
  return `${title}\n\n${block(shown.join('\n'), languageOf(path))}${next}`;
}

export const readFamily = defineFamily<ReadDetails>({
  kind: 'read',
  match,
  steps,
  path: (details) => details.path,
});
