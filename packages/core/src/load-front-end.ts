/** Loads the functions for dialogs on first use. */

export type FrontEndModule = typeof import('./front-end.js');

export function loadFrontEnd(): Promise<FrontEndModule> {
  return import('./front-end.js');
}
