/** The guide's wording, and the small pieces of Markdown it is made of. */
import { REPLACE, RUN_SHELL_COMMAND, WRITE_FILE } from '../../protocol/tool-names.js';
import type { Intent, Outcome } from './intent.js';

const SIGNATURE = '*Offline guide: built-in rules, no language model.*';

/** All results of one request, with the one line that names the guide. */
export function joinAnswers(answers: readonly string[], notUnderstood: readonly string[]): string {
  const parts =
    answers.length > 1 ? answers.map((answer, index) => `**Step ${index + 1}**\n\n${answer}`) : [...answers];
  for (const clause of notUnderstood) {
    parts.push(
      `I have no rule for ${code(shorten(clause, 80))}, so I left that out. Ask for ${code('help')} to see what I can do.`,
    );
  }
  return `${parts.join('\n\n')}\n\n${SIGNATURE}\n`;
}

/** The tool was not declared: in a one-shot run that depends on the approval mode. */
export function notOffered(tool: string): string {
  const mode = FLAG_FOR[tool];
  if (!mode) return `The tool ${code(tool)} is switched off in this session, so I cannot do that.`;
  const { what, flag } = mode;
  return (
    `I may not ${what} here: a one-shot run cannot ask for permission, so it is off unless you allow it. ` +
    `Run the same command again with ${code(flag)}.`
  );
}

const FLAG_FOR: Record<string, { what: string; flag: string }> = {
  [WRITE_FILE]: { what: 'write files', flag: '--approval-mode auto_edit' },
  [REPLACE]: { what: 'change files', flag: '--approval-mode auto_edit' },
  [RUN_SHELL_COMMAND]: { what: 'run commands', flag: '--approval-mode yolo' },
};

export function notStarted(rest: readonly Intent[]): string {
  const count = rest.length === 1 ? 'The next step was' : `The next ${rest.length} steps were`;
  return `${count} not started, because the step before did not succeed.`;
}

export function userCancelled(reason: string): string {
  return `Cancelled${reason === '' ? '.' : `: ${firstLines(reason, 2)}`}`;
}

/** A tool's error, as it is, and what to try. */
export function toolError(what: string, outcome: Outcome, advice?: string): string {
  const reason = firstLines(outcome.text, 4).trim();
  const denied =
    outcome.refusal === 'denied' ? ' The approval mode or a policy rule decides about that.' : '';
  return `${what} did not work: ${reason}${denied}${advice ? `\n\n${advice}` : ''}`;
}

export const HOW_TO_CONNECT = [
  'To connect a language model, create a Gemini API key at Google AI Studio (https://aistudio.google.com/apikey), then:',
  '',
  '```sh',
  'export GEMINI_API_KEY="your key"',
  'gemini -p "your question"',
  '```',
  '',
  'Without `--model offline` the Gemini API answers; `--model NAME` picks another Gemini model.',
].join('\n');

export const CAPABILITIES = [
  'I work by fixed rules on the files of this folder, with the same tools a model would use. You can ask me to:',
  '',
  '- **get an overview**: `what does this project do?`',
  '- **find text**: `find TODO in src`, `which files mention "timeout"?`',
  '- **find a definition**: `where is parseArgs defined?`',
  '- **find or list files**: `list src`, `find all *.md files`',
  '- **show or outline a file**: `show lines 1-40 of package.json`, `explain src/index.ts`',
  '- **run a command or the tests**: `` run `git status` ``, `run the tests`',
  '- **create a file**: `create notes.txt with "hello"`',
  '- **replace or rename text**: `replace "hello" with "bye" in notes.txt`, `rename foo to bar in src/a.ts`',
  '- **several steps**: `find TODO, then show README.md`',
  '',
  'In a one-shot run (`-p`) creating and editing needs `--approval-mode auto_edit`, running commands `--approval-mode yolo`.',
].join('\n');

/** Inline code that may itself hold backticks. */
export function code(text: string): string {
  const oneLine = text.replace(/\s*\n\s*/g, ' ');
  if (!oneLine.includes('`')) return `\`${oneLine}\``;
  const fence = '`'.repeat(longestRun(oneLine) + 1);
  return `${fence} ${oneLine} ${fence}`;
}

/** A code block whose fence is longer than any inside. */
export function block(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

export function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** The first of a list, and how many more there are. */
export function firstOf(items: readonly string[], most: number): string[] {
  return items.length > most ? [...items.slice(0, most), `… and ${items.length - most} more`] : [...items];
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

export function firstLines(text: string, n: number): string {
  const lines = text.split('\n');
  return lines.length <= n ? text : `${lines.slice(0, n).join('\n')} …`;
}

const LANGUAGES: Record<string, string> = {
  mts: 'ts',
  cts: 'ts',
  mjs: 'js',
  cjs: 'js',
  py: 'python',
  rs: 'rust',
  rb: 'ruby',
  yml: 'yaml',
  md: 'markdown',
  h: 'c',
};

/** The language of a code block, by the file's name. */
export function languageOf(path: string): string {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return LANGUAGES[extension] ?? extension;
}

/** Binary, by its name. */
export function isMedia(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|bmp|ico|pdf|mp[34]|wav|ogg|flac|mov|avi|webm|zip|gz|tar|7z|exe|dll|so|wasm)$/i.test(
    path,
  );
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
}
