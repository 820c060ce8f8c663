/** Loads the conversion of plugins on first use. */

export type ExtensionConversion = typeof import('./extensions/convert/index.js');

export function loadExtensionConversion(): Promise<ExtensionConversion> {
  return import('./extensions/convert/index.js');
}
