/** A name that is valid here, from the header or the name of the file. */
import { isForbiddenKey } from '../../../settings/key-path.js';
import { isBuiltinTool } from '../tool-entries.js';
import type { FixNotes } from './fix-notes.js';

export function fixName(given: unknown, fileName: string, notes: FixNotes): string {
  const from = typeof given === 'string' || typeof given === 'number' ? String(given) : fileName;
  const slug = slugOf(from) || slugOf(fileName) || 'agent';
  const name = isBuiltinTool(slug) || isForbiddenKey(slug) ? `${slug}-agent` : slug;
  if (name !== given) notes.changes.push(`The name is ${name}.`);
  return name;
}

/** Lower case; other characters become one `-`. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);
}
