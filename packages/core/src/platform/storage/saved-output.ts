/** Saves long tool outputs to a file, and cuts out their beginning and end for the conversation. */
import { chmodSync, closeSync, constants, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.js';

export interface SavedOutputPlace {
  /** Created when needed, private to the user. */
  directory: string;
  toolName: string;
  callId: string;
}

/** Never throws: the caller decides what a failure means. */
export function saveOutput(
  text: string,
  { directory, toolName, callId }: SavedOutputPlace,
): { path: string } | { problem: string } {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32') chmodSync(directory, 0o700);
    const { fd, path } = createFile(directory, fileName(toolName, callId));
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
    return { path };
  } catch (error) {
    return { problem: codeOf(error) ?? 'write error' };
  }
}

export function countLines(text: string): number {
  let lines = 1;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines++;
  return text.endsWith('\n') ? lines - 1 : lines;
}

const MAX_NAME_LENGTH = 120;
const MAX_SAME_NAMES = 100;

/** Call ids come from the model and may contain anything. */
function fileName(toolName: string, callId: string): string {
  return `${toolName}_${callId}`
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '_')
    .slice(0, MAX_NAME_LENGTH);
}

/** Always a new file: a repeated id must not overwrite the first text, and a link is not followed. */
function createFile(directory: string, name: string): { fd: number; path: string } {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  for (let number = 1; ; number++) {
    const path = join(directory, `${name}${number === 1 ? '' : `-${number}`}.txt`);
    try {
      return { fd: openSync(path, flags, 0o600), path };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || number === MAX_SAME_NAMES) throw error;
    }
  }
}
