/** Which files of an extension the model may read, although they are outside the workspace. */
import { isInside } from '../platform/files/real-path.js';

/** Values of its settings, and records that may contain a password: of git, and of where the extension came from. */
const PRIVATE = /(?:^|[\\/])(?:\.env[^\\/]*|\.git|\.gemini-extension-[^\\/]*)(?:[\\/]|$)/i;

/** Both are real paths. */
export function isOwnFile(path: string, folder: string): boolean {
  return isInside(path, folder) && !PRIVATE.test(path.slice(folder.length));
}
