/** Quotes the arguments into a shell command so that the shell reads them as plain text wherever `{{args}}` stands. */
import { isCalculated } from './calculated.js';
import { ARGS } from './template.js';

/** The quotes around the place where the text is inserted. */
type Quoting = 'none' | 'single' | 'double';
/** `$((…))`, `$[…]` and `${…}`: bash evaluates the text even if it is quoted, or has other rules for quotes. */
type Expansion = 'arithmetic' | 'bracket' | 'brace';
const END = { arithmetic: ')', bracket: ']', brace: '}' } as const;

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
  let whole = first;
  for (const next of rest) {
    state = scan(before, state, platform);
    const quoting = state.stack.at(-1) ?? 'none';
    const isPlain = quoting === 'none' || quoting === 'single' || quoting === 'double';
    const isEvaluated = platform !== 'win32' && (isExpanded(state.stack) || isCalculated(whole, next));
    if (!isPlain || isEvaluated || state.isUnsafe || state.isOpen) throw new Error(UNSAFE);
    result += escapeFor(clean, quoting) + next;
    before = next;
    whole += ARGS + next;
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
  stack: (Quoting | Expansion)[];
  isUnsafe: boolean;
  /** The last character changes what follows: it would escape our quote, or be `$'` or `$(` with it. */
  isOpen: boolean;
}

function start(): State {
  return { stack: ['none'], isUnsafe: false, isOpen: false };
}

function scan(text: string, { stack: from, isUnsafe: was }: State, platform: NodeJS.Platform): State {
  const stack = [...from];
  let isUnsafe = was;
  let isOpen = false;
  const escapeMark = platform === 'win32' ? '`' : '\\';
  for (let at = 0; at < text.length; at++) {
    const quoting = stack.at(-1) ?? 'none';
    const character = text[at];
    const opened = quoting === 'single' || platform === 'win32' ? undefined : expansionAt(text, at, quoting);
    if (quoting === 'single') {
      if (character === "'") stack.pop();
    } else if (character === escapeMark) {
      isOpen = at === text.length - 1;
      at++;
    } else if (character === '`' || (quoting === 'none' && isTrap(text, at, stack.length > 1)))
      isUnsafe = true;
    else if (quoting === 'brace' && text.startsWith("$'", at)) isUnsafe = true;
    else if (text.startsWith('$$', at)) at++;
    else if (character === '$' && at === text.length - 1)
      isOpen = quoting === 'double' || platform !== 'win32';
    else if (opened) {
      stack.push(...opened.levels);
      at += opened.length - 1;
    } else if (character === '$' && text[at + 1] === '(') {
      stack.push('none');
      at++;
    } else if (character === '"') {
      if (quoting === 'double') stack.pop();
      else stack.push('double');
    } else if (quoting === 'none') {
      if (character === "'") stack.push('single');
      else if (character === '(') stack.push('none');
      else if (character === ')' && stack.length > 1) stack.pop();
    } else if (quoting !== 'double') {
      if (character === END[quoting]) stack.pop();
      else if (character === '(' && quoting === 'arithmetic') stack.push('arithmetic');
      // Inside double quotes it quotes in some expansions only.
      else if (character === "'" && quoting === 'brace' && stack.at(-2) === 'none') stack.push('single');
      else if (character === "'") isUnsafe = true;
    }
  }
  return { stack, isUnsafe, isOpen };
}

function expansionAt(
  text: string,
  at: number,
  quoting: Quoting | Expansion,
): { levels: Expansion[]; length: number } | undefined {
  if (text.startsWith('$((', at)) return { levels: ['arithmetic', 'arithmetic'], length: 3 };
  if (text.startsWith('((', at) && quoting === 'none')
    return { levels: ['arithmetic', 'arithmetic'], length: 2 };
  if (text.startsWith('$[', at)) return { levels: ['bracket'], length: 2 };
  return text.startsWith('${', at) ? { levels: ['brace'], length: 2 } : undefined;
}

/** A command in `$(…)` inside such an expansion is an ordinary one again. */
function isExpanded(stack: State['stack']): boolean {
  return stack.findLastIndex((level) => level in END) > stack.lastIndexOf('none');
}

/** A here-document, a comment, a quote with escapes of its own (`$'…'`), or brackets without a counterpart (`case x in a)`). */
function isTrap(text: string, at: number, isNested: boolean): boolean {
  if (text.startsWith('<<', at)) return true;
  if (text.startsWith("$'", at)) return true;
  const isWordStart = at === 0 || /[\s;&|()]/.test(text[at - 1] ?? '');
  return isWordStart && (text[at] === '#' || (isNested && /^case\s/.test(text.slice(at, at + 5))));
}
