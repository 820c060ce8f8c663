/** `contextFileName` of a manifest. */
import { join } from 'node:path';
import { tryStat } from '../../platform/files/try-read.js';
import type { ExtensionRoot, FieldReport } from './field-report.js';
import { insidePath } from './inside-path.js';

/** Undefined: not given, so that `GEMINI.md` counts. An empty list: no context file. */
export function contextFileNames(
  value: unknown,
  root: ExtensionRoot,
  report: FieldReport,
): string[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' && !Array.isArray(value)) {
    report('contextFileName', 'must be a file name or a list of file names; it is ignored.');
    return undefined;
  }
  const refused: string[] = [];
  const names = [value].flat().flatMap((entry: unknown) => {
    const found = insidePath(entry, root);
    if ('path' in found && !tryStat(join(root.dir, found.path))?.isDirectory()) return [found.path];
    refused.push(`${JSON.stringify(entry)} ${'path' in found ? 'is a folder' : found.refused}`);
    return [];
  });
  if (refused.length > 0) report('contextFileName', `is used without: ${refused.join('; ')}.`);
  return [...new Set(names)];
}
