/** Loads the snapshots on first use. */
export type Snapshots = typeof import('./index.js');

export function loadSnapshots(): Promise<Snapshots> {
  return import('./index.js');
}
