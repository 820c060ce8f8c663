/** Checks what a companion says about its editor, and brings it into the form that the program uses. */
import { isAbsolute } from 'node:path';
import { headOf } from '../../base/cut-text.js';
import { isObject } from '../../base/objects.js';
import type { IdeContext, IdeCursor, IdeFile } from '../types.js';

const MAX_FILES = 10;
const MAX_SELECTION = 16_384;
const MAX_PATH = 4_096;
export const CUT_MARK = '... [TRUNCATED]';

/** Undefined: it is not an update. Files that are not on a disk are left out. */
export function readUpdate(params: unknown): IdeContext | undefined {
  const state = isObject(params) ? params['workspaceState'] : undefined;
  if (!isObject(state)) return undefined;
  const { openFiles, isTrusted } = state;
  const files = Array.isArray(openFiles) ? openFiles.flatMap(readFile) : [];
  files.sort((a, b) => b.timestamp - a.timestamp);
  return {
    openFiles: files.slice(0, MAX_FILES).map(asShown),
    ...(typeof isTrusted === 'boolean' && { isTrusted }),
  };
}

function readFile(value: unknown): IdeFile[] {
  if (!isObject(value)) return [];
  const { path, timestamp, isActive, selectedText } = value;
  if (typeof path !== 'string' || !isAbsolute(path) || path.length > MAX_PATH) return [];
  const cursor = readCursor(value['cursor']);
  return [
    {
      path,
      timestamp: typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : 0,
      ...(isActive === true && { isActive }),
      ...(cursor && { cursor }),
      ...(typeof selectedText === 'string' && selectedText !== '' && { selectedText: cut(selectedText) }),
    },
  ];
}

function readCursor(value: unknown): IdeCursor | undefined {
  if (!isObject(value)) return undefined;
  const { line, character } = value;
  return isPosition(line) && isPosition(character) ? { line, character } : undefined;
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** Only the file used last can be active; the others have no cursor. */
function asShown({ path, timestamp, ...rest }: IdeFile, index: number): IdeFile {
  return index === 0 && rest.isActive ? { path, timestamp, ...rest } : { path, timestamp };
}

function cut(text: string): string {
  if (text.length <= MAX_SELECTION) return text;
  const kept = headOf(text, MAX_SELECTION);
  // A copy: a part of a text keeps all of it in memory, and a companion may send 32 MB.
  return Buffer.from(kept + CUT_MARK).toString();
}
