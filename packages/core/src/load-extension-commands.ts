/** Loads the functions of `/extensions` on first use. */

export type ExtensionCommands = typeof import('./extension-commands.js');

export function loadExtensionCommands(): Promise<ExtensionCommands> {
  return import('./extension-commands.js');
}
