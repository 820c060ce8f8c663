/** Where the snapshots of a folder are, for those who have no session. */
import type { Variables } from '../environment.js';
import { storageOf } from '../storage/project-id.js';

/** @param root absolute real path */
export function snapshotDirOf(variables: Variables, root: string): string {
  return storageOf(variables, root).getSnapshotDir();
}
