/** How the loader of the built library (`load-compiled.ts`) and the library itself find each other. */

export interface Compiled {
  /** Writes what is compiled by now. */
  keep(): void;
  /** It is written when the process exits, at the latest. */
  isDueAtExit?: boolean;
}

export const COMPILED = Symbol.for('gemini-cli.compiled-code');

/** For a program that may end without closing its sessions. To be called when one of them has answered. */
export function keepCompiledCodeAtExit(): void {
  const compiled: Compiled | undefined = Reflect.get(globalThis, COMPILED);
  if (!compiled || compiled.isDueAtExit) return;
  compiled.isDueAtExit = true;
  process.once('exit', keepCompiledCode);
}

/** To be called when a session has answered: its code is compiled then. Does nothing where that is done already. */
export function keepCompiledCode(): void {
  const compiled: Compiled | undefined = Reflect.get(globalThis, COMPILED);
  Reflect.deleteProperty(globalThis, COMPILED);
  compiled?.keep();
}
