/** Character classes of ripgrep's regex syntax, written for JavaScript's `v` mode. */
import { PatternError } from './pattern-error.js';

export const WORD_ITEMS = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';

const POSIX: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

interface Piece {
  source: string;
  end: number;
}

/** The class that starts at `start` (a `[`). */
export function translateClass(pattern: string, start: number): Piece {
  let index = start + 1;
  const negation = pattern[index] === '^' ? '^' : '';
  if (negation) index++;
  const operands: string[] = [];
  const operators = new Set<string>();
  let items = '';
  for (let first = true; first || pattern[index] !== ']'; first = false) {
    if (index >= pattern.length) throw new PatternError('unclosed character class');
    const operator = /^(?:&&|--|~~)/.exec(pattern.slice(index))?.[0];
    if (operator && !first) {
      operators.add(operator);
      operands.push(items);
      items = '';
      index += 2;
      continue;
    }
    const item = translateItem(pattern, index);
    items += item.source;
    index = item.end;
  }
  if (operators.size === 0) return { source: `[${negation}${items}]`, end: index + 1 };
  const [operator = ''] = operators;
  if (operators.size > 1 || operator === '~~') {
    throw new PatternError('such combinations of character classes are not supported by the built-in search');
  }
  const sets = [...operands, items].map((operand) => `[${operand}]`).join(operator);
  return { source: `[${negation}${sets}]`, end: index + 1 };
}

/** A nested class, a named one, a range or a single character. */
function translateItem(pattern: string, index: number): Piece {
  const named = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(index));
  const set = POSIX[named?.[2] ?? ''];
  if (named && set !== undefined) {
    return { source: named[1] ? `[^${set}]` : set, end: index + named[0].length };
  }
  if (pattern[index] === '[') return translateClass(pattern, index);
  const from = translateAtom(pattern, index);
  const isRange = pattern[from.end] === '-' && !/^-(?:[\]-]|$)/.test(pattern.slice(from.end));
  if (!isRange || from.isSet) return from;
  const to = translateAtom(pattern, from.end + 1);
  if (to.isSet) throw new PatternError('invalid range in a character class');
  return { source: `${from.source}-${to.source}`, end: to.end };
}

function translateAtom(pattern: string, index: number): Piece & { isSet: boolean } {
  if (pattern[index] !== '\\') {
    const code = pattern.codePointAt(index);
    if (code === undefined) throw new PatternError('unclosed character class');
    const char = String.fromCodePoint(code);
    return { source: literal(char), end: index + char.length, isSet: false };
  }
  const isSet = /[dDwWsSpPh]/.test(pattern[index + 1] ?? '');
  return { ...translateEscape(pattern, index), isSet };
}

/** Escapes that mean the same inside and outside a class. */
export function translateEscape(pattern: string, index: number): Piece {
  const rest = pattern.slice(index + 1);
  const char = rest[0];
  if (char === undefined) throw new PatternError('a backslash at the end escapes nothing');
  const simple = SIMPLE_ESCAPES[char];
  if (simple !== undefined) return { source: simple, end: index + 2 };
  const code = CODE_POINT.exec(rest);
  if (code) {
    const hex = code.slice(1).find((group) => group !== undefined) ?? '';
    return { source: `\\u{${hex}}`, end: index + 1 + code[0].length };
  }
  const property = /^([pP])(?:\{(\^?)([\w=:-]+)\}|([A-Z]))/.exec(rest);
  if (property) {
    const isNegated = (property[1] === 'P') !== (property[2] === '^');
    const name = propertyName(property[3] ?? property[4] ?? '');
    return { source: `\\${isNegated ? 'P' : 'p'}{${name}}`, end: index + 1 + property[0].length };
  }
  if (/[a-z0-9]/i.test(char)) throw new PatternError(`unrecognized escape sequence \\${char}`);
  return { source: literal(char), end: index + 2 };
}

const CODE_POINT = /^(?:[xu]\{([\da-fA-F]+)\}|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/;

const SIMPLE_ESCAPES: Record<string, string> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: `[${WORD_ITEMS}]`,
  W: `[^${WORD_ITEMS}]`,
  s: '\\p{White_Space}',
  S: '\\P{White_Space}',
  h: '[\\t\\p{Zs}]',
  a: '\\x07',
  e: '\\x1b',
  f: '\\f',
  n: '\\n',
  r: '\\r',
  t: '\\t',
  v: '\\v',
};

/** JavaScript requires exact names, and a prefix for scripts. */
function propertyName(name: string): string {
  const [key, value] = name.split(/[=:]/);
  const title = (text: string) => text.replace(/(?:^|_|-)\w/g, (part) => part.toUpperCase());
  const candidates = value
    ? [`${title(key ?? '')}=${title(value)}`, `${key}=${value}`]
    : [name, title(name), `Script=${title(name)}`, name.toUpperCase()];
  for (const candidate of candidates) {
    try {
      new RegExp(`\\p{${candidate}}`, 'v');
      return candidate;
    } catch {
      // Not a name in JavaScript's spelling; try the next.
    }
  }
  throw new PatternError(`unknown Unicode property ${name}`);
}

/** Escapes a literal character, valid inside and outside a class. */
export function literal(char: string): string {
  return /[\^$\\.*+?()[\]{}|/\-&!#%,:;<=>@`~]/.test(char) ? classSafe(char) : char;
}

/** `\-` and similar escapes are valid only inside a class, so code points are written instead. */
function classSafe(char: string): string {
  if (/[\^$\\.*+?()[\]{}|/]/.test(char)) return `\\${char}`;
  return `\\u{${char.charCodeAt(0).toString(16)}}`;
}
