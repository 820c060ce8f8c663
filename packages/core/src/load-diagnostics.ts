/** Loads the diagnostics on first use. */

export type Diagnostics = typeof import('./diagnostics.js');

export function loadDiagnostics(): Promise<Diagnostics> {
  return import('./diagnostics.js');
}
