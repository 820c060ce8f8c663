/** Reads the found context files and formats them for the model. */
import { visibleName } from '../base/visible-text.js';
import { FileError } from '../platform/files/file-error.js';
import { type ContextText, readContextText } from './read-file.js';
import type { FoundFile, ImportFormat, MemoryFile, MemoryProblem } from './types.js';

export interface ReadFiles {
  /** Without empty files. */
  files: MemoryFile[];
  /** Other files to watch: imports. */
  watched: string[];
  problems: MemoryProblem[];
}

export interface ReadRules {
  format?: ImportFormat;
  /** Hides secrets. */
  mask(text: string): string;
}

/** In the given order. An unreadable file is reported as a problem; the rest works. */
export async function readFound(found: readonly FoundFile[], rules: ReadRules): Promise<ReadFiles> {
  const result: ReadFiles = { files: [], watched: [], problems: [] };
  for (const item of found) {
    try {
      const file = await readContextText(item.path, item.authorize);
      const { text, imports, watched, problems } = await withImports(item, file, rules);
      result.watched.push(...watched);
      result.problems.push(...problems);
      if (text.trim() === '') continue;
      const { path, tier } = item;
      result.files.push({ path, tier, bytes: file.bytes, text: rules.mask(text.trim()), imports });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      result.problems.push({ path: item.path, message: error.message, namesFile: true });
    }
  }
  return result;
}

/** A file's text for the model, with a start and an end marker. */
export function blockOf({ path, text }: Pick<MemoryFile, 'path' | 'text'>): string {
  // A folder's name must not pose as the end marker.
  const shown = visibleName(path);
  return `--- Context from: ${shown} ---\n${text}\n--- End of Context from: ${shown} ---`;
}

async function withImports(item: FoundFile, file: ContextText, { format = 'tree' }: ReadRules) {
  if (!file.text.includes('@') && format === 'tree') {
    return { text: file.text, imports: [], watched: [], problems: [] };
  }
  const { resolveImports } = await import('./imports.js');
  const onlyProse = item.tier === 'global' || item.tier === 'private';
  return resolveImports(item.path, file, { roots: item.roots, format, onlyProse });
}
