/** Finds the snapshot store of a folder, for callers without a session. */
import type { Variables } from '../environment.js';
import { storageOf } from '../storage/project-id.js';

/** @param root absolute real path */
export function snapshotDirOf(variables: Variables, root: string): string {
  return storageOf(variables, root).getSnapshotDir();
}
