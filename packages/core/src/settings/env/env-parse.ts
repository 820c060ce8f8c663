/**
 * Parses the text of a `.env` file. Values are taken literally: nothing is expanded or executed.
 *
 * Not `util.parseEnv` of Node (20.20): it cuts `URL=http://x/#top` and `PASS=a#b` at the `#`, takes all lines after a quote
 * that is never closed into one value, makes `words` above `B=2` part of the name B, loses `__proto__`, and knows
 * neither `B: 2`, tabs, a byte order mark, lone CR, `\r` and `\"` in quotes, nor the line of a mistake. Checks around it would
 * have to read every line as this file does.
 */

export interface EnvProblem {
  /** From 1. */
  line: number;
  message: string;
}

export interface ParsedEnv {
  /** In file order; of a repeated name the last one counts. */
  variables: Map<string, string>;
  problems: EnvProblem[];
}

/** `export`, then a name, then `=` or `: `. */
const NAME = /[ \t]*(?:export[ \t]+)?([\w.-]+)(?:[ \t]*=[ \t]*|:[ \t]+)/y;
/** A quoted value, possibly over several lines, followed by nothing but a comment. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"[ \t]*(?:#[^\n]*)?(?=\n|$)/y,
  "'": /'([^']*)'[ \t]*(?:#[^\n]*)?(?=\n|$)/y,
  '`': /`([^`]*)`[ \t]*(?:#[^\n]*)?(?=\n|$)/y,
};

export function parseEnv(source: string): ParsedEnv {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const result: ParsedEnv = { variables: new Map(), problems: [] };
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const end = entryEnd(text, at, line, result);
    line += countBreaks(text, at, end);
    at = end;
  }
  return result;
}

/** Reads the entry that begins at a line start; returns where the next line starts. */
function entryEnd(text: string, at: number, line: number, { variables, problems }: ParsedEnv): number {
  const lineEnd = endOfLine(text, at);
  const content = text.slice(at, lineEnd);
  if (/^\s*(?:#|$)/.test(content)) return lineEnd + 1;
  const nameMatch = matchAt(NAME, text, at);
  if (!nameMatch) {
    problems.push({ line, message: 'This line is neither NAME=value nor a comment; it is ignored.' });
    return lineEnd + 1;
  }
  const name = nameMatch.groups[1] ?? '';
  const quote = text[nameMatch.end] ?? '';
  const pattern = nameMatch.end < lineEnd ? QUOTED[quote] : undefined;
  const quoted = pattern && matchAt(pattern, text, nameMatch.end);
  if (quoted) {
    const inner = quoted.groups[1] ?? '';
    put(name, quote === '"' ? resolveEscapes(inner) : inner);
    return endOfLine(text, quoted.end) + 1;
  }
  if (pattern) {
    problems.push({
      line,
      message: `The value of ${name} is not quoted as a whole; it is taken as it stands.`,
    });
  }
  put(name, plainValue(text.slice(nameMatch.end, lineEnd)));
  return lineEnd + 1;

  function put(key: string, value: string): void {
    if (value.includes('\0')) {
      problems.push({ line, message: `The value of ${key} has a NUL character; it is ignored.` });
      return;
    }
    variables.delete(key);
    variables.set(key, value);
  }
}

/** A comment needs a blank before it: passwords and URLs may contain `#`. */
function plainValue(raw: string): string {
  return raw.replace(/(^|[ \t])#.*$/, '').trim();
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', '"': '"', '\\': '\\' };

/** Other escapes stay as written, so that `"C:\temp"` and patterns survive. */
function resolveEscapes(inner: string): string {
  return inner.replace(/\\([\s\S])/g, (whole, char: string) => ESCAPES[char] ?? whole);
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const groups = pattern.exec(text);
  return groups ? { groups, end: pattern.lastIndex } : undefined;
}

function endOfLine(text: string, from: number): number {
  const index = text.indexOf('\n', from);
  return index < 0 ? text.length : index;
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
