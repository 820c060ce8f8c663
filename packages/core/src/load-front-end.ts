/** The way to what dialogs need that does not load it with everything else. */

export type FrontEndModule = typeof import('./front-end.js');

export function loadFrontEnd(): Promise<FrontEndModule> {
  return import('./front-end.js');
}
