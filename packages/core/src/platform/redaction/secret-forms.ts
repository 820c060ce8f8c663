/** Selects the values to mask, and lists their encodings. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { SECRET_URL_NAMES, SECRET_WORDS } from './secret-patterns.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Values of the variables whose names suggest a secret. */
export function secretsOf(environment: Environment): string[] {
  const values: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    const confidence = confidenceIn(name.toUpperCase());
    if (!value || confidence === 'none' || isTrivial(value) || isPath(value)) continue;
    if (confidence === 'high' || isMixed(value)) values.push(value);
  }
  return values;
}

/** Too short or too common: masking it would make texts unreadable. */
function isTrivial(value: string): boolean {
  return (
    value.length < SHORTEST ||
    /^\d{1,9}$/.test(value) ||
    /^(.)\1*$/s.test(value) ||
    COMMON.has(value.toLowerCase())
  );
}

/**
 * The value, its encodings in JSON, URLs and Base64 (also as part of a longer text, as in `user:password`), and its
 * lines.
 */
export function formsOf(value: string): string[] {
  const forms = new Set<string>();
  for (const piece of piecesOf(value.trim().replace(SCHEME, ''))) {
    if (isTrivial(piece)) continue;
    const escaped = JSON.stringify(piece).slice(1, -1);
    const encoded = encodeForUrl(piece);
    const plain = [piece, escaped, JSON.stringify(escaped).slice(1, -1), encoded, lowerEscapes(encoded)];
    for (const form of [...plain, ...base64Forms(piece)]) forms.add(form);
  }
  return [...forms];
}

/** Optional prefix of an authorization header. */
const SCHEME = /^(?:bearer|basic|token)\s+/i;
const SHORTEST = 6;
const SHORTEST_BASE64 = 8;
/** Longer values are masked in pieces, because a stream holds back as much as the longest. */
const LONGEST = 2048;

const COMMON = new Set(
  (
    'bearer basic digest default enabled disabled required optional undefined password passwd secret changeme ' +
    'postgres example placeholder localhost development production testing access_token api_key apikey'
  ).split(' '),
);

/** `KEYBOARD_LAYOUT` or `DEFAULT_AUTH_TYPE` contain such a word, but not a secret. */
function confidenceIn(name: string): 'none' | 'low' | 'high' {
  if (SECRET_URL_NAMES.includes(name)) return 'high';
  if (/AUTHORI[SZ]ATION$/.test(name)) return 'high';
  const rest = name.replace(/AUTHOR(?!I[SZ])/g, '');
  const words = SECRET_WORDS.filter((word) => rest.includes(word));
  if (words.length === 0) return 'none';
  const isSure = words.some(
    (word) => !AMBIGUOUS.includes(word) || rest.endsWith(word) || rest.endsWith(`${word}S`),
  );
  return isSure ? 'high' : 'low';
}

const AMBIGUOUS = ['KEY', 'AUTH', 'CERT'];

function isMixed(value: string): boolean {
  if (/\s/.test(value)) return false;
  return [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(value)).length > 1;
}

/** The path of a key file is not a secret. Base64 may look like a path, so the folder must exist. */
function isPath(value: string): boolean {
  if (!/^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/])/.test(value) || /[\r\n]/.test(value)) return false;
  if (value.startsWith('~/') || existsSync(value)) return true;
  const folder = dirname(value);
  return folder !== '/' && existsSync(folder);
}

/** The value in parts of at most `LONGEST`, and its lines that are long enough to be unique. */
function piecesOf(value: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < value.length; start += LONGEST) {
    pieces.push(value.slice(Math.max(0, Math.min(start, value.length - LONGEST)), start + LONGEST));
  }
  if (value.includes('\n')) {
    const lines = value.split(/\r?\n/).map((line) => line.trim());
    pieces.push(...lines.filter((line) => /^\S{20,2048}$/.test(line) && !line.startsWith('-----')));
  }
  return pieces;
}

function encodeForUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // half a surrogate pair
  }
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/** The characters that appear in the Base64 of any text that contains this one: one form per position of its first byte. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const variableStart = offset === 0 ? 0 : offset + 1;
    const variableEnd = (offset + bytes.length) % 3 === 0 ? 0 : 1;
    const fixed = encoded.slice(variableStart, encoded.length - variableEnd);
    if (fixed.length < SHORTEST_BASE64) return [];
    return [fixed, fixed.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
