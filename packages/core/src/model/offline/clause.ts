/** One clause of a prompt, with quoted passages protected and the polite words taken off. */
import { simplify } from './simplify.js';

interface Literal {
  /** With its quotes, as typed. */
  source: string;
  inner: string;
}

/** What a clause asked for, as far as a later one may refer to it. */
export interface Antecedent {
  path?: string;
  text?: string;
}

export interface Clause {
  /** Without polite words and closing punctuation; a quoted passage is one opaque word. */
  text: string;
  /** The same with synonyms and filler words reduced; for recognising only. */
  plain: string;
  /** The same up to the end as typed, for words that are taken literally. */
  full: string;
  literals: readonly Literal[];
  /** The prompt has other text before its request: piped data, an error message. */
  afterText: boolean;
  /** What the clause before it asked for: gives "it" a meaning. */
  previous?: Antecedent;
}

/** Text whose quoted passages and code blocks are replaced by one private-use word each. */
export interface ProtectedText {
  text: string;
  literals: Literal[];
}

const MARK = '\uE000';
const FIRST_LITERAL = 0xe100;
const MAX_LITERALS = 0xf8ff - FIRST_LITERAL;
const LITERAL = /\uE000([\uE100-\uF8FF])/g;
const ONLY_LITERAL = /^\uE000([\uE100-\uF8FF])$/;

const QUOTED = new RegExp(
  [
    '```[^\\n`]*\\n([\\s\\S]*?)\\n?```',
    '`([^`\\n]+)`',
    '"((?:\\\\"|[^"\\n])*)"',
    '“([^”\\n]*)”',
    // An apostrophe inside or at the end of a word is not a quote.
    "(?<!\\w)'([^'\\n]*)'(?!\\w)",
    '‘([^’\\n]*)’',
  ].join('|'),
  'g',
);

export function protect(text: string): ProtectedText {
  const literals: Literal[] = [];
  const clean = text.replace(/[\uE000-\uF8FF]/g, '');
  const marked = clean.replace(QUOTED, (source, ...groups: unknown[]) => {
    const inner = groups.slice(0, 6).find((group) => typeof group === 'string');
    const plain = typeof inner === 'string' ? inner : '';
    return addLiteral(literals, source, source.startsWith('"') ? plain.replaceAll('\\"', '"') : plain);
  });
  return { text: marked, literals };
}

/** The word that stands for a passage; the passage itself when there are too many. */
export function addLiteral(literals: Literal[], source: string, inner: string): string {
  if (literals.length >= MAX_LITERALS) return source;
  literals.push({ source, inner });
  return MARK + String.fromCharCode(FIRST_LITERAL + literals.length - 1);
}

export interface ClauseContext {
  literals: readonly Literal[];
  afterText: boolean;
}

export function makeClause(text: string, context: ClauseContext, previous?: Antecedent): Clause {
  const full = dropPolite(text.trim());
  const bare = full
    .replace(/\s+/g, ' ')
    .replaceAll('’', "'")
    .replace(
      /[\s,]+(?:please|pls|thanks|thank you|for me|now|right now)(?:[\s,.!]+(?:please|thanks))?[.!?]*$/i,
      '',
    )
    .replace(/[\s!?:]+$/, '')
    .replace(/(?<=[^\s./])[.,;]$/, '');
  return { text: bare, plain: simplify(bare), full, ...context, previous };
}

/** A pattern for a clause from beginning to end; capitals make no difference. */
export function wholeClause(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`, 'i');
}

/** What a captured piece means: a quoted passage without its quotes, anything else as typed. */
export function meaningOf(clause: Clause, captured: string): string {
  const only = ONLY_LITERAL.exec(captured.trim());
  if (only) return clause.literals[literalIndex(only)]?.inner ?? '';
  return asTyped(clause.literals, captured);
}

export function isQuoted(captured: string): boolean {
  return ONLY_LITERAL.test(captured.trim());
}

export function asTyped(literals: readonly Literal[], text: string): string {
  return text.replace(
    LITERAL,
    (_, code: string) => literals[code.charCodeAt(0) - FIRST_LITERAL]?.source ?? '',
  );
}

/** A line or paragraph that is nothing but one quoted passage belongs to the words before it. */
export function isOnlyLiteral(text: string): boolean {
  return ONLY_LITERAL.test(text.trim());
}

function literalIndex(match: RegExpExecArray): number {
  return (match[1] ?? '').charCodeAt(0) - FIRST_LITERAL;
}

const POLITE = new RegExp(
  '^(?:' +
    [
      'please',
      'pls',
      'kindly',
      '(?:can|could|would|will) you(?: please| kindly)?(?: also| just)?',
      "(?:i(?:'d| would) (?:like|love)|i want|i need)(?: you)? to",
      '(?:help|let) me',
      "let(?:'|’)?s",
      'go ahead and',
      'try (?:to|and)',
      '(?:hi|hello|hey)(?: there| gemini)?(?=[ ,!.])(?! (?:there|gemini)\\b)',
      '(?:ok|okay|so|well|now|then|also|first(?! \\d)|firstly|second|secondly|third|next|finally|lastly|afterwards|and|just)(?=[ ,:])',
      'i wonder',
      '(?:do you know|know|tell me|find out|show me|describe|explain(?: to me)?)(?=,? (?:what|where|which|how|who)\\b)',
    ].join('|') +
    ')[\\s,!.:]+(?=\\S)',
  'i',
);

function dropPolite(text: string): string {
  let rest = text.replace(/^(?:[-*•]|\d+[.)])\s+/, '');
  for (let round = 0; round < 6; round++) {
    const shorter = rest.replace(POLITE, '');
    if (shorter === rest) return rest;
    rest = shorter;
  }
  return rest;
}
