/** "replace a with b in x.txt", "rename foo to bar in src/a.ts", "change every 1 to 2 in x". */
import { REPLACE } from '../../../protocol/tool-names.js';
import { grep, replaceText } from '../calls.js';
import { type Clause, isQuoted, meaningOf, wholeClause } from '../clause.js';
import { ask, defineFamily, done, failed, type Steps, type Toolbox } from '../intent.js';
import { locate } from '../locate.js';
import { type GrepLine, parseGrep } from '../results.js';
import { block, bullets, code, count, firstOf, notOffered, shorten, toolError } from '../say.js';
import { hasExtension, isFileName, looksLikeFolder, looksLikePath, pathOf } from '../words.js';

interface EditDetails {
  from: string;
  to: string;
  path?: string;
  /** The user said all, every, everywhere or rename. */
  all: boolean;
  isRename: boolean;
}

const EVERY =
  '(?: all| every| each| any)?(?: of)?(?: the)?(?: (?:occurrences?|instances?|uses?|mentions?|appearances?) of)?(?: the)?(?: (?:text|word|string|variable|function|class|method|constant|identifier|line|phrase|value|name))?';
const IN_FILE = '(?:(?:in|inside|within|of|from) (?:the )?(?:file )?(\\S+?)(?: file)?)';
const TAIL = '(?:,? (?:everywhere|throughout|globally|for all|all of them|once|only))?';

const REPLACING = wholeClause(
  `(?:replace|substitute|swap|change|update|switch)(${EVERY}) (\\S.*?) (?:with|by|to|for|into) (.*?\\S)(?: ${IN_FILE})?(${TAIL})`,
);
const RENAMING = wholeClause(`rename(${EVERY}) (\\S+) (?:to|as|into) (\\S+)(?: ${IN_FILE})?(${TAIL})`);
const IN_FIRST =
  /^(?:in|inside|within) (?:the )?(?:file )?(\S+?),? ((?:replace|substitute|swap|change|update|switch|rename)\b.*)$/i;
const IN_MIDDLE = wholeClause(
  `((?:replace|substitute|rename)${EVERY} \\S.*?) ${IN_FILE},? ((?:with|by|to|as|for|into) .*\\S)`,
);
/** A description, not the text to insert. */
const VAGUE = /^(?:something|anything|an? (?:better|nicer|shorter|longer|different|new|more|good)\b)/i;

function match(clause: Clause): EditDetails | undefined {
  const middle = IN_MIDDLE.exec(clause.text);
  if (middle?.[1] && middle[2] && middle[3] && isPlace(clause, middle[2])) {
    const inner = match({ ...clause, text: `${middle[1]} ${middle[3]}` });
    return inner && inner.path === undefined ? { ...inner, path: pathOf(clause, middle[2]) } : undefined;
  }
  const first = IN_FIRST.exec(clause.text);
  if (first?.[1] && first[2] && isPlace(clause, first[1])) {
    const inner = match({ ...clause, text: first[2] });
    return inner && inner.path === undefined ? { ...inner, path: pathOf(clause, first[1]) } : undefined;
  }
  const isRename = /^rename\b/i.test(clause.text);
  const found = isRename ? RENAMING.exec(clause.text) : REPLACING.exec(clause.text);
  if (!found?.[2] || !found[3]) return undefined;
  const [, every = '', rawFrom, rawTo, file, tail = ''] = found;
  if (VAGUE.test(rawTo)) return undefined;
  const from = rawFrom === 'it' && clause.previous?.text ? clause.previous.text : meaningOf(clause, rawFrom);
  const to = /^(?:nothing|an empty string)$/i.test(rawTo) ? '' : meaningOf(clause, rawTo);
  if (from === '' || (file !== undefined && !isPlace(clause, file))) return undefined;
  // Two file names and no third: that is moving a file, which the shell does.
  if (isRename && file === undefined && isFileName(from) && isFileName(to)) return undefined;
  const isChange = /^(?:change|update|switch|swap)\b/i.test(clause.text);
  if (file === undefined && isChange && !(isQuoted(rawFrom) && isQuoted(rawTo))) return undefined;
  const all =
    isRename ||
    /\b(?:all|every|each|any|occurrences|instances|uses|mentions)\b/i.test(every) ||
    /every|through|global|all/i.test(tail);
  return { from, to, ...(file === undefined ? {} : { path: pathOf(clause, file) }), all, isRename };
}

function isPlace(clause: Clause, captured: string): boolean {
  return (
    looksLikePath(clause, captured) || looksLikeFolder(clause, captured) || hasExtension(clause, captured)
  );
}

function* steps(details: EditDetails, tools: Toolbox): Steps {
  if (details.path === undefined) return yield* whichFile(details.from);
  const place = yield* locate(details.path);
  if (place.kind === 'unclear') return failed(place.problem);
  if (place.kind === 'folder') return yield* whichFile(details.from, place.path);
  return yield* editFile(place.path, details, tools);
}

function* editFile(path: string, details: EditDetails, tools: Toolbox): Steps {
  const { from, to, all } = details;
  if (from === to) return failed('The old and the new text are the same; there is nothing to change.');
  // A search is line by line; text of several lines is left to the tool's own check.
  if (!from.includes('\n')) {
    const looked = yield* ask(
      grep(from, { under: path, caseSensitive: true, includeIgnored: true, limit: 1000 }),
    );
    if (!looked.ok) return failed(toolError(`Looking into ${code(path)}`, looked));
    const lines = parseGrep(looked.text).files.flatMap((file) => file.lines.filter((line) => line.isMatch));
    const problem = objection(path, details, lines);
    if (problem) return failed(problem);
  }
  if (!tools.has(REPLACE)) return failed(`${code(path)} was not changed. ${notOffered(REPLACE)}`);
  const outcome = yield* ask(replaceText({ path, from, to, all }));
  if (!outcome.ok) return failed(toolError(`Changing ${code(path)}`, outcome));
  const n = Number(/\((\d+) replacements?\)/.exec(outcome.text)?.[1] ?? 1);
  const change = to === '' ? `Removed ${code(from)}` : `Replaced ${code(from)} with ${code(to)}`;
  return done(`${change} in ${code(path)}: ${count(n, 'replacement')}.`);
}

/** Why the replacement should not be done as asked. */
function objection(
  path: string,
  { from, all, isRename }: EditDetails,
  lines: readonly GrepLine[],
): string | undefined {
  const total = lines.reduce((sum, line) => sum + line.text.split(from).length - 1, 0);
  if (total === 0)
    return `${code(path)} does not contain ${code(from)} (capitals and spaces count), so nothing was changed.`;
  if (total > 1 && !all) {
    return (
      `${code(from)} occurs ${total} times in ${code(path)}, so nothing was changed:\n\n${listed(lines)}\n\n` +
      `Say ${code('replace all …')} to change every one, or quote more of the line you mean.`
    );
  }
  const inside = isRename && /^\w+$/.test(from) ? lines.filter((line) => insideWord(from, line.text)) : [];
  if (inside.length === 0) return undefined;
  return (
    `${code(from)} is also part of longer words in ${code(path)}, which a rename would break, so nothing was changed:\n\n` +
    `${listed(inside)}\n\nTo change the text wherever it stands, say ${code('replace all …')}.`
  );
}

function insideWord(word: string, text: string): boolean {
  return new RegExp(`\\w${word}|${word}\\w`).test(text);
}

function listed(lines: readonly GrepLine[]): string {
  const shown = lines.slice(0, 12).map((line) => `${line.line}: ${shorten(line.text.trim(), 120)}`);
  const more = lines.length > shown.length ? [`… and ${lines.length - shown.length} more lines`] : [];
  return block([...shown, ...more].join('\n'));
}

/** Without a file nothing is changed; the files that hold the text are named. */
function* whichFile(from: string, under?: string): Steps {
  const outcome = yield* ask(grep(from, { under, caseSensitive: true }));
  if (!outcome.ok) return failed(toolError(`Searching for ${code(from)}`, outcome));
  const { files } = parseGrep(outcome.text);
  if (files.length === 0)
    return failed(`I found no file that contains ${code(from)}, so nothing was changed.`);
  const list = firstOf(
    files.map((file) => code(file.path)),
    15,
  );
  return failed(
    `I change one file at a time, so nothing was changed. ${code(from)} occurs in:\n\n${bullets(list)}\n\nSay the same with ${code('in <file>')} at the end.`,
  );
}

export const editFamily = defineFamily<EditDetails>({
  kind: 'edit',
  match,
  steps,
  mutates: true,
  path: (details) => details.path,
});
