/** Finds `@path` references in a prompt. Does not look at the disk. */

export type Segment =
  | { kind: 'text'; text: string }
  /** `path` is unescaped; `raw` is what was typed, with the `@`. */
  | { kind: 'reference'; path: string; raw: string };

export interface ParseOptions {
  /** For piped data, where `\@` is not an escape. */
  keepEscapes: boolean;
}

const WHITE = new Set([' ', '\t', '\n', '\r', '\v', '\f']);
const TERMINATORS = new Set([...WHITE, ',', ';', '!', '?', '(', ')', '[', ']', '{', '}']);
const MAY_PRECEDE = new Set([...WHITE, '(', '[', '{', '"', "'"]);

export function parseAtReferences(prompt: string, { keepEscapes }: ParseOptions): Segment[] {
  const segments: Segment[] = [];
  let text = '';
  let at = 0;
  while (at < prompt.length) {
    const next = nextOf(prompt, at);
    text += prompt.slice(at, next);
    at = next;
    if (at >= prompt.length) break;
    if (prompt[at] === '\\') {
      const escaped = prompt[at + 1] === '@';
      text += escaped && !keepEscapes ? '@' : prompt.slice(at, at + 2);
      at += 2;
      continue;
    }
    const found = mayStart(prompt, at) ? readPath(prompt, at) : undefined;
    if (!found || found.path === '') {
      text += '@';
      at++;
      continue;
    }
    if (text !== '') segments.push({ kind: 'text', text });
    text = '';
    segments.push({ kind: 'reference', path: found.path, raw: prompt.slice(at, found.end) });
    at = found.end;
  }
  if (text !== '') segments.push({ kind: 'text', text });
  return segments;
}

/** The next `@` or backslash. */
function nextOf(prompt: string, from: number): number {
  for (let at = from; at < prompt.length; at++) {
    const char = prompt[at];
    if (char === '@' || char === '\\') return at;
  }
  return prompt.length;
}

function mayStart(prompt: string, at: number): boolean {
  const before = prompt[at - 1];
  return before === undefined || MAY_PRECEDE.has(before);
}

function readPath(prompt: string, start: number): { path: string; end: number } {
  const opener = prompt[start - 1];
  // A quote before the `@` ends the path at the closing quote.
  const closer = opener === '"' || opener === "'" ? opener : undefined;
  let path = '';
  let at = start + 1;
  while (at < prompt.length) {
    const char = prompt.charAt(at);
    if (char === '\\' && at + 1 < prompt.length) {
      path += prompt.charAt(at + 1);
      at += 2;
    } else if (char === closer || TERMINATORS.has(char)) {
      break;
    } else if (char === '"') {
      const close = prompt.indexOf('"', at + 1);
      if (close < 0) break;
      path += prompt.slice(at + 1, close);
      at = close + 1;
    } else if (char === '.') {
      const end = endOfDots(prompt, at);
      if (path !== '' && !path.endsWith('/') && isSentenceEnd(prompt, end)) break;
      path += prompt.slice(at, end);
      at = end;
    } else {
      path += char;
      at++;
    }
  }
  return { path, end: at };
}

function endOfDots(prompt: string, from: number): number {
  let at = from;
  while (prompt[at] === '.') at++;
  return at;
}

function isSentenceEnd(prompt: string, at: number): boolean {
  const char = prompt[at];
  return char === undefined || WHITE.has(char);
}
