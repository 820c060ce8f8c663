/**
 * Parses and formats suggestions as unified diffs: absolute paths in both headers, `/dev/null` for new files. Pure.
 *
 * Not `parsePatch` of the package `diff` (9.0): it refuses a change whose counts are wrong, and models count badly; and it
 * skips text that is not a patch, where this tells the user which line is wrong.
 */
import { isAbsolute } from 'node:path';
import { ModelError } from '../../base/errors.js';

export interface PatchLine {
  kind: ' ' | '-' | '+';
  text: string;
}

export interface Hunk {
  /** From 1; only a hint: the lines themselves decide. */
  oldStart: number;
  newStart: number;
  lines: PatchLine[];
}

export interface FilePatch {
  path: string;
  isNew: boolean;
  hunks: Hunk[];
}

export type ParsedPatch = { files: FilePatch[] } | { problem: string };

export const MAX_PATCH_BYTES = 128 * 1024;
const MAX_FILES = 20;
const NOTHING = '/dev/null';
/** Lines that git and other tools write around a diff. */
const IGNORED = /^(?:diff --git |index [0-9a-f]|new file mode |```|\s*$)/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NO_LINE_END = '\\';

export function parsePatch(text: string): ParsedPatch {
  if (Buffer.byteLength(text) > MAX_PATCH_BYTES)
    return { problem: `it is larger than ${MAX_PATCH_BYTES / 1024} KB` };
  try {
    return { files: new Parser(text.replaceAll('\r\n', '\n').split('\n')).files() };
  } catch (error) {
    if (error instanceof PatchProblem) return { problem: error.message };
    throw error;
  }
}

export function formatPatch(files: readonly FilePatch[]): string {
  return files.map(formatFile).join('');
}

function formatFile({ path, isNew, hunks }: FilePatch): string {
  const head = `--- ${isNew ? NOTHING : path}\n+++ ${path}\n`;
  return head + hunks.map(formatHunk).join('');
}

function formatHunk({ oldStart, newStart, lines }: Hunk): string {
  const count = (...kinds: PatchLine['kind'][]) => lines.filter(({ kind }) => kinds.includes(kind)).length;
  const head = `@@ -${oldStart},${count(' ', '-')} +${newStart},${count(' ', '+')} @@\n`;
  return head + lines.map(({ kind, text }) => `${kind}${text}\n`).join('');
}

class PatchProblem extends ModelError {}

class Parser {
  private at = 0;

  constructor(private readonly lines: readonly string[]) {}

  files(): FilePatch[] {
    const files: FilePatch[] = [];
    for (this.skipIgnored(); this.at < this.lines.length; this.skipIgnored()) files.push(this.file());
    if (files.length === 0) throw new PatchProblem('it holds no change');
    if (files.length > MAX_FILES) throw new PatchProblem(`it changes more than ${MAX_FILES} files`);
    const paths = new Set(files.map(({ path }) => path));
    if (paths.size < files.length) throw new PatchProblem('it names a file twice');
    return files;
  }

  private file(): FilePatch {
    const before = this.header('--- ');
    const after = this.header('+++ ');
    if (after === NOTHING) throw new PatchProblem(`it deletes ${before}, which suggestions may not do`);
    const isNew = before === NOTHING;
    if (!isNew && before !== after) throw new PatchProblem(`it renames ${before} to ${after}`);
    if (!isAbsolute(after)) throw new PatchProblem(`${after} is not an absolute path`);
    const hunks: Hunk[] = [];
    while (this.line.startsWith('@@')) hunks.push(this.hunk());
    if (hunks.length === 0) throw new PatchProblem(`it says nothing about ${after}`);
    if (isNew && (hunks.length > 1 || hunks[0]?.lines.some(({ kind }) => kind !== '+')))
      throw new PatchProblem(`${after} is to be new, yet lines of it are to be there already`);
    return { path: after, isNew, hunks };
  }

  private header(start: string): string {
    if (!this.line.startsWith(start))
      throw new PatchProblem(`line ${this.at + 1} should begin with "${start.trim()}"`);
    // A tab and a time may follow.
    const path = (this.line.slice(start.length).split('\t')[0] ?? '').trim();
    if (path === '' || /[\x00-\x1f\x7f]/.test(path))
      throw new PatchProblem(`line ${this.at + 1} names no file`);
    this.at++;
    return path;
  }

  private hunk(): Hunk {
    const match = HUNK.exec(this.line);
    if (!match) throw new PatchProblem(`line ${this.at + 1} is not a hunk header`);
    const [, oldStart, oldCount = '1', newStart, newCount = '1'] = match;
    const first = ++this.at;
    const left = { old: Number(oldCount), new: Number(newCount) };
    const lines: PatchLine[] = [];
    for (; this.at < this.lines.length && !this.endsHunk(left); this.at++) {
      const line = this.patchLine();
      if (!line) continue;
      lines.push(line);
      if (line.kind !== '+') left.old--;
      if (line.kind !== '-') left.new--;
    }
    if (!lines.some(({ kind }) => kind !== ' '))
      throw new PatchProblem(`the change at line ${first} changes nothing`);
    return { oldStart: Number(oldStart), newStart: Number(newStart), lines };
  }

  /** Models count badly: if the counts are wrong, the next header ends the hunk. */
  private endsHunk(left: { old: number; new: number }): boolean {
    const { line } = this;
    if (line.startsWith('@@') || line.startsWith('diff --git ') || line.startsWith('```')) return true;
    const isComplete = left.old <= 0 && left.new <= 0;
    if (line === '') return isComplete || this.lines.slice(this.at).every((rest) => rest.trim() === '');
    if (!line.startsWith('--- ') || !this.lines[this.at + 1]?.startsWith('+++ ')) return false;
    return isComplete || this.lines[this.at + 2]?.startsWith('@@') === true;
  }

  private patchLine(): PatchLine | undefined {
    const { line } = this;
    if (line.startsWith(NO_LINE_END)) return undefined;
    // Trailing blanks are often lost: an empty line counts as an unchanged empty line.
    if (line === '') return { kind: ' ', text: '' };
    const [kind] = line;
    if (kind !== ' ' && kind !== '-' && kind !== '+')
      throw new PatchProblem(`line ${this.at + 1} begins with none of " ", "-", "+"`);
    const text = line.slice(1);
    if (kind === '+' && /[\x00-\x08\x0b-\x1f\x7f]/.test(text))
      throw new PatchProblem(`line ${this.at + 1} adds control characters`);
    return { kind, text };
  }

  private get line(): string {
    return this.lines[this.at] ?? '';
  }

  private skipIgnored(): void {
    while (this.at < this.lines.length && IGNORED.test(this.line)) this.at++;
  }
}
