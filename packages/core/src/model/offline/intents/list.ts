/** "list files", "ls src", "what's in packages/core?", "show the docs folder". */
import { listDirectory } from '../calls.js';
import { type Clause, isQuoted, wholeClause } from '../clause.js';
import { ask, defineFamily, done, failed, type Steps } from '../intent.js';
import { locate } from '../locate.js';
import { parseListing } from '../results.js';
import { block, code, count, firstOf, toolError } from '../say.js';
import { filePattern, folderOf, isFileName, looksLikeFolder } from '../words.js';

interface ListDetails {
  path: string;
}

const THINGS = '(?:files?|folders?|subfolders?|contents?|entries|everything|listing)';
const PLACE = '(?:in|of|inside|under|from|at|within) (?:folder )?(.+?)(?: folder)?';

const PATTERNS = [
  wholeClause(
    `(?:list|ls|dir|show) (?:${THINGS}(?:(?: and|,) )?)+(?: (?:here|there))?(?:(?: that are)? ${PLACE})?`,
  ),
  wholeClause(
    `(?:what|which) ${THINGS}(?: and ${THINGS})? (?:are|is|exist|do (?:i|we|you) (?:have|see))(?: there)?(?: here)?(?: ${PLACE})?`,
  ),
  wholeClause(`(?:what|which) ${THINGS} (?:does|do) (\\S+) (?:contain|have|hold)`),
  /^what is(?: there)?(?: in)? here$/i,
  wholeClause(`what is(?: there)? ${PLACE}`),
  /^(?:ls|dir|tree|list)(?: -[a-z]+)?(?: (?:folder )?(\S+?)(?: folder)?)?$/i,
  /^(?:show|browse|look (?:in|into|inside)|list) (?:folder (\S+)|(\S+) folder)$/i,
];

const MAX_SHOWN = 100;

function match(clause: Clause): ListDetails | undefined {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(clause.plain);
    if (!found) continue;
    const captured = found[1] ?? found[2];
    if (captured === undefined) return { path: '.' };
    if (/^(?:TODO|FIXME)s?$/.test(captured)) return undefined;
    if (filePattern(clause, captured) && !looksLikeFolder(clause, captured)) return undefined;
    const path = folderOf(clause, captured);
    const single = isQuoted(captured) || !/\s/.test(captured) || path === '.';
    return single && !isFileName(path) && !/[?*]/.test(path) ? { path } : undefined;
  }
  return undefined;
}

function* steps({ path }: ListDetails): Steps {
  const place = yield* locate(path);
  if (place.kind === 'unclear') return failed(place.problem);
  return yield* listFolder(place.path);
}

/** The listing of a folder that is known to exist. */
export function* listFolder(path: string): Steps {
  const outcome = yield* ask(listDirectory(path));
  if (!outcome.ok) return failed(toolError(`Listing ${code(path)}`, outcome));
  const { folders, files, ignored } = parseListing(outcome.text);
  const name = path === '.' ? 'This folder' : code(path);
  const hidden = ignored > 0 ? ` ${count(ignored, 'ignored entry', 'ignored entries')} not shown.` : '';
  if (folders.length + files.length === 0) return done(`${name} is empty.${hidden}`);
  const entries = [...folders.map((folder) => `${folder}/`), ...files];
  const summary = [count(folders.length, 'folder'), count(files.length, 'file')].join(', ');
  return done(`${name} has ${summary}.${hidden}\n\n${block(firstOf(entries, MAX_SHOWN).join('\n'))}`);
}

export const listFamily = defineFamily<ListDetails>({ kind: 'list', match, steps });
