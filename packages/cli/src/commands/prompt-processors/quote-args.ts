/** Quotes the arguments into a shell command so that the shell reads them as plain text wherever `{{args}}` stands. */
import { ARGS } from './template.js';

/** The quotes around the place where the text is inserted. */
type Quoting = 'none' | 'single' | 'double';

/** @throws Error where no quoting is safe: in backquotes, a here-document, a comment, or behind a `$` */
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
    const quoting = state.stack.at(-1) ?? 'none';
    // With our quotes a lone `$` would become `$'…'`, which reads escapes.
    const isBehindMark = platform !== 'win32' && /(?<![\\$])(?:\$\$)*\$$/.test(before);
    if (state.isUnsafe || (quoting === 'none' && isBehindMark)) throw new Error(UNSAFE);
    result += escapeFor(clean, quoting) + next;
    before = next;
  }
  return result;
}

const UNSAFE = `${ARGS} stands in backquotes, a here-document or a comment of the command, or behind a $, where it cannot be quoted.`;

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
  stack: Quoting[];
  isUnsafe: boolean;
}

function start(): State {
  return { stack: ['none'], isUnsafe: false };
}

function scan(text: string, { stack: from, isUnsafe: was }: State, platform: NodeJS.Platform): State {
  const stack = [...from];
  let isUnsafe = was;
  const escapeMark = platform === 'win32' ? '`' : '\\';
  for (let at = 0; at < text.length; at++) {
    const quoting = stack.at(-1);
    const character = text[at];
    if (quoting === 'single') {
      if (character === "'") stack.pop();
    } else if (character === escapeMark) at++;
    else if (character === '`' || (quoting === 'none' && isTrap(text, at))) isUnsafe = true;
    else if (character === '$' && text[at + 1] === '(') {
      stack.push('none');
      at++;
    } else if (character === '"') {
      if (quoting === 'double') stack.pop();
      else stack.push('double');
    } else if (quoting === 'none') {
      if (character === "'") stack.push('single');
      else if (character === '(') stack.push('none');
      else if (character === ')' && stack.length > 1) stack.pop();
    }
  }
  return { stack, isUnsafe };
}

/** A here-document, a comment, or a quote with escapes of its own (`$'…'`). */
function isTrap(text: string, at: number): boolean {
  if (text.startsWith('<<', at)) return true;
  if (text.startsWith("$'", at)) return true;
  return text[at] === '#' && (at === 0 || /[\s;&|()]/.test(text[at - 1] ?? ''));
}
