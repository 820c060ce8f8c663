/** How the loader of the built library (`load-compiled.ts`) and the library itself find each other. */

export interface Compiled {
  /** Writes what is compiled by now. */
  keep(): void;
}

export const COMPILED = Symbol.for('gemini-cli.compiled-code');

/** To be called when a session has answered: its code is compiled then. Does nothing where that is done already. */
export function keepCompiledCode(): void {
  const compiled: Compiled | undefined = Reflect.get(globalThis, COMPILED);
  Reflect.deleteProperty(globalThis, COMPILED);
  compiled?.keep();
}
