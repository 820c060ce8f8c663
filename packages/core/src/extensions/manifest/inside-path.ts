/** Paths in a manifest, which must stay inside the extension. */
import { isAbsolute, join, relative, resolve } from 'node:path';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import type { ExtensionRoot } from './field-report.js';

/** The path relative to the extension, or why it is refused. An absolute path inside the extension is accepted. */
export function insidePath(
  value: unknown,
  { dir, extensionPath }: ExtensionRoot,
): { path: string } | { refused: string } {
  if (typeof value !== 'string' || value.trim() === '') return { refused: 'is not a path' };
  if (value.includes('\0')) return { refused: 'contains a NUL character' };
  if (value.split(/[\\/]/).includes('..')) return { refused: 'contains ".."' };
  const path = isAbsolute(value) ? relative(extensionPath, value) : value;
  if (isAbsolute(path) || path.split(/[\\/]/).includes('..') || /^[a-zA-Z]:/.test(path))
    return { refused: 'is outside the extension' };
  if (!isInside(realPathOf(resolve(dir, path)), realPathOf(dir)))
    return { refused: 'is a link that leaves the extension' };
  return { path: join(path) };
}
