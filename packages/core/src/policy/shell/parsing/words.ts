/** Computes the value of a word: quotes and escapes removed, and whether an expansion makes it unknown. */

import type { Word } from '../types.js';
import type { SyntaxNode } from './syntax-tree.js';

interface Piece {
  text: string;
  literal: boolean;
  glob?: boolean;
  /** Braces in an unquoted piece may turn the word into several. */
  unquoted?: boolean;
}

export function wordOf(node: SyntaxNode): Word {
  const source = node.text;
  const pieces = piecesOf(node);
  const unquoted = pieces.map((piece) => (piece.unquoted ? piece.text : '')).join('');
  const literal = pieces.every((piece) => piece.literal) && !/\{[^{}]*(?:,|\.\.)[^{}]*\}?/.test(unquoted);
  return {
    source,
    literal,
    text: literal ? pieces.map(({ text }) => text).join('') : source,
    glob: pieces.some(({ glob }) => glob),
    tilde: source.startsWith('~'),
  };
}

/** A word that is exactly this text. */
export function literalWord(text: string): Word {
  return { text, source: text, literal: true, glob: false, tilde: false };
}

function piecesOf(node: SyntaxNode): Piece[] {
  switch (node.type) {
    case 'command_name': {
      const [only] = node.children;
      return node.childCount === 1 && only ? piecesOf(only) : [unknown(node)];
    }
    case 'word':
    case 'number':
    case 'variable_name':
    case 'test_operator':
    case 'special_variable_name':
      return [unquotedPiece(node.text)];
    case 'raw_string':
      return [{ text: node.text.slice(1, -1), literal: true }];
    case 'ansi_c_string': {
      const text = decodeAnsiC(node.text.slice(2, -1));
      return [text === undefined ? unknown(node) : { text, literal: true }];
    }
    case 'string':
      return [stringPiece(node)];
    case 'concatenation':
      return concatenationPieces(node);
    default:
      return [unknown(node)];
  }
}

function unknown(node: SyntaxNode): Piece {
  return { text: node.text, literal: false };
}

function concatenationPieces(node: SyntaxNode): Piece[] {
  const children = node.children;
  const covered = children.reduce((sum, child) => sum + child.text.length, 0);
  if (covered !== node.text.length) return [unknown(node)];
  return children.flatMap((child) =>
    child.isNamed ? piecesOf(child) : [{ ...unquotedPiece(child.text), literal: child.text !== '$' }],
  );
}

function unquotedPiece(source: string): Piece {
  const text = withoutEscapes(source, /\\([\s\S])/g);
  const bare = source.replace(/\\[\s\S]/g, '');
  return { text, literal: !/[$`]/.test(bare) || bare === '$', glob: /[*?[]/.test(bare), unquoted: true };
}

/** In one pass, since the second of two backslashes escapes nothing. A line continuation disappears. */
function withoutEscapes(text: string, escapes: RegExp): string {
  return text.replace(escapes, (_whole, character) => (character === '\n' ? '' : character));
}

function stringPiece(node: SyntaxNode): Piece {
  const isPlain = node.children.every(({ type }) => type === 'string_content' || type === '"');
  if (!isPlain) return unknown(node);
  const body = node.text.slice(node.text.indexOf('"') + 1, -1);
  return { text: withoutEscapes(body, /\\(["\\$`\n])/g), literal: true };
}

const ANSI_C: Record<string, string> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Undefined: the result depends on the bash version or the locale, or ends at a NUL. */
function decodeAnsiC(body: string): string | undefined {
  let isCertain = true;
  const text = body.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (_whole, hex, short, long, octal, control, other) => {
      if (other !== undefined) {
        if (other === 'x') isCertain = false;
        return ANSI_C[other] ?? (/["'?\\]/.test(other) ? other : `\\${other}`);
      }
      const digits = hex ?? short ?? long;
      const code =
        control === undefined
          ? Number.parseInt(digits ?? octal, digits ? 16 : 8)
          : control.charCodeAt(0) & 0x1f;
      if (code === 0 || code > 0x7f) isCertain = false;
      return isCertain ? String.fromCodePoint(code) : '';
    },
  );
  return isCertain ? text : undefined;
}

const PLAIN = /^[\w@%+=:,./~^-]+$/;

/** The words as text with the same meaning for a shell; words of unknown value stay as written. */
export function textOf(words: readonly Word[]): string {
  return words
    .map(({ text, literal, source, glob, tilde }) => {
      if (!literal || glob || tilde) return source;
      return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}
