/** Parses the tools' result texts, which are written for a model, back into data. */
import { isAbsolute, relative, resolve } from 'node:path';

export interface Listing {
  /** Absolute. */
  directory: string;
  folders: string[];
  files: string[];
  ignored: number;
}

export function parseListing(text: string): Listing {
  const listing: Listing = { directory: '', folders: [], files: [], ignored: 0 };
  const lines = withoutProjectContext(text).split('\n');
  const head = lines[0] ?? '';
  listing.directory =
    /^Directory listing for (.+):$/.exec(head)?.[1] ?? /^Directory (.+) is empty\.$/.exec(head)?.[1] ?? '';
  for (const line of lines.slice(1)) {
    const ignored = /^\((\d+) ignored\)$/.exec(line);
    const file = /^(.+) \(\d+ bytes\)$/.exec(line);
    if (line.startsWith('[DIR] ')) listing.folders.push(line.slice(6));
    else if (ignored) listing.ignored = Number(ignored[1]);
    else if (file?.[1]) listing.files.push(file[1]);
  }
  return listing;
}

/** Paths found by `glob`, relative to the project where the text says what they are relative to. */
export function parseGlob(text: string, under = ''): string[] {
  const [head = '', ...lines] = text.split('\n');
  if (!head.startsWith('Found ')) return [];
  const within =
    / within (.+?)(?: \(\d+ additional files? (?:was|were) ignored\))?(?:, sorted by [^,]*)?:$/.exec(
      head,
    )?.[1];
  return lines.filter((line) => line !== '').map((line) => relativeTo(line, within, under));
}

export interface GrepLine {
  line: number;
  text: string;
  isMatch: boolean;
}

export interface GrepFile {
  path: string;
  lines: GrepLine[];
}

export interface GrepResult {
  files: GrepFile[];
  /** Number of matching lines. */
  matches: number;
  limited: boolean;
}

export function parseGrep(text: string): GrepResult {
  const files: GrepFile[] = [];
  const lines = text.split('\n');
  for (const line of lines) {
    const file = /^File: (.+)$/.exec(line);
    const hit = /^L(\d+)([:-]) ?(.*)$/.exec(line);
    if (file?.[1]) files.push({ path: file[1], lines: [] });
    else if (hit) {
      files.at(-1)?.lines.push({ line: Number(hit[1]), text: hit[3] ?? '', isMatch: hit[2] === ':' });
    }
  }
  const matches = files.reduce((sum, file) => sum + file.lines.filter((line) => line.isMatch).length, 0);
  return { files, matches, limited: (lines[0] ?? '').includes('results limited to') };
}

export interface ReadText {
  content: string;
  from: number;
  /** Undefined when the text is the whole file. */
  total?: number;
}

export function parseRead(text: string): ReadText {
  const body = withoutProjectContext(text);
  const marker = body.indexOf(CUT_MARKER);
  const status = /^Status: Showing lines (\d+)-\d+ of (\d+) total lines\.$/m.exec(
    body.slice(0, Math.max(marker, 0)),
  );
  if (marker < 0 || !status) return { content: body, from: 1 };
  return {
    content: body.slice(marker + CUT_MARKER.length),
    from: Number(status[1]),
    total: Number(status[2]),
  };
}

const CUT_MARKER = '--- FILE CONTENT (truncated) ---\n';

export interface ShellText {
  output: string;
  exitCode: number;
  signal?: string;
  error?: string;
  /** The command was stopped or did not run; `output` then says so. */
  unfinished: boolean;
}

/** The facts come after the output, which may itself contain similar lines. */
export function parseShell(text: string): ShellText {
  const inner = text
    .replace(/^<untrusted_context>\n/m, '')
    .replace(/\n<\/untrusted_context>\s*$/, '')
    .replace(/&lt;(\/\s*untrusted_context)/gi, '<$1');
  const lines = inner.split('\n');
  const facts = new Map<string, string>();
  while (lines.length > 1) {
    const fact = /^(Error|Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$/.exec(
      lines.at(-1) ?? '',
    );
    if (!fact?.[1]) break;
    facts.set(fact[1], fact[2] ?? '');
    lines.pop();
  }
  const output = stripAnsi(lines.join('\n'));
  const finished = output.startsWith('Output: ');
  const exitCode = Number(facts.get('Exit Code') ?? 0);
  return {
    output: finished ? output.slice(8).replace(/^\(empty\)$/, '') : output,
    exitCode,
    signal: facts.get('Signal'),
    error: facts.get('Error'),
    unfinished: !finished,
  };
}

function withoutProjectContext(text: string): string {
  if (!text.trimEnd().endsWith('--- End Project Context ---')) return text;
  const start = text.lastIndexOf('--- Newly Discovered Project Context ---');
  return start < 0 ? text : text.slice(0, start).trimEnd();
}

function relativeTo(path: string, within: string | undefined, under: string): string {
  if (!within || !isAbsolute(path) || !isAbsolute(within)) return path;
  const inside = relative(resolve(within), path).replaceAll('\\', '/');
  if (inside.startsWith('..')) return path;
  return joinPath(under, inside);
}

/** Joins parts of a path inside the project; `.` and empty mean the project itself. */
export function joinPath(folder: string, name: string): string {
  const base = folder.replace(/\/+$/, '');
  return base === '' || base === '.' ? name : `${base}/${name}`;
}

function stripAnsi(text: string): string {
  return text.replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\r(?=\n)/g, '');
}
