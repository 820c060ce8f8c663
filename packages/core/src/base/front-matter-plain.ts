/**
 * Reads headers of plain `key: value` lines, lists of words and simple blocks of text, as most skills and agents have
 * them, so that the YAML library need not be loaded.
 */

const LINE = /^([A-Za-z][\w-]*): +(\S.*)$/;
const KEYWORD = /^(?:true|false|null|y|yes|n|no|on|off)$/i;

const LIST_HEAD = /^([A-Za-z][\w-]*):$/;
const LIST_ITEM = /^( *)- +(\S+)$/;
/** In brackets or after a dash; `mcp_x_*` is one, too. */
const WORD = /^[A-Za-z][\w-]*\*?$/;
/** `description: >-`; without a digit for the indentation, and without "+". */
const BLOCK_HEAD = /^([>|])(-?)$/;
const COUNT = /^(?:0|[1-9]\d{0,8})$/;

const ASCII = /^[ -~]*$/;
const ASCII_TEXTS: Texts = {
  plain: /^[A-Za-z].*$/,
  quoted: /^(?:"([^"\\]*)"|'([^']*)')$/,
  blockLine: /^( +)(\S(?:.*\S)?)$/,
};

interface Texts {
  /** A letter first, so that it is not a number, a list, a block or an alias. */
  plain: RegExp;
  quoted: RegExp;
  blockLine: RegExp;
}

/** Most headers are ASCII: V8 takes a millisecond of every start to prepare classes of Unicode. */
function textsFor(text: string): Texts {
  if (ASCII.test(text)) return ASCII_TEXTS;
  return {
    plain: /^\p{L}[^\p{Cc}\ufeff\ufffe\uffff]*$/u,
    quoted: /^(?:"([^"\\\p{Cc}]*)"|'([^'\p{Cc}]*)')$/u,
    blockLine: /^( +)(\S(?:[^\p{Cc}\ufeff\ufffe\uffff]*\S)?)$/u,
  };
}

type Plain = string | number | string[];

/** Undefined: YAML might read the header differently. */
export function readPlainFields(header: string): Record<string, Plain> | undefined {
  const fields = new Map<string, Plain>();
  const lines = header.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]?.trimEnd() ?? '';
    if (line === '') continue;
    const [, head] = LIST_HEAD.exec(line) ?? [];
    const [, key = head ?? '', written = ''] = LINE.exec(line) ?? [];
    const below =
      head !== undefined
        ? itemsAt(lines, at + 1)
        : BLOCK_HEAD.test(written)
          ? blockAt(lines, at + 1)
          : undefined;
    at += below?.length ?? 0;
    const value = below
      ? head === undefined
        ? joined(below, written)
        : below
      : (scalar(written) ?? flowList(written));
    if (value === undefined || KEYWORD.test(key) || fields.has(key)) return undefined;
    fields.set(key, value);
  }
  return fields.size > 0 ? Object.fromEntries(fields) : undefined;
}

/** Lines of a block, all indented alike and without spaces at the end; a blank line ends it. */
function blockAt(lines: readonly string[], start: number): string[] | undefined {
  const texts: string[] = [];
  let indent: string | undefined;
  for (const line of lines.slice(start)) {
    if (!/^\s/.test(line)) break;
    const [, own, text = ''] = textsFor(line).blockLine.exec(line) ?? [];
    indent ??= own;
    if (own === undefined || own !== indent) return undefined;
    texts.push(text);
  }
  return texts.length > 0 ? texts : undefined;
}

function joined(texts: readonly string[], written: string): string {
  const [, style, chomp] = BLOCK_HEAD.exec(written) ?? [];
  return texts.join(style === '>' ? ' ' : '\n') + (chomp === '-' ? '' : '\n');
}

/** Lines with a dash, all indented alike. */
function itemsAt(lines: readonly string[], start: number): string[] | undefined {
  const items: string[] = [];
  let indent: string | undefined;
  for (const line of lines.slice(start)) {
    const [, own, item = ''] = LIST_ITEM.exec(line.trimEnd()) ?? [];
    if (own === undefined) break;
    indent ??= own;
    if (own !== indent || !isWord(item)) return undefined;
    items.push(item);
  }
  return items.length > 0 ? items : undefined;
}

function flowList(written: string): string[] | undefined {
  const [, inner] = /^\[(.*)\]$/.exec(written) ?? [];
  if (inner === undefined) return undefined;
  const items = inner.split(',').map((item) => item.trim());
  return items.every(isWord) ? items : undefined;
}

function isWord(item: string): boolean {
  return WORD.test(item) && !KEYWORD.test(item);
}

function scalar(written: string): string | number | undefined {
  if (COUNT.test(written)) return Number(written);
  const texts = textsFor(written);
  const quoted = texts.quoted.exec(written);
  if (quoted) return quoted[1] ?? quoted[2];
  const isPlain = texts.plain.test(written) && !KEYWORD.test(written) && !/:(?:\s|$)|\s#/.test(written);
  return isPlain ? written : undefined;
}
