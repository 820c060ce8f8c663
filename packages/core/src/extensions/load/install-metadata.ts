/** Reads `.gemini-extension-install.json`. */
import { join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { readSmallFile } from '../../platform/files/private-file.js';
import { tryLstat } from '../../platform/files/try-read.js';
import {
  type ExtensionInstallMetadata,
  type ExtensionProblem,
  type ExtensionSourceType,
  INSTALL_METADATA_FILE,
} from '../types.js';

const TYPES: readonly unknown[] = ['git', 'github-release', 'local', 'link'];
const isType = (value: unknown): value is ExtensionSourceType => TYPES.includes(value);

/** Neither: the folder has no such file. */
export function readInstallMetadata(dir: string): {
  metadata?: ExtensionInstallMetadata;
  problem?: ExtensionProblem;
} {
  const file = join(dir, INSTALL_METADATA_FILE);
  // Most have none, and the error of a read costs more than all else here.
  if (!tryLstat(file)) return {};
  const broken = (why: string) => ({
    problem: {
      level: 'error' as const,
      message: `${file} cannot be used: ${why}. Install the extension again.`,
      file,
    },
  });
  let value: unknown;
  try {
    const text = readSmallFile(file)?.text;
    if (text === undefined) return {};
    value = JSON.parse(text);
  } catch (error) {
    return broken(messageOf(error));
  }
  if (!isObject(value) || typeof value['source'] !== 'string' || !isType(value['type']))
    return broken('it names no source and type');
  const { source, type, ref, autoUpdate, allowPreRelease, releaseTag, path, convertedFrom, conversion } =
    value;
  return {
    metadata: {
      source,
      type,
      ...(typeof ref === 'string' && { ref }),
      ...(typeof autoUpdate === 'boolean' && { autoUpdate }),
      ...(typeof allowPreRelease === 'boolean' && { allowPreRelease }),
      ...(typeof releaseTag === 'string' && { releaseTag }),
      ...(typeof path === 'string' && { path }),
      ...(convertedFrom === 'claude-plugin' && { convertedFrom }),
      ...(isObject(conversion) && { conversion }),
    },
  };
}
