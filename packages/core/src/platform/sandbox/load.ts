/** Loads the whole-program sandbox on first use: few runs have one. */
import type { openSandbox } from './whole-program/open-session.js';
import type { SandboxConfig, SelectionSources } from './whole-program/select.js';

export interface WholeProcessSandbox {
  /** Selects for this machine. @throws FatalSandboxError */
  selectSandbox(
    request: Pick<SelectionSources, 'env' | 'flag' | 'setting'>,
  ): Promise<SandboxConfig | undefined>;
  openSandbox: typeof openSandbox;
}

export async function loadWholeProcessSandbox(): Promise<WholeProcessSandbox> {
  const [{ selectSandbox }, { openSandbox }, { findProgram }] = await Promise.all([
    import('./whole-program/select.js'),
    import('./whole-program/open-session.js'),
    import('../process/find-program.js'),
  ]);
  return {
    selectSandbox: (request) =>
      selectSandbox({
        ...request,
        platform: process.platform,
        hasProgram: (name) => findProgram(name, request.env['PATH']) !== undefined,
        bubblewrapProblem: async () => {
          const { bubblewrapProblem } = await import('./whole-program/bubblewrap-probe.js');
          return bubblewrapProblem(request.env);
        },
      }),
    openSandbox,
  };
}
