/** Loads what `gemini extensions list|enable|disable` need, on first use. */

export type ExtensionFiles = typeof import('./extensions/files.js');

export function loadExtensionFiles(): Promise<ExtensionFiles> {
  return import('./extensions/files.js');
}
