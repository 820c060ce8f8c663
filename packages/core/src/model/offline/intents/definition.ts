/** "where is parseArgs defined?", "show the class Turn", "what does `runLoop` do?" */
import { escapeRegex } from '../../../base/escape-regex.js';
import { grep } from '../calls.js';
import { type Clause, wholeClause } from '../clause.js';
import { ask, defineFamily, done, failed, type Steps } from '../intent.js';
import { type GrepFile, type GrepLine, type GrepResult, parseGrep } from '../results.js';
import { block, bullets, code, count, languageOf, toolError } from '../say.js';
import { isCodeName, isFileName, isTestFile, placeOf, symbolOf } from '../words.js';
import { hits } from './search.js';

interface DefinitionDetails {
  name: string;
  under?: string;
}

const KIND =
  '(?:function|func|method|class|interface|type|struct|enum|trait|const|constant|variable|var|hook|component|module|macro|procedure|symbol|object|record|decorator)';
const ABOUT = '(?:find|show|explain|where is|what (?:is|does)|how does)';
const UNDER = '(?: (?:in|under|inside|within) (\\S+|this \\w+)(?: (?:folder|file|project))?)?';
const NAME = `(?: ${KIND})? (\\S+)(?: ${KIND})?`;

const PATTERNS = [
  `(?:where|in (?:which|what) file)(?: is| are| was| do (?:we|i|you))?${NAME}(?: is| are| was)? (?:being )?(?:defined?|declared?|implemented?|created|located)`,
  `(?:${ABOUT} )?(?:definition|declaration|implementation|def|source(?: code)?|code|body|signature) (?:of|for)${NAME}`,
  `${ABOUT}(?: exported)? ${KIND} (\\S+?)(?: (?:do|does|works?))?`,
  `${ABOUT} (\\S+) ${KIND}(?: (?:do|does|works?|return))?`,
].map((pattern) => wholeClause(`${pattern}${UNDER}`));
const ABOUT_NAME = wholeClause(`(?:${ABOUT}|define) (\\S+)(?: (?:do|does|works?|return|mean))?`);

function match(clause: Clause): DefinitionDetails | undefined {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(clause.plain);
    const name = found?.[1] === undefined ? undefined : symbolOf(clause, found[1]);
    if (found && name && !NOT_A_NAME.test(name) && !isFileName(found[1] ?? ''))
      return { name, ...placeOf(clause, found[2]) };
  }
  const about = ABOUT_NAME.exec(clause.plain)?.[1];
  if (about === undefined || /^find/i.test(clause.plain) || !isCodeName(clause, about) || isFileName(about))
    return undefined;
  const name = symbolOf(clause, about);
  return name ? { name } : undefined;
}

const NOT_A_NAME = /^(?:this|that|it|the|a|an|of|each|every|all|which|what|whole|same|code|project)$/i;

function* steps({ name, under }: DefinitionDetails): Steps {
  const context = { under, regex: true, caseSensitive: true, before: 2, after: 12 };
  for (const [index, pattern] of [strongPattern(name), weakPattern(name)].entries()) {
    const outcome = yield* ask(grep(pattern, context));
    if (!outcome.ok) return failed(toolError(`Searching for the definition of ${code(name)}`, outcome));
    const result = index === 0 ? parseGrep(outcome.text) : withoutCalls(name, parseGrep(outcome.text));
    if (result.matches > 0) return done(render(name, result, index === 1));
  }
  const mentions = yield* ask(grep(name, { under, caseSensitive: true }));
  const found = mentions.ok ? parseGrep(mentions.text) : undefined;
  const none = `I found no definition of ${code(name)}${under ? ` in ${code(under)}` : ''}.`;
  if (!found || found.matches === 0)
    return done(`${none} The name does not occur at all (ignored files left aside).`);
  return done(`${none} It is mentioned here:\n\n${block(hits(found))}`);
}

/** Definitions with a keyword, in the common languages. No look-around: ripgrep has none. */
export function strongPattern(name: string): string {
  const keywords =
    'function\\*?|class|interface|type|enum|const|let|var|val|defp?|fn|fun|func|struct|trait|union|mod|module|namespace|object|record|protocol|typedef|macro_rules!|sub|defmodule|defmacro|static|final';
  const owner = '(\\([^)]*\\)\\s*|[A-Za-z_]\\w*\\.|mut\\s+)?';
  const n = escapeRegex(name);
  return `\\b(${keywords})\\s+${owner}${n}\\b|#\\s*define\\s+${n}\\b`;
}

/** Definitions without one: methods, functions of C, Java and C#, arrow properties, assignments at the margin. */
export function weakPattern(name: string): string {
  const n = escapeRegex(name);
  const method = `^\\s*(?:(?:public|private|protected|internal|static|async|override|abstract|readonly|get|set|final|virtual|inline|export|default)\\s+)*[#*]?${n}\\s*(?:<[^>]*>)?\\([^;]*$`;
  const typed = `^\\s*[A-Za-z_][\\w<>\\[\\],:*&?. ]*[\\s*&]${n}\\s*\\([^;]*$`;
  const arrow = `^\\s*(?:readonly\\s+|static\\s+|private\\s+|public\\s+)*${n}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|\\(|\\w+\\s*=>|lambda\\b)`;
  const margin = `^${n}\\s*(?::[^=]+)?=[^=]`;
  return `(?:${[method, typed, arrow, margin].join('|')})`;
}

/** A call at the start of a line looks like a method without a body. */
function withoutCalls(name: string, result: GrepResult): GrepResult {
  const bare = new RegExp(`^\\s*${escapeRegex(name)}\\s*\\(.*\\)\\s*,?$`);
  const isCall = (line: GrepLine) => NO_DEFINITION.test(line.text) || bare.test(line.text);
  const files = result.files.flatMap((file) => {
    const kept = file.lines.filter((line) => !line.isMatch || !isCall(line));
    return kept.some((line) => line.isMatch) ? [{ path: file.path, lines: kept }] : [];
  });
  const matches = files.reduce((sum, file) => sum + file.lines.filter((line) => line.isMatch).length, 0);
  return { files, matches, limited: result.limited };
}

const NO_DEFINITION = /^\s*(?:return|await|yield|throw|new|else|case|if|while|for|import|from|not|and|or)\b/;

const MAX_SNIPPETS = 3;

function render(name: string, result: GrepResult, isGuess: boolean): string {
  const places = result.files.flatMap((file) =>
    file.lines.filter((line) => line.isMatch).map((line) => ({ file, line: line.line })),
  );
  const ordered = [...places].sort(
    (a, b) => Number(isTestFile(a.file.path)) - Number(isTestFile(b.file.path)),
  );
  const shown = ordered.slice(0, MAX_SNIPPETS);
  const what = isGuess ? 'What looks like the definition of' : 'The definition of';
  const head =
    places.length === 1
      ? `${what} ${code(name)}:`
      : `${count(places.length, 'possible definition')} of ${code(name)}:`;
  const snippets = shown.map(
    ({ file, line }) =>
      `${code(`${file.path}:${line}`)}\n\n${block(around(file, line), languageOf(file.path))}`,
  );
  const rest = ordered
    .slice(MAX_SNIPPETS, MAX_SNIPPETS + 10)
    .map(({ file, line }) => code(`${file.path}:${line}`));
  return [head, ...snippets, ...(rest.length > 0 ? [`Also:\n\n${bullets(rest)}`] : [])].join('\n\n');
}

/** The lines before and after one match, as far as the search returned them without a gap. */
function around(file: GrepFile, line: number): string {
  const byNumber = new Map(file.lines.map((entry) => [entry.line, entry.text]));
  const lines: string[] = [];
  for (let n = line - 2; n <= line + 12; n++) {
    const text = byNumber.get(n);
    if (text !== undefined) lines.push(text);
    else if (n > line) break;
    else lines.length = 0;
  }
  return lines.join('\n');
}

export const definitionFamily = defineFamily<DefinitionDetails>({
  kind: 'definition',
  match,
  steps,
  text: (details) => details.name,
});
