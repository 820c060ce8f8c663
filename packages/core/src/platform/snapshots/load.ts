/** The way to the snapshots that does not load them with everything else. */

export type Snapshots = typeof import('./index.js');

export function loadSnapshots(): Promise<Snapshots> {
  return import('./index.js');
}
