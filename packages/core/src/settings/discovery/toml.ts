/** Reads TOML files of the folder; the parser is loaded with the first one. */
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import type { FolderReader } from './folder-reader.js';
import type { Table } from './values.js';

/** Undefined when the file cannot be read or parsed, which is reported. */
export async function readToml(folder: FolderReader, path: string): Promise<Table | undefined> {
  const text = folder.text(path);
  if (text === undefined) return undefined;
  const { parse, TomlError } = await import('smol-toml');
  try {
    const value: unknown = parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    // The rest of the message is an excerpt of the file.
    const [reason = ''] = messageOf(error).split('\n');
    folder.error(path, reason, error instanceof TomlError ? error.line : undefined);
    return undefined;
  }
}
