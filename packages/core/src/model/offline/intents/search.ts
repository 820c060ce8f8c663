/** "find TODO", "search for 'a b' in src", "which files mention timeout?", "where is foo used?" */
import { grep } from '../calls.js';
import { type Clause, isQuoted, meaningOf, wholeClause } from '../clause.js';
import { ask, defineFamily, done, failed, type Steps } from '../intent.js';
import { type GrepResult, parseGrep } from '../results.js';
import { block, code, count, shorten, toolError } from '../say.js';
import { filePattern, isHere, looksLikeFolder, looksLikePath, pathOf } from '../words.js';

interface SearchDetails {
  text: string;
  under?: string;
  include?: string;
  regex?: boolean;
}

const NOUN =
  '(?:text|word|string|phrase|term|symbol|variable|identifier|keyword|comments?|pattern|regex|regexp|regular expression)';
const USES =
  '(?:occurrences?|instances?|uses?|usages?|mentions?|references?|appearances?|calls?|places?|lines?|callers?|imports?)';
const LINK =
  '(?:of|to|with|where|containing|mentioning|matching|using|that (?:use|contain|mention|match|have)s?)';
const WHERE = '(?: (?:in|inside|under|within|across|from|through|throughout|only in) (.+?))?';

const VERBS = wholeClause(
  `(?:find|search(?: for)?|grep(?: for)?|look for|scan for|locate|show|list|count)(?: me)?(?: all| every| any| each)?(?: of)?(?: the)?(?: ${USES} ${LINK})?(?: the| a)?(?: (${NOUN}))? (\\S.*?)${WHERE}`,
);
const SEARCH_PLACE =
  /^(?:search|grep|scan|look)(?: through| in| inside)? (\S+|the \w+|this \w+) for (?:the )?(?:(?:text|word|string|phrase) )?(\S.*)$/i;
const WHICH_FILES = wholeClause(
  `(?:what|which|list (?:the|all)|show (?:me )?(?:the|all)|find (?:the |all )?) ?(?:files|lines|code|places)(?: that)? (?:(?:contain|mention|use|include|have|reference|import|call|match)s?|(?:contain|mention|us|includ|hav|referenc|import|call|match)ing|with)(?: the)?(?: (${NOUN}))? (\\S.*?)${WHERE}`,
);
const WHERE_USED = wholeClause(
  `where (?:is|are|do(?:es)?)(?: we| i| you| the (?:code|project))?(?: the)? (\\S+)(?: (?:function|class|method|variable|constant))? (?:used|called|mentioned|referenced|imported|set|occur|appear|invoked)${WHERE}`,
);
const WHERE_WE = wholeClause(
  `(?:where (?:do|does) (?:we|i|you|it|the code|this project) (?:use|call|mention|import|set|reference)|(?:who|what) (?:uses|calls|imports|mentions|references)|(?:all )?${USES} of|is there (?:a|an|any)|are there any|any) (\\S.*?)${WHERE}`,
);

/** Words that ask for judgement, not for text. */
const NOT_TEXT =
  /^(?:bugs?|errors?|issues?|problems?|mistakes?|vulnerabilit(?:y|ies)|ways?|an?|out|my|your|me|how|why|if|whether|what|which|who|it|them|this|that|anything|something|everything|me|duplicates?|dead code)\b/i;

function match(clause: Clause): SearchDetails | undefined {
  const { text } = clause;
  const inPlace = SEARCH_PLACE.exec(text);
  if (inPlace?.[1] && inPlace[2]) return build(clause, inPlace[2], inPlace[1]);
  const which = WHICH_FILES.exec(text);
  if (which?.[2]) return build(clause, which[2], which[3], which[1]);
  const used = WHERE_USED.exec(text) ?? WHERE_WE.exec(text);
  if (used?.[1]) return build(clause, used[1], used[2]);
  const verbs = VERBS.exec(text);
  if (!verbs?.[2]) return undefined;
  // "show" and "list" mean text only where they say so: "show all uses of x".
  const says = new RegExp(`\\b(?:${USES} ${LINK})\\b`, 'i');
  if (/^(?:show|list)/i.test(text) && !says.test(text) && !/^(?:\w+ ){1,3}TODOs?\b/.test(text))
    return undefined;
  return build(clause, verbs[2], verbs[3], verbs[1]);
}

function build(clause: Clause, what: string, where?: string, noun?: string): SearchDetails | undefined {
  const scope = where === undefined ? {} : scopeOf(clause, where);
  if (!scope) return where === undefined || isQuoted(what) ? undefined : build(clause, `${what} in ${where}`);
  if (!isQuoted(what) && (NOT_TEXT.test(what) || what.split(' ').length > 6)) return undefined;
  const text = meaningOf(clause, what)
    .trim()
    .replace(/^(TODO|FIXME|XXX|HACK)(?:s|s? comments?)$/, '$1')
    .replace(/^(\w+)\(\)$/, '$1(');
  if (text === '') return undefined;
  const slashes = /^\/(.+)\/[a-z]*$/.exec(text);
  if (slashes?.[1]) return { text: slashes[1], ...scope, regex: true };
  return /regex|regular|pattern/i.test(noun ?? '') ? { text, ...scope, regex: true } : { text, ...scope };
}

function scopeOf(clause: Clause, where: string): { under?: string; include?: string } | undefined {
  if (isHere(where)) return {};
  const kind = /^(?:all |the |every )*(\S+) files?$/i.exec(where)?.[1];
  const pattern = kind
    ? filePattern(clause, kind)
    : /[*?]/.test(where)
      ? filePattern(clause, where)
      : undefined;
  if (pattern) return { include: pattern };
  const place = where
    .replace(/^(?:the |my )?(?:(?:folder|directory|file) )?/i, '')
    .replace(/ (?:folder|directory|file)$/i, '');
  const known = looksLikePath(clause, place) || looksLikeFolder(clause, place);
  return known || place !== where
    ? { under: pathOf(clause, place) }
    : /^\S+$/.test(where)
      ? { under: pathOf(clause, where) }
      : undefined;
}

function* steps(details: SearchDetails): Steps {
  const { text, under, include, regex } = details;
  const hasCapital = !regex && /[A-Z]/.test(text);
  const options = { under, include, regex };
  let outcome = yield* ask(grep(text, { ...options, caseSensitive: hasCapital }));
  if (outcome.ok && hasCapital && parseGrep(outcome.text).matches === 0) {
    outcome = yield* ask(grep(text, { ...options, caseSensitive: false }));
  }
  const scope = `${under ? ` in ${code(under)}` : ''}${include ? ` in ${code(include)} files` : ''}`;
  if (!outcome.ok) return failed(toolError(`Searching for ${code(text)}${scope}`, outcome));
  const result = parseGrep(outcome.text);
  if (result.matches === 0) {
    return done(
      `No match for ${code(text)}${scope}. Ignored files were not searched; capitals make no difference.`,
    );
  }
  const total = `${count(result.matches, 'matching line')} in ${count(result.files.length, 'file')}`;
  const limit = result.limited ? ' (the search stopped there; there may be more)' : '';
  return done(`${total} for ${code(text)}${scope}${limit}:\n\n${block(hits(result))}`);
}

const MAX_LINES = 40;
const MAX_PER_FILE = 8;

/** `path:line: text`, a few per file, so that each file is shown. */
export function hits(result: GrepResult): string {
  const lines: string[] = [];
  let hiddenFiles = 0;
  for (const file of result.files) {
    const found = file.lines.filter((line) => line.isMatch);
    const room = Math.min(MAX_PER_FILE, MAX_LINES - lines.length);
    if (room <= 0) {
      hiddenFiles++;
      continue;
    }
    for (const hit of found.slice(0, room))
      lines.push(`${file.path}:${hit.line}: ${shorten(hit.text.trim(), 140)}`);
    if (found.length > room) lines.push(`${file.path}: … ${found.length - room} more`);
  }
  if (hiddenFiles > 0) lines.push(`… and ${count(hiddenFiles, 'more file')}`);
  return lines.join('\n');
}

export const searchFamily = defineFamily<SearchDetails>({
  kind: 'search',
  match,
  steps,
  text: (details) => details.text,
  path: (details) => details.under,
});
