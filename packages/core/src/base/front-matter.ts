/** Parses the YAML header of a Markdown file, between two `---` lines. The YAML library is loaded on first use. */
import { messageOf } from './errors.js';
import { readFieldsByLine } from './front-matter-lines.js';
import { readPlainFields } from './front-matter-plain.js';
import { isObject } from './objects.js';

export interface FrontMatter {
  /** False: there is no header, and `body` is the whole text. */
  hasHeader: boolean;
  data: Readonly<Record<string, unknown>>;
  /** Set when the header is a list, as for several remote agents in one file. */
  list?: readonly unknown[];
  body: string;
  /** What is wrong with the header, for the user. `data` has the fields that could still be read. */
  problem?: string;
}

/** In characters. Headers of public skills have a few hundred; parsing this size takes milliseconds. */
const MAX_HEADER = 64 * 1024;
const MAX_DEPTH = 32;

const BYTE_ORDER_MARK = /^\ufeff/;
const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/;

/** Never throws. */
export async function parseFrontMatter(text: string): Promise<FrontMatter> {
  const { header, body, problem } = splitFrontMatter(text);
  if (header === undefined) return { hasHeader: false, data: {}, body, ...(problem && { problem }) };
  if (header.length > MAX_HEADER) {
    return { hasHeader: true, data: {}, body, problem: `its header is longer than ${MAX_HEADER / 1024} KB` };
  }
  return { hasHeader: true, body, ...(await parseHeader(header)) };
}

/** Without a header `body` is the whole text. */
export function splitFrontMatter(text: string): { header?: string; body: string; problem?: string } {
  const whole = text.replace(BYTE_ORDER_MARK, '');
  const opening = OPENING.exec(whole);
  if (!opening) return { body: whole };
  const rest = whole.slice(opening[0].length);
  const closing = CLOSING.exec(rest);
  if (!closing) return { body: whole, problem: 'its header is not closed by "---"' };
  return { header: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) };
}

/** A field as a string. Undefined: missing, empty, or not a single value. */
export function textField({ data }: Pick<FrontMatter, 'data'>, key: string): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

async function parseHeader(header: string): Promise<Pick<FrontMatter, 'data' | 'list' | 'problem'>> {
  // The parser rejects a text without any value.
  if (header.split('\n').every((line) => /^\s*(?:#|$)/.test(line))) return { data: {} };
  const plain = readPlainFields(header);
  if (plain) return { data: plain };
  const colon = lineOfUnquotedColon(header);
  if (colon !== undefined)
    return {
      data: readFieldsByLine(header),
      problem: readByLine(`line ${colon}: ": " needs quotes around it`),
    };
  const { CORE_SCHEMA, load } = await import('js-yaml');
  let value: unknown;
  try {
    // The core schema creates only plain data. No aliases: a few lines of them can expand to gigabytes, or to a
    // value that contains itself.
    value = load(header, { schema: CORE_SCHEMA, maxAliases: 0, maxDepth: MAX_DEPTH });
  } catch (error) {
    return { data: readFieldsByLine(header), problem: readByLine(reasonOf(error)) };
  }
  if (Array.isArray(value)) return { data: {}, list: value };
  return isObject(value) ? { data: value } : { data: {}, problem: 'its header has no fields' };
}

/** One in ten public skills is not valid YAML, mostly for this reason: it is found without the library. */
function lineOfUnquotedColon(header: string): number | undefined {
  // A text that begins with a letter, without quotes and before any comment, with a colon and a space.
  const unquotedColon = /^[A-Za-z_][\w-]*: +\p{L}[^#]*?:\s/u;
  const index = header.split('\n').findIndex((line) => unquotedColon.test(line));
  return index < 0 ? undefined : index + 2;
}

function readByLine(reason: string): string {
  return `its header is not valid YAML (${reason}) and was read line by line`;
}

/** The parser counts lines from 0, and the header starts at line 2 of the file. */
function reasonOf(error: unknown): string {
  const { reason, mark } = error as { reason?: string; mark?: { line: number } };
  const [first = ''] = (reason ?? messageOf(error)).split('\n');
  return mark ? `line ${mark.line + 2}: ${first}` : first;
}
