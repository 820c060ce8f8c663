/** Reads text and JSON files of a plugin, whatever encoding they have. */
import { JsoncError, parseJsonc } from '../../../base/jsonc.js';
import { readFileBytes } from '../../../platform/files/safe-read.js';
import { decodeText } from '../../../platform/files/text-encoding.js';
import { ConvertError } from '../convert-error.js';
import type { PluginFile } from '../types.js';

/** As large as a command or an agent may be here. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** Undefined: it is too large, or not a text. */
export async function readText({ absolute, size }: PluginFile): Promise<string | undefined> {
  if (size > MAX_TEXT_BYTES) return undefined;
  const { bytes } = readFileBytes(absolute, { limit: MAX_TEXT_BYTES });
  return (await decodeText(bytes))?.text.replace(/^\ufeff/, '');
}

/**
 * Comments, trailing commas and a byte order mark are accepted.
 * @throws ConvertError with the place of the mistake
 */
export async function readJson(file: PluginFile): Promise<unknown> {
  const { bytes } = file.size > MAX_TEXT_BYTES ? { bytes: undefined } : readFileBytes(file.absolute);
  if (!bytes) throw new ConvertError(`${file.absolute} is larger than 1 MB and was not read.`);
  const encoding = encodingOf(bytes);
  if (encoding) throw new ConvertError(`${file.absolute} is in ${encoding}. Save it as UTF-8.`);
  try {
    return parseJsonc(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    const { line, column, message } = error;
    throw new ConvertError(`${file.absolute}, line ${line}, column ${column}: ${message}. Correct it.`, {
      cause: error,
    });
  }
}

function encodingOf(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'UTF-16LE';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== undefined)
    ? 'UTF-16BE'
    : undefined;
}
