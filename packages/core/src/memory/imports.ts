/** Replaces `@path` in a context file by the content of that file. Loaded when there is an `@`. */
import { dirname, resolve } from 'node:path';
import { messageOf } from '../base/errors.js';
import { visibleName } from '../base/visible-text.js';
import { FileError } from '../platform/files/file-error.js';
import { isInside, realPathOf } from '../platform/files/real-path.js';
import { tryStat } from '../platform/files/try-read.js';
import { findImports, type ImportMark, looksLikeFile, withoutPunctuation } from './find-imports.js';
import { isProse } from './names.js';
import { type ContextText, readContextText } from './read-file.js';
import type { ImportFormat, MemoryProblem } from './types.js';

const MAX_DEPTH = 5;
const MAX_IMPORTS = 100;
const MAX_TOTAL_BYTES = 1024 * 1024;
/** Limit of words with an `@` that are looked up; a real context file has fewer. */
const MAX_LOOKED_UP = 1000;
const MAX_PATH_LENGTH = 4096;

export interface ImportRules {
  /** All imports stay below one of these. */
  roots: readonly string[];
  format: ImportFormat;
  /** Only prose files: the user's own file is beside credentials. */
  onlyProse: boolean;
}

export interface Imported {
  text: string;
  /** Real paths of the imported files. */
  imports: string[];
  /** All paths checked: when one of these changes, the text may change. */
  watched: string[];
  problems: MemoryProblem[];
}

/** Never throws because of a file's content: a failed import is marked in the text, and the rest works. */
export async function resolveImports(path: string, file: ContextText, rules: ImportRules): Promise<Imported> {
  const run = new ImportRun(rules);
  run.processed.add(file.realPath);
  const text = await run.expand({ path, file, depth: 0 });
  return {
    text: rules.format === 'flat' ? [flatBlock(path, text), ...run.flat].join('\n\n') : text,
    imports: [...run.processed].slice(1),
    watched: [...run.watched],
    problems: run.problems,
  };
}

interface Importing {
  path: string;
  file: ContextText;
  depth: number;
}

class ImportRun {
  readonly processed = new Set<string>();
  readonly watched = new Set<string>();
  readonly problems: MemoryProblem[] = [];
  /** Blocks of the format `flat`, in the order of the imports. */
  readonly flat: string[] = [];
  private bytes = 0;

  constructor(private readonly rules: ImportRules) {}

  async expand(importing: Importing): Promise<string> {
    const { text } = importing.file;
    let expanded = '';
    let end = 0;
    for (const mark of findImports(text)) {
      const target = this.targetOf(importing, mark);
      if (!target) continue;
      expanded += text.slice(end, mark.start);
      expanded += await this.replacement(importing, { ...mark, path: target.written }, target.path);
      end = mark.start + 1 + target.written.length;
    }
    return expanded + text.slice(end);
  }

  /** Undefined: not an import; the word stays as written. */
  private targetOf({ file }: Importing, { path }: ImportMark): { path: string; written: string } | undefined {
    if (path.length > MAX_PATH_LENGTH || this.watched.size > MAX_LOOKED_UP) return undefined;
    if (isAddress(path)) return { path, written: path };
    const spellings = [path, withoutPunctuation(path)].filter((written) => written !== undefined);
    const targets = spellings.map((written) => ({ written, path: resolve(dirname(file.realPath), written) }));
    for (const target of targets) this.watched.add(target.path);
    const [first] = targets;
    const existing = targets.find((target) => isFile(target.path));
    if (existing) return existing;
    return (
      targets.find((target) => looksLikeFile(target.written)) ?? (looksLikeFile(path) ? first : undefined)
    );
  }

  private async replacement(importing: Importing, mark: ImportMark, target: string): Promise<string> {
    const shown = visibleName(mark.path).replaceAll('-->', '-- >');
    try {
      const refusal = this.refusalOf(mark.path, target, importing.depth);
      if (refusal) throw new FileError('refused', refusal);
      const real = realPathOf(target);
      if (this.processed.has(real)) return this.already(mark, shown);
      const file = await readContextText(target, (path) => this.placeProblem(path));
      this.bytes += file.bytes;
      if (this.bytes > MAX_TOTAL_BYTES) {
        throw new FileError('too_large', `all imports together are larger than ${MAX_TOTAL_BYTES / 1024} KB`);
      }
      this.processed.add(file.realPath);
      return await this.include({ path: target, file, depth: importing.depth + 1 }, mark, shown);
    } catch (error) {
      const reason = messageOf(error).replace(/\.$/, '');
      this.problems.push({ path: importing.path, line: mark.line, message: `@${shown}: ${reason}.` });
      return `<!-- Import failed: ${shown} - ${visibleName(reason).replaceAll('-->', '-- >')} -->`;
    }
  }

  private async include(importing: Importing, mark: ImportMark, shown: string): Promise<string> {
    if (this.rules.format === 'flat') {
      const place = this.flat.push('') - 1;
      this.flat[place] = flatBlock(importing.file.realPath, await this.expand(importing));
      return `@${mark.path}`;
    }
    const text = (await this.expand(importing)).trim();
    return `<!-- Imported from: ${shown} -->\n${text}\n<!-- End of import from: ${shown} -->`;
  }

  private already(mark: ImportMark, shown: string): string {
    return this.rules.format === 'flat' ? `@${mark.path}` : `<!-- File already processed: ${shown} -->`;
  }

  private refusalOf(written: string, target: string, depth: number): string | undefined {
    if (isAddress(written)) return 'only files are imported, no addresses';
    if (depth >= MAX_DEPTH) return `imports are nested more than ${MAX_DEPTH} deep`;
    if (this.processed.size > MAX_IMPORTS) return `there are more than ${MAX_IMPORTS} imports`;
    return this.placeProblem(realPathOf(target)) ?? undefined;
  }

  private placeProblem(real: string): string | null {
    const { roots, onlyProse } = this.rules;
    if (!roots.some((root) => isInside(real, realPathOf(root)))) {
      return `it leads to ${real}, outside of ${roots.join(', ')}`;
    }
    return onlyProse && !isProse(real) ? 'here only Markdown and text files can be imported' : null;
  }
}

function flatBlock(path: string, text: string): string {
  const shown = visibleName(path);
  return `--- File: ${shown} ---\n${text.trim()}\n--- End of File: ${shown} ---`;
}

function isAddress(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

function isFile(path: string): boolean {
  return tryStat(path)?.isDirectory() === false;
}
