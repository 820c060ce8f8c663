/** Entry for those who load the snapshots when they are needed. */
export { SnapshotEngine } from './engine.js';
export { snapshotDirOf } from './folder.js';
export { previewOf } from './preview.js';
export { SnapshotService } from './service.js';
