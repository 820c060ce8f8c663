/** Exports of the snapshots for callers that load them on demand (`load.ts`). */
export { SnapshotEngine } from './engine.js';
export { snapshotDirOf } from './folder.js';
export { diffsOf } from './net-diffs.js';
export { previewOf } from './preview.js';
export { SnapshotService } from './service.js';
