/** Platforms on which single processes cannot be restricted: a process with declared rights is refused. */
import { type SandboxCheck, SandboxError } from '../types.js';
import type { RightsSandbox } from './types.js';

export class NoRightsSandbox implements RightsSandbox {
  constructor(private readonly platform: NodeJS.Platform) {}

  async check(): Promise<SandboxCheck> {
    return { ok: false, ...this.refusal() };
  }

  async restrict(): Promise<never> {
    const { reason, remedy } = this.refusal();
    throw new SandboxError(reason, remedy);
  }

  private refusal() {
    const name = this.platform === 'win32' ? 'Windows' : this.platform;
    return {
      reason: `On ${name} the rights of a process cannot be restricted.`,
      remedy: 'Use the extension on Linux (with bubblewrap, also in WSL) or macOS.',
    };
  }
}
