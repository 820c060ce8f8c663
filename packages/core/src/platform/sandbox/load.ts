/** Loads the whole-program sandbox on first use: few runs have one. */
import type { findProgram } from '../process/find-program.js';
import type { openSandbox } from './whole-program/open-session.js';
import type { selectSandbox } from './whole-program/select.js';

export interface WholeProcessSandbox {
  selectSandbox: typeof selectSandbox;
  openSandbox: typeof openSandbox;
  findProgram: typeof findProgram;
}

export async function loadWholeProcessSandbox(): Promise<WholeProcessSandbox> {
  const [{ selectSandbox }, { openSandbox }, { findProgram }] = await Promise.all([
    import('./whole-program/select.js'),
    import('./whole-program/open-session.js'),
    import('../process/find-program.js'),
  ]);
  return { selectSandbox, openSandbox, findProgram };
}
