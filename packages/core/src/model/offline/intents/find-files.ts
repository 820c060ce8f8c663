/** "find all *.py files", "find files named config", "where is package.json?" */
import { glob, grep } from '../calls.js';
import { type Clause, isQuoted, meaningOf, wholeClause } from '../clause.js';
import { ask, defineFamily, done, failed, type Steps } from '../intent.js';
import { escapeGlob } from '../locate.js';
import { parseGlob, parseGrep } from '../results.js';
import { block, bullets, code, count, firstOf, toolError } from '../say.js';
import { filePattern, isFileName, placeOf } from '../words.js';

interface FindFilesDetails {
  /** A pattern over the path, or over the name if it has no slash. */
  pattern: string;
  under?: string;
  /** The words as typed, when they may have been meant as text in files. */
  maybeText?: string;
}

const VERB = '(?:find|list|show)';
const UNDER = '(?: (?:in|under|inside|within|from) (?:folder )?(\\S+?|this \\w+)(?: folder)?)?';

const KIND_OF_FILES = wholeClause(
  `(?:${VERB} (?:(\\S+) files?|(tests))|(?:what|which) (\\S+?)(?: files)? (?:are|exist)(?: there)?)${UNDER}`,
);
const GLOB_PATTERN = wholeClause(
  `${VERB}(?: files?)?(?: (?:matching|like|with (?:extension|ending|suffix)|ending (?:in|with)))? (\\S*[*?]\\S*|\\.[a-z0-9]{1,8})(?: files?)?${UNDER}`,
);
const NAMED = wholeClause(
  `${VERB} files? (?:(?:that (?:is|are) )?(?:named|called)|with name|whose name (?:is|contains)|like) (.+?)${UNDER}`,
);
const WHERE_IS =
  /^(?:where (?:is|are)|find|which folder has)(?: files?)? (\S+)(?: files?)?(?: located| stored| saved)?$/i;

const MAX_SHOWN = 60;

function match(clause: Clause): FindFilesDetails | undefined {
  const kinds = KIND_OF_FILES.exec(clause.plain);
  const pattern = kinds ? filePattern(clause, kinds[1] ?? kinds[2] ?? kinds[3] ?? '') : undefined;
  if (kinds && pattern) return { pattern: anywhere(pattern), ...placeOf(clause, kinds[4]) };
  const globbed = GLOB_PATTERN.exec(clause.plain);
  const typed = globbed?.[1] === undefined ? undefined : filePattern(clause, globbed[1]);
  if (globbed && typed) return { pattern: anywhere(typed), ...placeOf(clause, globbed[2]) };
  const named = NAMED.exec(clause.plain);
  if (named?.[1]) return { pattern: containing(meaningOf(clause, named[1])), ...placeOf(clause, named[2]) };
  const where = WHERE_IS.exec(clause.plain)?.[1];
  if (where === undefined || isQuoted(where) || !isFileName(meaningOf(clause, where))) return undefined;
  const name = meaningOf(clause, where).replace(/^@/, '');
  return { pattern: anywhere(escapeGlob(name) + (/\.\w+$/.test(name) ? '' : '*')), maybeText: name };
}

function* steps({ pattern, under, maybeText }: FindFilesDetails): Steps {
  const outcome = yield* ask(glob(pattern, under));
  if (!outcome.ok) return failed(toolError(`Looking for ${code(pattern)}`, outcome));
  const files = parseGlob(outcome.text, under);
  const where = under ? ` under ${code(under)}` : '';
  if (files.length > 0) {
    const list = block(firstOf(files, MAX_SHOWN).join('\n'));
    return done(
      `${count(files.length, 'file')} ${files.length === 1 ? 'fits' : 'fit'} ${code(pattern)}${where}:\n\n${list}`,
    );
  }
  const none = `No file fits ${code(pattern)}${where} (ignored files left aside).`;
  if (maybeText === undefined) return done(none);
  const mentions = yield* ask(grep(maybeText, { caseSensitive: true }));
  const found = mentions.ok ? parseGrep(mentions.text) : undefined;
  if (!found || found.matches === 0) return done(none);
  const paths = found.files.slice(0, 10).map((file) => code(file.path));
  return done(`${none} The text ${code(maybeText)} occurs in:\n\n${bullets(paths)}`);
}

function anywhere(pattern: string): string {
  return pattern.startsWith('**/') || pattern.startsWith('/') ? pattern : `**/${pattern}`;
}

function containing(name: string): string {
  if (/[*?]/.test(name)) return anywhere(name);
  return isFileName(name) ? anywhere(escapeGlob(name)) : `**/*${escapeGlob(name)}*`;
}

export const findFilesFamily = defineFamily<FindFilesDetails>({ kind: 'find_files', match, steps });
