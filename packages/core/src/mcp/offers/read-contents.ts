/** Reads the answer to `resources/read`, checked once. */
import { isObject } from '../../base/objects.js';
import type { McpResourceContent } from '../../tools/mcp-resources/host.js';

const MAX_CONTENTS = 1_000;

export function readContents(result: unknown): McpResourceContent[] {
  const contents = isObject(result) && Array.isArray(result['contents']) ? result['contents'] : [];
  return contents.slice(0, MAX_CONTENTS).flatMap((item) => {
    if (!isObject(item)) return [];
    const { uri, mimeType, text, blob } = item;
    if (typeof text !== 'string' && typeof blob !== 'string') return [];
    return {
      uri: typeof uri === 'string' ? uri : '',
      ...(typeof mimeType === 'string' && { mimeType }),
      ...(typeof text === 'string' ? { text } : { blob: String(blob) }),
    };
  });
}
