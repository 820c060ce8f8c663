/** Loads the functions for authors of extensions on first use. */

export type ExtensionAuthoring = typeof import('./extension-authoring.js');

export function loadExtensionAuthoring(): Promise<ExtensionAuthoring> {
  return import('./extension-authoring.js');
}
