/**
 * ripgrep's regex syntax (Rust's, with PCRE2's look-around as a second choice) as a JavaScript regular
 * expression for one line of text. Only the built-in search and the line filter need it.
 */
import { PatternError } from './pattern-error.js';
import { literal, translateClass, translateEscape, WORD_ITEMS } from './regex-class.js';

export interface RegexOptions {
  caseSensitive: boolean;
  fixedStrings?: boolean;
}

/** Throws a PatternError for what is wrong or cannot be translated. */
export function toLineRegExp(pattern: string, options: RegexOptions): RegExp {
  const flags = (ignoreCase: boolean) => (ignoreCase ? 'svi' : 'sv');
  if (options.fixedStrings) {
    return new RegExp([...pattern].map(literal).join(''), flags(!options.caseSensitive));
  }
  const leading = readLeadingFlags(pattern, !options.caseSensitive);
  const source = translate(pattern.slice(leading.end), leading.ignoreCase);
  try {
    return new RegExp(source, flags(leading.ignoreCase));
  } catch (error) {
    throw new PatternError(
      String(error instanceof Error ? error.message : error).replace(/^.*\/[a-z]*: /s, ''),
    );
  }
}

/** True when the pattern asks for a line break, which a search by lines can never find. */
export function asksForLineBreak(pattern: string, fixedStrings: boolean): boolean {
  if (/[\n\r]/.test(pattern)) return true;
  if (fixedStrings) return false;
  for (let index = 0, inClass = false; index < pattern.length; index++) {
    const char = pattern[index];
    if (char === '\\') {
      index++;
      if (!inClass && pattern[index] === 'n') return true;
    } else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
  }
  return false;
}

const WORD = `[${WORD_ITEMS}]`;
const WORD_START = `(?<!${WORD})(?=${WORD})`;
const WORD_END = `(?<=${WORD})(?!${WORD})`;
const ASSERTIONS: Record<string, string> = {
  A: '^',
  z: '$',
  Z: '$',
  b: `(?:${WORD_START}|${WORD_END})`,
  B: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
  '<': WORD_START,
  '>': WORD_END,
  'b{start}': WORD_START,
  'b{end}': WORD_END,
  'b{start-half}': `(?<!${WORD})`,
  'b{end-half}': `(?!${WORD})`,
};

function translate(pattern: string, ignoreCase: boolean): string {
  let source = '';
  for (let index = 0; index < pattern.length; ) {
    const char = pattern[index] ?? '';
    if (char === '\\') {
      const piece = translateOutsideEscape(pattern, index);
      source += piece.source;
      index = piece.end;
    } else if (char === '[') {
      const piece = translateClass(pattern, index);
      source += piece.source;
      index = piece.end;
    } else if (char === '(') {
      const piece = translateGroupStart(pattern, index, ignoreCase);
      source += piece.source;
      index = piece.end;
    } else if (char === '{') {
      const count = /^\{(\d*)(,?)(\d*)\}/.exec(pattern.slice(index));
      const isCount = count !== null && (count[1] !== '' || count[3] !== '');
      source += isCount ? `{${count[1] || 0}${count[2]}${count[3]}}` : '\\{';
      index += isCount ? count[0].length : 1;
    } else {
      source += char === '}' || char === ']' ? `\\${char}` : char;
      index++;
    }
  }
  return source;
}

function translateOutsideEscape(pattern: string, index: number): { source: string; end: number } {
  const rest = pattern.slice(index + 1);
  const name = /^(?:b\{[a-z-]+\}|[AzZbB<>])/.exec(rest)?.[0];
  const assertion = name === undefined ? undefined : ASSERTIONS[name];
  if (name !== undefined && assertion !== undefined)
    return { source: assertion, end: index + 1 + name.length };
  const reference = /^(?:[1-9]\d*|k<\w+>)/.exec(rest)?.[0];
  if (reference) return { source: `\\${reference}`, end: index + 1 + reference.length };
  return translateEscape(pattern, index);
}

const GROUP_STARTS: [RegExp, (match: RegExpExecArray) => string][] = [
  [/^\(\?P?<(\w+)>/, (match) => `(?<${match[1]}>`],
  [/^\(\?P=(\w+)\)/, (match) => `\\k<${match[1]}>`],
  [/^\(\?(?:[:=!]|<[=!])/, (match) => match[0]],
  [/^\((?!\?)/, () => '('],
];

function translateGroupStart(
  pattern: string,
  index: number,
  ignoreCase: boolean,
): { source: string; end: number } {
  const rest = pattern.slice(index);
  for (const [start, write] of GROUP_STARTS) {
    const match = start.exec(rest);
    if (match) return { source: write(match), end: index + match[0].length };
  }
  const flags = /^\(\?([a-zA-Z-]+)([:)])/.exec(rest);
  if (!flags) throw new PatternError(`the built-in search does not support the group ${rest.slice(0, 4)}…`);
  const wanted = readFlags(flags[1] ?? '', ignoreCase);
  if (wanted !== ignoreCase) {
    throw new PatternError(
      'the built-in search cannot switch case sensitivity inside a pattern; put (?i) first or set case_sensitive',
    );
  }
  return { source: flags[2] === ':' ? '(?:' : '', end: index + flags[0].length };
}

function readLeadingFlags(pattern: string, ignoreCase: boolean): { ignoreCase: boolean; end: number } {
  const flags = /^\(\?([a-zA-Z-]+)\)/.exec(pattern);
  if (!flags) return { ignoreCase, end: 0 };
  return { ignoreCase: readFlags(flags[1] ?? '', ignoreCase), end: flags[0].length };
}

/** `s`, `m`, `R` and `u` make no difference within one line. */
function readFlags(letters: string, ignoreCase: boolean): boolean {
  const [on = '', off = ''] = letters.split('-');
  const unsupported = /[^ismRu]/.exec(on) ?? /[^ismRxU]/.exec(off);
  if (unsupported)
    throw new PatternError(`the built-in search does not support the flag "${unsupported[0]}"`);
  if (on.includes('i')) return true;
  return off.includes('i') ? false : ignoreCase;
}
