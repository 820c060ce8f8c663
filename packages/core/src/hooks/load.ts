/** Loads what subcommands need of hooks, on first use. */
export type HookTools = typeof import('./tools.js');

export function loadHooks(): Promise<HookTools> {
  return import('./tools.js');
}
