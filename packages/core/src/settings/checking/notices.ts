/** Shows each notice about an old setting name only once: remembers per file what was shown. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseJsonc } from '../../base/jsonc.js';
import { isObject } from '../../base/objects.js';
import { replaceFile } from '../../platform/files/atomic-write.js';
import { createLog } from '../../platform/log.js';
import { isForbiddenKey } from '../key-path.js';
import { readSettingsText } from '../reading/read-file.js';

const log = createLog('settings');

export interface Renamed {
  file: string;
  /** As `old -> new`. */
  names: readonly string[];
}

/** Returns the notices not shown before and marks them as shown. */
export function takeNotices(found: readonly Renamed[], memoryPath: string): string[] {
  if (found.length === 0) return [];
  const shown = readShown(memoryPath);
  const fresh = found.filter(({ file, names }) => shown[file] !== names.join(', ') && !isForbiddenKey(file));
  if (fresh.length === 0) return [];
  for (const { file, names } of fresh) shown[file] = names.join(', ');
  remember(shown, memoryPath);
  return fresh.map(
    ({ file, names }) =>
      `${file} uses older names of settings. They were understood (${names.join(', ')}) and will be ` +
      'written in the new form when settings are next saved.',
  );
}

function readShown(path: string): Record<string, unknown> {
  try {
    const value = parseJsonc(readSettingsText(path).text || '{}');
    return isObject(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** If the memory cannot be written, the notice is only repeated. */
function remember(shown: Record<string, unknown>, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, Buffer.from(`${JSON.stringify(shown, null, 2)}\n`));
  } catch (error) {
    log.debug('notices cannot be remembered', error);
  }
}
