/** Quotes the arguments into a shell command so that the shell reads them as plain text wherever `{{args}}` stands. */
import { ARGS } from './template.js';

/** The quotes around the place where the text is inserted. */
type Quoting = 'none' | 'single' | 'double';
/** The shell runs commands in what arithmetic evaluates, also in quotes. */
type Level = Quoting | 'arithmetic';

/** @throws Error where no quoting is safe: in backquotes, a here-document, a comment, arithmetic, or behind a `$` or `\\` */
export function quoteInto(
  command: string,
  text: string,
  platform: NodeJS.Platform = process.platform,
): string {
  // A NUL would end the argument.
  const clean = text.replaceAll('\0', '');
  const escapeFor = platform === 'win32' ? powershell : posix;
  const [first = '', ...rest] = command.split(ARGS);
  let result = first;
  let state = start();
  let before = first;
  for (const next of rest) {
    state = scan(before, state, platform);
    const level = state.stack.at(-1) ?? 'none';
    if (state.isUnsafe || state.isOpen || state.braces > 0 || level === 'arithmetic') throw new Error(UNSAFE);
    result += escapeFor(clean, level) + next;
    before = next;
  }
  return result;
}

const UNSAFE = `${ARGS} stands in backquotes, a here-document, a comment, arithmetic or ${'${…}'} of the command, or behind a $ or an escape character, where it cannot be quoted.`;

function posix(text: string, quoting: Quoting): string {
  if (quoting === 'double') return text.replace(/[\\"$`]/g, '\\$&');
  const inside = text.replaceAll("'", "'\\''");
  return quoting === 'single' ? inside : `'${inside}'`;
}

function powershell(text: string, quoting: Quoting): string {
  if (quoting === 'double') return text.replace(/[`"$\u201c\u201d\u201e]/g, '`$&');
  // PowerShell reads curly quotes as straight ones.
  const inside = text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&');
  return quoting === 'single' ? inside : `'${inside}'`;
}

interface State {
  /** Innermost last; `$( )` inside double quotes starts a new level. */
  stack: Level[];
  isUnsafe: boolean;
  /** The last character changes what follows: it would escape our quote, or be `$'` or `$(` with it. */
  isOpen: boolean;
  /** Open `${`: whether a quote in one counts depends on the quotes around it. */
  braces: number;
}

function start(): State {
  return { stack: ['none'], isUnsafe: false, isOpen: false, braces: 0 };
}

function scan(text: string, from: State, platform: NodeJS.Platform): State {
  const stack = [...from.stack];
  let { isUnsafe, braces } = from;
  let isOpen = false;
  const isWindows = platform === 'win32';
  const escapeMark = isWindows ? '`' : '\\';
  const group = (at: number): Level => (!isWindows && text.startsWith('((', at) ? 'arithmetic' : 'none');
  for (let at = 0; at < text.length; at++) {
    const level = stack.at(-1);
    const character = text[at];
    const isLast = at === text.length - 1;
    if (level === 'single') {
      if (character === "'") stack.pop();
    } else if (character === escapeMark) {
      isOpen = isLast;
      at++;
    } else if (character === '`' || (level === 'none' && isTrap(text, at))) isUnsafe = true;
    else if (character === '$') {
      isOpen = isLast && (level === 'double' || !isWindows);
      if (text[at + 1] === '(') stack.push(group(at + 1));
      // An old form of arithmetic.
      if (text[at + 1] === '[' && !isWindows) isUnsafe = true;
      if (text[at + 1] === '{') braces++;
      if (/[$({]/.test(text[at + 1] ?? '')) at++;
    } else if (character === '}' && braces > 0) braces--;
    else if (level === 'arithmetic') {
      if (character === '(') stack.push('arithmetic');
      else if (character === ')') stack.pop();
    } else if (character === '"') {
      if (level === 'double') stack.pop();
      else stack.push('double');
    } else if (level === 'none') {
      if (character === "'") stack.push('single');
      else if (character === '(') stack.push(group(at));
      else if (character === ')' && stack.length > 1) stack.pop();
    }
  }
  return { stack, isUnsafe, isOpen, braces };
}

/** A here-document, a comment, or a quote with escapes of its own (`$'…'`). */
function isTrap(text: string, at: number): boolean {
  if (text.startsWith('<<', at)) return true;
  if (text.startsWith("$'", at)) return true;
  return text[at] === '#' && (at === 0 || /[\s;&|()]/.test(text[at - 1] ?? ''));
}
