/** Containment as policy and the shell tool see it. */
import type { Containment } from '../../../protocol/confirmation.js';
import type { SandboxedLine } from '../tool-sandbox.js';
import type { SandboxCheck, SandboxedCommand, SandboxRequest } from '../types.js';

export interface CommandContainment {
  /** `absent`: this machine cannot hold commands. `problem`: it can, but not in this workspace as it is. */
  check(kind: Containment): Promise<'held' | 'absent' | { problem: string }>;
  /** Why it is absent, for people; tries it out if that has not been done yet. */
  state(): Promise<SandboxCheck>;
  /** What to start in place of the shell of this line. It rejects when the line cannot be held. */
  isolate(
    line: SandboxedLine,
    kind: Containment,
  ): (invocation: Omit<SandboxRequest, 'policy'>) => Promise<SandboxedCommand>;
}
