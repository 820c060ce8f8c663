/** Settings entries that work but leave the user without an explanation. */
import { join } from 'node:path';
import { isObject } from '../../base/objects.js';
import { MANIFEST_FILE } from '../types.js';
import type { CheckedExtension } from './checked-extension.js';

export function checkSettings({ dir, raw, warn, add }: CheckedExtension): void {
  const list = raw['settings'];
  if (!Array.isArray(list)) return;
  for (const [index, entry] of list.entries()) {
    // An entry without a usable envVar was reported when the manifest was read.
    if (!isObject(entry) || typeof entry['envVar'] !== 'string') continue;
    const key = `settings[${index}]`;
    const { name, label, type, options } = entry;
    if (!isText(name) && !isText(label)) warn(key, 'has no name; users see the variable. Add a name.');
    if (type === 'choice' && !(Array.isArray(options) && options.length > 0))
      warn(key, 'is a choice without options. Add options, a list.');
    if (entry['sensitive'] !== undefined && typeof entry['sensitive'] !== 'boolean')
      warn(`${key}.sensitive`, 'must be true or false; it counts as false.');
    if (entry['sensitive'] !== true && /SECRET|TOKEN|PASSWORD|API_?KEY/i.test(entry['envVar']))
      add({
        level: 'warning',
        kind: 'plain-secret',
        message: `${key} looks like a secret (${entry['envVar']}) but is stored as plain text. Add "sensitive": true.`,
        file: join(dir, MANIFEST_FILE),
        key,
      });
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
