/** The way to stored sessions that does not load them with everything else. */

export type Sessions = typeof import('./all.js');

export function loadSessions(): Promise<Sessions> {
  return import('./all.js');
}
