/** Where the snapshots of a folder are, for those who have no session. */
import { projectIdFor } from '../project-id.js';
import { Storage } from '../storage.js';

/** @param root absolute real path */
export function snapshotDirOf(root: string): string {
  return new Storage(root, projectIdFor(root)).getSnapshotDir();
}
