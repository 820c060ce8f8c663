/** Lists extensions inside the folder. */
import { messageOf } from '../../base/errors.js';
import { parseJsonc } from '../../base/jsonc.js';
import { isObject } from '../../base/objects.js';
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';

const DIRECTORY = '.gemini/extensions';

export function discoverExtensions({ folder }: DiscoveryContext): string[] {
  return folder.directories(DIRECTORY).flatMap((directory) => {
    const path = `${DIRECTORY}/${directory}/gemini-extension.json`;
    const text = folder.text(path);
    if (text === undefined) return [];
    try {
      const manifest = parseJsonc(text);
      if (isObject(manifest) && typeof manifest['name'] === 'string') {
        return [cleanLabel(`${manifest['name']} ${String(manifest['version'] ?? '')}`)];
      }
      folder.error(path, 'has no name');
    } catch (error) {
      folder.error(path, `is not valid JSON: ${messageOf(error)}`);
    }
    return [];
  });
}
