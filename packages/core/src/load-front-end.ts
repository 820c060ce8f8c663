/** The way to what dialogs need that does not load it with everything else. */

export type FrontEnd = typeof import('./front-end.js');

export function loadFrontEnd(): Promise<FrontEnd> {
  return import('./front-end.js');
}
