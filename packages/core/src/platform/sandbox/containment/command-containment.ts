/** Interface to containment for policy and the shell tool. */
import type { Containment } from '../../../protocol/confirmation.js';
import type { SandboxedLine } from '../tool-sandbox.js';
import type { SandboxCheck, SandboxedCommand, SandboxRequest } from '../types.js';

export interface CommandContainment {
  /** `absent`: this machine cannot contain commands. `problem`: it can, but not in this workspace. */
  check(kind: Containment): Promise<'held' | 'absent' | { problem: string }>;
  /** Why it is absent, for the user; runs the test if it has not run yet. */
  state(): Promise<SandboxCheck>;
  /** Returns what to start instead of the shell. It rejects when the line cannot be contained. */
  isolate(
    line: SandboxedLine,
    kind: Containment,
  ): (invocation: Omit<SandboxRequest, 'policy'>) => Promise<SandboxedCommand>;
}
