/** The way to the diagnostics that does not load them with everything else. */

export type Diagnostics = typeof import('./diagnostics.js');

export function loadDiagnostics(): Promise<Diagnostics> {
  return import('./diagnostics.js');
}
