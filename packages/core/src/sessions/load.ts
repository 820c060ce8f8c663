/** Loads the operations on stored sessions on first use, to keep start-up small. */

export type Sessions = typeof import('./all.js');

export function loadSessions(): Promise<Sessions> {
  return import('./all.js');
}
