/** "create notes.txt with hello", "write 'x' to a.txt", "make an empty file b.md". Never overwrites unasked. */
import { WRITE_FILE } from '../../../protocol/tool-names.js';
import { writeFile } from '../calls.js';
import { asTyped, type Clause, isQuoted, meaningOf, wholeClause } from '../clause.js';
import { ask, defineFamily, done, failed, type Steps, type Toolbox } from '../intent.js';
import { isThere } from '../locate.js';
import { block, code, count, firstLines, languageOf, notOffered, toolError } from '../say.js';
import { hasExtension, looksLikePath, pathOf } from '../words.js';

interface CreateDetails {
  path: string;
  content: string;
  overwrite: boolean;
  /** The content was typed without quotes. */
  unquoted: boolean;
}

const MAKE = '(?:create|make|write|add|generate|touch|overwrite|save)';
const A_FILE = '(?: me)?(?: (?:a|an|the))?(?: (?:new|empty|blank|text))*(?: file)?(?: (?:named|called))?';
const WITH =
  '(?:,? (?:with(?: the)?(?: (?:content|contents|text|line|following(?: (?:content|text))?|body))?|containing(?: the)?(?: text)?|that (?:says|contains|reads|has)|saying|which (?:says|contains)|and (?:put|write))(?: (?:of|is))?:?|:)';

const FILE_FIRST = wholeClause(
  `${MAKE}${A_FILE} (\\S+?)(?: file)?(?:${WITH}\\s+([\\s\\S]+?)(?: (?:in|inside|to) it)?)?`,
);
const CONTENT_FIRST =
  /^(?:write|save|put|store|output)(?: the)?(?: (?:text|line|words?))? ([\s\S]+?) (?:to|into|in|as)(?: (?:a|an|the))?(?: new)?(?: file)?(?: (?:named|called))? (\S+?)(?: file)?[.!]?$/i;
/** "create a README" asks for one to be written; "create README" for the file. */
const A_KIND_OF_FILE = /^\w+(?: me)? an? (?:new )?[\w-]+$/i;

function match(clause: Clause): CreateDetails | undefined {
  const typed = clause.full.replace(/,?\s+please[.!]?$/i, '');
  const overwrite = /^overwrite\b/i.test(typed);
  const fileFirst = FILE_FIRST.exec(typed);
  const file = fileFirst?.[1]?.replace(/[.,]$/, '');
  if (fileFirst && file && isFile(clause, file)) {
    const named = fileFirst[2];
    // "add x.ts", "make x" and "save x" alone could mean anything.
    if (
      named === undefined &&
      /^(?:add|make|save|generate|overwrite|write)\b/i.test(typed) &&
      !/\bfile\b/i.test(typed)
    )
      return undefined;
    if (named === undefined ? A_KIND_OF_FILE.test(typed) : isDescription(typed, named)) return undefined;
    return { path: pathOf(clause, file), ...contentOf(clause, named), overwrite };
  }
  const contentFirst = CONTENT_FIRST.exec(typed);
  if (!contentFirst?.[1] || !contentFirst[2] || !isFile(clause, contentFirst[2])) return undefined;
  const quoted = isQuoted(contentFirst[1]);
  // Unquoted words before "to x.txt" are a wish ("write a poem to x.txt") unless they are one word.
  if (!quoted && /\s/.test(contentFirst[1])) return undefined;
  return { path: pathOf(clause, contentFirst[2]), ...contentOf(clause, contentFirst[1]), overwrite };
}

/** "with a hello world program", "with the content of a.txt": the content would have to be invented or fetched. */
function isDescription(typed: string, content: string): boolean {
  const before = typed.slice(0, typed.length - content.length);
  if (isQuoted(content)) return false;
  if (/\b(?:content|contents|text|body) of:?\s*$/i.test(before)) return true;
  const isVerbatim = /\b(?:says|saying|reads|text|line|contents?|following|body)(?: is)?:?\s*$|:\s*$/i.test(
    before,
  );
  return !isVerbatim && /^(?:an?|some|code|tests?|functions?)\s/i.test(content);
}

function isFile(clause: Clause, captured: string): boolean {
  return looksLikePath(clause, captured) || hasExtension(clause, captured);
}

function contentOf(clause: Clause, captured: string | undefined): { content: string; unquoted: boolean } {
  if (captured === undefined) return { content: '', unquoted: false };
  const bare = captured.trim();
  if (isQuoted(bare)) return { content: line(meaningOf(clause, bare)), unquoted: false };
  if (isQuoted(bare.replace(/[.!]$/, '')))
    return { content: line(meaningOf(clause, bare.replace(/[.!]$/, ''))), unquoted: false };
  if (/^(?:nothing|no content|empty content)$/i.test(bare)) return { content: '', unquoted: false };
  return { content: line(asTyped(clause.literals, bare)), unquoted: true };
}

/** Text files end with a line end. */
function line(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function* steps({ path, content, overwrite }: CreateDetails, tools: Toolbox): Steps {
  if (!tools.has(WRITE_FILE)) return failed(`${code(path)} was not created. ${notOffered(WRITE_FILE)}`);
  if (!overwrite && (yield* isThere(path))) return failed(exists(path, content));
  const outcome = yield* ask(writeFile(path, content));
  if (!outcome.ok) return failed(toolError(`Writing ${code(path)}`, outcome));
  if (content === '') return done(`Created the empty file ${code(path)}.`);
  const lines = content.split('\n').length - 1;
  const verb = overwrite ? 'Wrote' : 'Created';
  return done(
    `${verb} ${code(path)} with ${count(lines, 'line')}:\n\n${block(firstLines(content.trimEnd(), 20), languageOf(path))}`,
  );
}

function exists(path: string, content: string): string {
  const again =
    content === ''
      ? `overwrite ${path} with "…"`
      : `overwrite ${path} with "${firstLines(content.trimEnd(), 1)}"`;
  return `${code(path)} exists already, so I did not touch it. To replace its whole content, say ${code(again)}.`;
}

export const createFamily = defineFamily<CreateDetails>({
  kind: 'create',
  match,
  steps,
  mutates: true,
  keeps: (details, separator) => details.unquoted && !/\b(?:then|after|next|finally)|\n/i.test(separator),
  path: (details) => details.path,
});
