/** The hash of a project's root, as session files carry it. */
import { sha256Hex } from '../../base/sha256.js';

export function projectHashOf(projectRoot: string): string {
  return sha256Hex(projectRoot);
}
