/** Finds the `@path` at the cursor, and escapes a path for it. */

export interface AtToken {
  /** The text after the `@`, without escapes and quotes. */
  query: string;
  /** Position after the `@`. */
  start: number;
  end: number;
}

const TERMINATORS = /[\s,;!?()[\]{}]/;
const MAY_PRECEDE = /[\s([{"']/;

export function atTokenAt(text: string, cursor: number): AtToken | undefined {
  for (
    let at = text.lastIndexOf('@', cursor - 1);
    at >= 0;
    at = at === 0 ? -1 : text.lastIndexOf('@', at - 1)
  ) {
    const before = text[at - 1];
    if (before !== undefined && !MAY_PRECEDE.test(before)) continue;
    const query = unescaped(text.slice(at + 1, cursor));
    if (query === undefined) return undefined;
    return { query, start: at + 1, end: cursor + restOfToken(text.slice(cursor)) };
  }
  return undefined;
}

/** @returns undefined when the path ends before the cursor */
function unescaped(typed: string): string | undefined {
  let path = '';
  let isQuoted = false;
  for (let at = 0; at < typed.length; at++) {
    const character = typed[at] ?? '';
    if (character === '\\') path += typed[++at] ?? '';
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && TERMINATORS.test(character)) return undefined;
    else path += character;
  }
  return path;
}

function restOfToken(text: string): number {
  const end = text.search(/(?<!\\)[\s,;!?()[\]{}"]/);
  return end < 0 ? text.length : end;
}

export function escapeAtPath(path: string): string {
  return path.replace(/[\s,;!?()[\]{}"'\\]/g, '\\$&').replace(/\.$/, '\\.');
}
